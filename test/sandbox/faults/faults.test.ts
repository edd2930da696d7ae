import { createGateway, type FaultKind } from "payments-sdk/sandbox";
import { describe, expect, test, vi } from "vitest";
import {
  codeOf,
  type EndpointName,
  firstBytes,
  goodRequest,
  type Seen,
  seen,
} from "../support/good-calls.ts";
import { bodyOf, NOON } from "../support/wire.ts";

const CREATE = "transactions.create";

/** Two of them with the same calls give the same bodies, so that one shows what the other's would have been. */
const aGateway = () => createGateway({ seed: 7, now: NOON });

async function wholeAnswer(on: EndpointName): Promise<Seen> {
  const twin = aGateway();
  return seen(await twin.fetch(goodRequest(on, twin)));
}

/** Lets everything happen that happens without a caller giving up. */
async function settledOnItsOwn(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

describe("a create call meets", () => {
  test.each<[FaultKind, number, (whole: Seen) => Partial<Seen>]>([
    [
      "charged_then_500",
      1,
      () => ({ status: 500, text: '{"success":false,"message":"Internal Server Error"}' }),
    ],
    ["redirect_307", 0, () => ({ status: 307, location: "/api/v1/transactions", text: "" })],
    ["html_502", 0, () => ({ status: 502, type: "text/html", text: expect.stringMatching(/^<html>[^{]+$/) })],
    [
      "truncated_json",
      1,
      (whole) => ({ ...whole, text: whole.text.slice(0, Math.ceil(whole.text.length / 2)) }),
    ],
    [
      "rate_limited",
      0,
      () => ({ status: 429, retryAfter: "1", text: '{"success":false,"message":"Too Many Requests"}' }),
    ],
    [
      "unknown_status",
      1,
      (whole) => ({ ...whole, text: whole.text.replace('"status":"pending"', '"status":"PENDING_3DS"') }),
    ],
  ])("%s: %i charges and another answer, once", async (kind, charges, expected) => {
    const gateway = aGateway();
    gateway.faults.add({ on: CREATE, kind });

    const answer = await seen(await gateway.fetch(goodRequest(CREATE, gateway)));
    const charged = gateway.chargesFor("order-1").length;
    const next = await gateway.fetch(goodRequest(CREATE, gateway));

    expect(answer).toMatchObject(expected(await wholeAnswer(CREATE)));
    expect([charged, next.status]).toEqual([charges, 201]);
  });

  test.each<[FaultKind, number, string]>([
    ["charged_then_reset", 1, "ECONNRESET"],
    ["refused_connection", 0, "ECONNREFUSED"],
  ])("%s: %i charges and a rejection as of fetch, with %s, once", async (kind, charges, code) => {
    const gateway = aGateway();
    gateway.faults.add({ on: CREATE, kind });

    const call = gateway.fetch(goodRequest(CREATE, gateway));

    await expect(call).rejects.toThrow(new TypeError("fetch failed"));
    expect(await codeOf(call)).toBe(code);
    expect(gateway.chargesFor("order-1")).toHaveLength(charges);
    expect((await gateway.fetch(goodRequest(CREATE, gateway))).status).toBe(201);
  });

  test("charged_then_stalled: a charge, and no answer until the caller gives up", async () => {
    const gateway = aGateway();
    const controller = new AbortController();
    gateway.faults.add({ on: CREATE, kind: "charged_then_stalled" });

    const call = gateway.fetch(goodRequest(CREATE, gateway), { signal: controller.signal });
    await vi.waitFor(() => expect(gateway.chargesFor("order-1")).toHaveLength(1), 10_000);
    await settledOnItsOwn();
    controller.abort(new Error("given up"));

    await expect(call).rejects.toThrow("given up");
    expect(gateway.chargesFor("order-1")).toHaveLength(1);
  });

  test("stalled_body: a charge, half of the body, and nothing until the caller gives up", async () => {
    const gateway = aGateway();
    const whole = await wholeAnswer(CREATE);
    const controller = new AbortController();
    gateway.faults.add({ on: CREATE, kind: "stalled_body" });

    const response = await gateway.fetch(goodRequest(CREATE, gateway, { signal: controller.signal }));
    const half = Math.ceil(Buffer.byteLength(whole.text) / 2);
    const { text, reader } = await firstBytes(response, half);
    const rest = reader.read();
    await settledOnItsOwn();
    controller.abort(new Error("given up"));

    expect([response.status, gateway.chargesFor("order-1").length]).toEqual([201, 1]);
    expect(text).toBe(Buffer.from(whole.text).subarray(0, half).toString());
    await expect(rest).rejects.toThrow("given up");
  });

  test("drifted_body: texts for numbers, new fields, null, an object for a number, a missing field", async () => {
    const gateway = aGateway();
    gateway.faults.add({ on: CREATE, kind: "drifted_body" });

    const body = await bodyOf(await gateway.fetch(goodRequest(CREATE, gateway)));

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
  ])("%s shows %s", async (on, kind, status, expected) => {
    const gateway = aGateway();
    gateway.faults.add({ on, kind });

    const answer = await seen(await gateway.fetch(goodRequest(on, gateway)));

    expect(answer.status).toBe(status);
    if (expected) expect(JSON.parse(answer.text)).toMatchObject(expected);
    expect((await gateway.fetch(goodRequest(on, gateway))).status).toBe(200);
  });

  test("has its token in quotes as a drifted body", async () => {
    const gateway = aGateway();
    gateway.faults.add({ on: "cardTokens.create", kind: "drifted_body" });

    const { text } = await seen(await gateway.fetch(goodRequest("cardTokens.create", gateway)));

    expect(text).toMatch(/^"[\w-]+\.[\w-]+\.[\w-]+"$/);
  });
});
