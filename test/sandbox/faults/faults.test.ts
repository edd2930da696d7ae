import { createGateway, type FaultKind } from "payments-sdk/sandbox";
import { describe, expect, test } from "vitest";
import {
  codeOf,
  type EndpointName,
  type ReadResponse,
  readBytes,
  readResponse,
  validRequest,
} from "../support/valid-requests.ts";
import { bodyOf, NOON } from "../support/wire.ts";

const CREATE = "transactions.create";

/** Two gateways with the same calls return the same bodies, so that one shows the response without the fault. */
const aGateway = () => createGateway({ seed: 7, now: NOON });

async function wholeResponse(on: EndpointName): Promise<ReadResponse> {
  const twin = aGateway();
  return readResponse(await twin.fetch(validRequest(on, twin)));
}

/** Runs everything that does not need an abort. */
async function waitForPendingWork(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

describe("creating a transaction with", () => {
  const failure = (message: string) => JSON.stringify({ success: false, message });

  test.each<[FaultKind, number, (whole: ReadResponse) => Partial<ReadResponse>]>([
    ["charged_then_500", 1, () => ({ status: 500, text: failure("Internal Server Error") })],
    ["redirect_307", 0, () => ({ status: 307, location: "/api/v1/transactions", text: "" })],
    ["html_502", 0, () => ({ status: 502, type: "text/html", text: expect.stringMatching(/^<html>[^{]+$/) })],
    [
      "truncated_json",
      1,
      ({ text, ...whole }) => ({ ...whole, text: text.slice(0, Math.ceil(text.length / 2)) }),
    ],
    ["rate_limited", 0, () => ({ status: 429, retryAfter: "1", text: failure("Too Many Requests") })],
    [
      "unknown_status",
      1,
      ({ text, ...whole }) => ({ ...whole, text: text.replace("pending", "PENDING_3DS") }),
    ],
  ])("%s: %i charges and a different response, once", async (kind, charges, expected) => {
    const gateway = aGateway();
    gateway.faults.add({ on: CREATE, kind });

    const response = await readResponse(await gateway.fetch(validRequest(CREATE, gateway)));
    const charged = gateway.chargesFor("order-1").length;
    const next = await gateway.fetch(validRequest(CREATE, gateway));

    expect(response).toMatchObject(expected(await wholeResponse(CREATE)));
    expect([charged, next.status]).toEqual([charges, 201]);
  });

  test.each<[FaultKind, number, string]>([
    ["charged_then_reset", 1, "ECONNRESET"],
    ["refused_connection", 0, "ECONNREFUSED"],
  ])("%s: %i charges and a rejection like that of fetch, with %s, once", async (kind, charges, code) => {
    const gateway = aGateway();
    gateway.faults.add({ on: CREATE, kind });

    const call = gateway.fetch(validRequest(CREATE, gateway));

    await expect(call).rejects.toThrow(new TypeError("fetch failed"));
    expect(await codeOf(call)).toBe(code);
    expect(gateway.chargesFor("order-1")).toHaveLength(charges);
    expect((await gateway.fetch(validRequest(CREATE, gateway))).status).toBe(201);
  });

  test("stalled_body: a charge, half of the body, and nothing more until the call is aborted", async () => {
    const gateway = aGateway();
    const whole = await wholeResponse(CREATE);
    const controller = new AbortController();
    gateway.faults.add({ on: CREATE, kind: "stalled_body" });

    const response = await gateway.fetch(validRequest(CREATE, gateway, { signal: controller.signal }));
    const half = Math.ceil(Buffer.byteLength(whole.text) / 2);
    const { text, reader } = await readBytes(response, half);
    const rest = reader.read();
    await waitForPendingWork();
    controller.abort(new Error("given up"));

    expect([response.status, gateway.chargesFor("order-1").length]).toEqual([201, 1]);
    expect(text).toBe(Buffer.from(whole.text).subarray(0, half).toString());
    await expect(rest).rejects.toThrow("given up");
  });

  test("drifted_body: numbers as strings, new fields, null, an object instead of a number, a missing field", async () => {
    const gateway = aGateway();
    gateway.faults.add({ on: CREATE, kind: "drifted_body" });

    const body = await bodyOf(await gateway.fetch(validRequest(CREATE, gateway)));

    expect(gateway.chargesFor("order-1")).toHaveLength(1);
    expect(body).toMatchObject({ success: true, status: 1 });
    expect(body.data).toMatchObject({
      id: expect.stringMatching(/^\d+$/),
      amount: "1990",
      addedLater: true,
      secureUrl: null,
      fees: { fixed: "0", percent: "20" },
      customer: { name: "Ana Exemplo", addedLater: true },
    });
    expect(body.data).not.toHaveProperty("createdAt");
  });
});

describe("every other endpoint", () => {
  test.each<[EndpointName, FaultKind, number, object | undefined]>([
    ["cardTokens.create", "html_502", 502, undefined],
    ["company.retrieve", "charged_then_500", 500, { success: false }],
    ["company.retrieve", "unknown_status", 200, { data: { status: "PENDING_3DS", id: 4010 } }],
    ["company.retrieve", "drifted_body", 200, { data: { limits: { transactionMinAmount: "100" } } }],
    ["status.retrieve", "rate_limited", 429, { success: false }],
    ["status.retrieve", "unknown_status", 200, { status: "PENDING_3DS", version: "v1" }],
    ["status.retrieve", "drifted_body", 200, { addedLater: true }],
    ["sellers.list", "unknown_status", 200, { 2: { id: "seller_1", status: "PENDING_3DS" } }],
    ["sellers.list", "drifted_body", 200, { 0: { name: "Maria Exemplo", addedLater: true } }],
    ["sellers.revenue", "drifted_body", 200, { 1: { revenue: { total: "18450.9" }, addedLater: true } }],
  ])("%s has %s", async (on, kind, status, expected) => {
    const gateway = aGateway();
    gateway.faults.add({ on, kind });

    const response = await readResponse(await gateway.fetch(validRequest(on, gateway)));

    expect(response.status).toBe(status);
    if (expected) expect(JSON.parse(response.text)).toMatchObject(expected);
    expect((await gateway.fetch(validRequest(on, gateway))).status).toBe(200);
  });

  test("cardTokens.create returns its token in quotes with drifted_body", async () => {
    const gateway = aGateway();
    gateway.faults.add({ on: "cardTokens.create", kind: "drifted_body" });

    const { text } = await readResponse(await gateway.fetch(validRequest("cardTokens.create", gateway)));

    expect(text).toMatch(/^"[\w-]+\.[\w-]+\.[\w-]+"$/);
  });
});
