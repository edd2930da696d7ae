import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createGateway, type Fault, type Gateway } from "payments-sdk/sandbox";
import { describe, expect, test, vi } from "vitest";
import { validRequest } from "../support/valid-requests.ts";
import { aGuidePix, aPix, basic, merchantOf } from "../support/wire.ts";

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
    faults.add({ on: "transactions.create", kind: "charged_then_500", times: 2 });
    faults.add({ on: "transactions.create", kind: "rate_limited" });
    faults.add({ on: "transactions.create", kind: "charged_then_reset" });

    const outcomes = [await create(gateway)];
    const left = faults.armed.map(({ times }) => times);
    for (let call = 0; call < 4; call += 1) outcomes.push(await create(gateway));

    expect(left).toEqual([1, 1, 1, 1]);
    expect(outcomes).toEqual([500, 500, 429, "broken", 201]);
    expect(faults.armed).toEqual([{ id: 1, on: "status.retrieve", kind: "html_502", times: 1 }]);
  });

  test("can be removed, alone or with all others, and its id is not used again", async () => {
    const gateway = createGateway();
    const { faults } = gateway;
    const tooEarly = faults.remove(1);
    faults.add({ on: "transactions.create", kind: "html_502" });
    faults.add({ on: "transactions.create", kind: "rate_limited", times: 5 });

    const removed = [faults.remove(1), faults.remove(1)];
    const outcome = await create(gateway);
    faults.clear();

    expect([tooEarly, ...removed, outcome]).toEqual([false, true, false, 429]);
    expect(faults.armed).toEqual([]);
    expect(faults.add({ on: "company.retrieve", kind: "html_502" }).id).toBe(3);
  });

  test("that replaces the service needs no authentication", async () => {
    const gateway = createGateway();
    gateway.faults.add({ on: "company.retrieve", kind: "rate_limited" });

    expect((await gateway.fetch(`${gateway.baseUrl}/api/v1/company`)).status).toBe(429);
  });
});

describe("a fault that replaces a response", () => {
  const invalid = (gateway: Gateway) => create(gateway, aGuidePix({ amount: 0 }));
  const unauthorized = ({ baseUrl, fetch }: Gateway) =>
    outcomeOf(
      fetch(`${baseUrl}/api/v1/transactions`, { method: "POST", headers: basic("sk_other", "pk_other") }),
    );

  test.each([
    ["a 400", invalid, 400],
    ["a 401", unauthorized, 401],
  ])("is not used by %s, and keeps its position", async (_what, call, status) => {
    const gateway = createGateway();
    gateway.faults.add({ on: "transactions.create", kind: "charged_then_500", times: 2 });
    gateway.faults.add({ on: "transactions.create", kind: "rate_limited" });
    const before = gateway.faults.armed;

    expect(await call(gateway)).toBe(status);

    expect(gateway.faults.armed).toEqual(before);
    expect([await create(gateway), await create(gateway), await create(gateway)]).toEqual([500, 500, 429]);
  });

  test("is used by a concurrent call that succeeds, even if another one fails first", async () => {
    const gateway = createGateway();
    gateway.faults.add({ on: "transactions.create", kind: "charged_then_500" });

    expect(await Promise.all([create(gateway, {}), create(gateway)])).toEqual([400, 500]);
    expect(gateway.faults.armed).toEqual([]);
  });
});

test.each([
  [
    { on: "transactions.retrieve", kind: "html_502" },
    /^faults\.add: on must be one of transactions\.create, /,
  ],
  [{ on: "transactions.create", kind: "charge_then_500" }, /kind must be one of charged_then_reset, /],
  [{ on: "transactions.create", kind: "toString" }, /kind must be one of /],
  [{ on: "transactions.create", kind: "html_502", times: 0 }, /times must be a whole number, 1 or more/],
  [{ on: "transactions.create", kind: "html_502", times: 1.5 }, /times/],
  [{ on: "sellers.revenue", kind: "unknown_status" }, /not for sellers\.revenue/],
  [{ on: "transactions.create", kind: "html_502", times: null }, /times/],
  [{ on: "transactions.create", kind: "refused_connection", times: 61 }, /times .* must be 60 or less/],
  [{ on: "transactions.create", kind: "html_502", time: 2 }, /time is not a field of a fault/],
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
