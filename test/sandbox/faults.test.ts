import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createGateway, type Fault, type FaultKind, type Gateway } from "payments-sdk/sandbox";
import { describe, expect, test, vi } from "vitest";
import {
  codeOf,
  type EndpointName,
  type ReadResponse,
  readResponse,
  validRequest,
} from "./support/valid-requests.ts";
import { aCardPayment, aPix, bodyOf, merchantOf, NOON } from "./support/wire.ts";

const CREATE = "transactions.create";

/** Two gateways with the same calls return the same bodies, so that one shows the response without the fault. */
const aGateway = () => createGateway({ seed: 7, now: NOON });

async function wholeResponse(on: EndpointName): Promise<ReadResponse> {
  const twin = aGateway();
  return readResponse(await twin.fetch(validRequest(on, twin)));
}

/** The request, and the transaction if it created one, have the fault. */
function expectRecorded({ requests, transactions }: Gateway, kind: FaultKind, response: object): void {
  const [transaction] = transactions;
  expect(requests[0]).toMatchObject({ fault: kind, durationMs: expect.any(Number), ...response });
  expect(requests[0]?.transactionId).toBe(transaction?.id);
  expect(transaction?.fault).toBe(transaction && kind);
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
    expectRecorded(gateway, kind, { status: response.status, responseBody: response.text });
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
    expectRecorded(gateway, kind, { responseBody: "" });
    expect(gateway.chargesFor("order-1")).toHaveLength(charges);
    expect((await gateway.fetch(validRequest(CREATE, gateway))).status).toBe(201);
  });

  test("late_response: a charge at once, and the whole response a second later", async () => {
    const gateway = aGateway();
    gateway.faults.add({ on: CREATE, kind: "late_response" });
    let isLate = false;
    setTimeout(() => {
      isLate = true;
    }, 900);

    const call = gateway.fetch(validRequest(CREATE, gateway));
    await vi.waitFor(() => expect(gateway.chargesFor("order-1")).toHaveLength(1));
    expect(isLate).toBe(false);
    const response = await readResponse(await call);

    expect(isLate).toBe(true);
    expect(response).toEqual(await wholeResponse(CREATE));
    expectRecorded(gateway, "late_response", { status: 201, responseBody: response.text });
  });

  test("stalled_body: a charge, half of the body, and nothing more until the call is aborted", async () => {
    const gateway = aGateway();
    const whole = await wholeResponse(CREATE);
    const controller = new AbortController();
    gateway.faults.add({ on: CREATE, kind: "stalled_body" });

    const response = await gateway.fetch(validRequest(CREATE, gateway, { signal: controller.signal }));
    const half = Math.ceil(Buffer.byteLength(whole.text) / 2);
    const reader = response.body?.getReader();
    const text = await reader?.read();
    const rest = reader?.read();
    await waitForPendingWork();
    controller.abort(new Error("given up"));

    expect([response.status, gateway.chargesFor("order-1").length]).toEqual([201, 1]);
    expectRecorded(gateway, "stalled_body", { status: 201, responseBody: "" });
    expect(Buffer.from(text?.value ?? []).toString()).toBe(
      Buffer.from(whole.text).subarray(0, half).toString(),
    );
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
    ["cardTokens.create", "drifted_body", 200, expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/)], // in quotes
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
    if (expected) expect([JSON.parse(response.text)]).toMatchObject([expected]);
    expect((await gateway.fetch(validRequest(on, gateway))).status).toBe(200);
  });
});

/** The status of a call, or that its connection broke. */
async function outcomeOf(call: Promise<Response>): Promise<number | "broken"> {
  return call.then(
    ({ status }) => status,
    () => "broken",
  );
}

const create = (gateway: Gateway, body: unknown = aPix()) => outcomeOf(merchantOf(gateway).create(body));

describe("a fault", () => {
  test("is used after the earlier faults of its endpoint, and counts down with each call", async () => {
    const gateway = createGateway();
    const { faults } = gateway;
    faults.add({ on: "status.retrieve", kind: "html_502" });
    faults.add({ on: CREATE, kind: "charged_then_500", times: 2 });
    faults.add({ on: CREATE, kind: "pix_refused" });
    faults.add({ on: CREATE, kind: "rate_limited" });
    faults.add({ on: CREATE, kind: "charged_then_reset" });

    const outcomes = [await create(gateway)];
    const left = faults.armed.map(({ times }) => times);
    for (let call = 0; call < 5; call += 1) outcomes.push(await create(gateway));

    expect(left).toEqual([1, 1, 1, 1, 1]);
    expect(outcomes).toEqual([500, 500, 201, 429, "broken", 201]);
    expect(gateway.transactions.map(({ status }) => status)[2]).toBe("refused");
    expect(faults.armed).toEqual([{ id: 1, on: "status.retrieve", kind: "html_502", times: 1 }]);
  });

  test("can be removed, alone or with all others, and its id is not used again", async () => {
    const gateway = createGateway();
    const { faults } = gateway;
    const tooEarly = faults.remove(1);
    faults.add({ on: CREATE, kind: "html_502" });
    faults.add({ on: CREATE, kind: "rate_limited", times: 5 });

    const removed = [faults.remove(1), faults.remove(1)];
    const outcome = await create(gateway);
    faults.clear();

    expect([tooEarly, ...removed, outcome]).toEqual([false, true, false, 429]);
    expect(faults.armed).toEqual([]);
    expect(faults.add({ on: "company.retrieve", kind: "html_502" }).id).toBe(3);
  });
});

describe("a fault that replaces a response", () => {
  test("is not used by a 400 or a 401, and keeps its position", async () => {
    const gateway = createGateway();
    gateway.faults.add({ on: CREATE, kind: "charged_then_500", times: 2 });
    gateway.faults.add({ on: CREATE, kind: "rate_limited" });
    const before = gateway.faults.armed;
    const url = `${gateway.baseUrl}/api/v1/transactions`;

    const invalid = await create(gateway, aPix({ amount: 0 }));
    const unauthorized = await outcomeOf(gateway.fetch(url, { method: "POST" }));

    expect([invalid, unauthorized, gateway.faults.armed]).toEqual([400, 401, before]);
    expect([await create(gateway), await create(gateway), await create(gateway)]).toEqual([500, 500, 429]);
  });

  test("is used by a concurrent call that succeeds, even if another one fails first", async () => {
    const gateway = createGateway();
    gateway.faults.add({ on: CREATE, kind: "charged_then_500" });

    expect(await Promise.all([create(gateway, {}), create(gateway)])).toEqual([400, 500]);
    expect(gateway.faults.armed).toEqual([]);
  });
});

test.each([
  [
    { on: "transactions.retrieve", kind: "html_502" },
    /^faults\.add: on must be one of transactions\.create, /,
  ],
  [{ on: CREATE, kind: "charge_then_500" }, /kind must be one of charged_then_reset, /],
  [{ on: CREATE, kind: "toString" }, /kind must be one of /],
  [{ on: CREATE, kind: "shop_500" }, /shop_500 is for postbacks, not for transactions\.create/],
  [{ on: "postbacks", kind: "html_502" }, /html_502 is for .*, not for postbacks/],
  [{ on: CREATE, kind: "html_502", times: 0 }, /times must be a whole number, 1 or more/],
  [{ on: CREATE, kind: "html_502", times: 1.5 }, /times/],
  [{ on: "sellers.revenue", kind: "unknown_status" }, /not for sellers\.revenue/],
  [{ on: CREATE, kind: "refused_connection", times: 61 }, /times .* must be 60 or less/],
  [{ on: CREATE, kind: "html_502", time: 2 }, /time is not a field of a fault/],
])("%j throws a TypeError and arms nothing", (fault, message) => {
  const { faults } = createGateway();
  const add = () => faults.add(fault as Fault);

  expect(add).toThrow(TypeError);
  expect(add).toThrow(message);
  expect(faults.armed).toEqual([]);
});

test("a stalled call that has no other references still rejects when it is aborted", async () => {
  setFlagsFromString("--expose_gc");
  const collectGarbage: () => void = runInNewContext("gc");
  const gateway = createGateway();
  const controller = new AbortController();
  gateway.faults.add({ on: "company.retrieve", kind: "charged_then_stalled" });
  let end = "pending";
  const { signal } = controller;
  gateway.fetch(validRequest("company.retrieve", gateway, { signal })).catch(() => {
    end = "rejected";
  });
  for (let turn = 0; turn < 5; turn += 1) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    collectGarbage();
  }

  controller.abort();

  await vi.waitFor(() => expect(end).toBe("rejected"), 10_000);
});

describe("the fault pix_refused", () => {
  test("refuses one pix, which is recorded and cannot be paid", async () => {
    const gateway = createGateway();
    const { create } = merchantOf(gateway);
    gateway.faults.add({ on: CREATE, kind: "pix_refused" });

    const { data } = await bodyOf(await create(aPix()));
    const next = await bodyOf(await create(aPix()));

    expect(data).toMatchObject({ status: "refused", refusedReason: expect.any(String), refusedAmount: 0 });
    expect(data).not.toHaveProperty("pix");
    expect(data).not.toHaveProperty("fault");
    expect(gateway.transactions[0]).toMatchObject({ id: data.id, status: "refused", fault: "pix_refused" });
    expect(gateway.requests[0]).toMatchObject({ transactionId: data.id, fault: "pix_refused", status: 201 });
    expect(() => gateway.pay(data.id)).toThrow("it is refused");
    expect(next.data).toMatchObject({ status: "pending", pix: {} });
    expect(gateway.chargesFor("order-1").map(({ id }) => id)).toEqual([next.data.id]);
  });

  test("is kept by a card payment and by a request that is not valid", async () => {
    const gateway = createGateway();
    const { create, token } = merchantOf(gateway);
    gateway.faults.add({ on: CREATE, kind: "pix_refused" });

    await create(aCardPayment(await token()));
    await create(aPix({ amount: 0 }));

    expect(gateway.faults.armed).toMatchObject([{ kind: "pix_refused" }]);
    expect((await bodyOf(await create(aPix()))).data.status).toBe("refused");
  });
});
