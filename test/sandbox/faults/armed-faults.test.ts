import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createGateway, type Fault, type Gateway } from "payments-sdk/sandbox";
import { describe, expect, test, vi } from "vitest";
import { goodRequest } from "../support/good-calls.ts";
import { aGuidePix, aPix, basic, merchantOf } from "../support/wire.ts";

/** What a call comes to: its status, or that the connection broke. */
async function outcomeOf(call: Promise<Response>): Promise<number | "broken"> {
  return call.then(
    ({ status }) => status,
    () => "broken",
  );
}

const create = (gateway: Gateway, body: unknown = aPix()) => outcomeOf(merchantOf(gateway).create(body));

describe("a fault", () => {
  test("is used up by one call where nothing else is said", async () => {
    const gateway = createGateway();

    const armed = gateway.faults.add({ on: "transactions.create", kind: "html_502" });

    expect(armed).toEqual({ id: 1, on: "transactions.create", kind: "html_502", times: 1 });
    expect([await create(gateway), await create(gateway)]).toEqual([502, 201]);
    expect(gateway.faults.armed).toEqual([]);
  });

  test("counts down with each call", async () => {
    const gateway = createGateway();
    gateway.faults.add({ on: "transactions.create", kind: "rate_limited", times: 2 });

    const first = [await create(gateway), gateway.faults.armed[0]?.times];
    const second = [await create(gateway), gateway.faults.armed.length];

    expect([first, second, await create(gateway)]).toEqual([[429, 1], [429, 0], 201]);
  });

  test("waits for those of its endpoint that were armed before, and not for those of another", async () => {
    const gateway = createGateway();
    const { faults } = gateway;
    faults.add({ on: "status.retrieve", kind: "html_502" });
    faults.add({ on: "transactions.create", kind: "charged_then_500", times: 2 });
    faults.add({ on: "transactions.create", kind: "rate_limited" });
    faults.add({ on: "transactions.create", kind: "charged_then_reset" });

    const outcomes = [
      await create(gateway),
      await create(gateway),
      await create(gateway),
      await create(gateway),
    ];

    expect(outcomes).toEqual([500, 500, 429, "broken"]);
    expect(faults.armed).toEqual([{ id: 1, on: "status.retrieve", kind: "html_502", times: 1 }]);
  });

  test("spoils as many of the calls of one moment as it says, and all of them are made", async () => {
    const gateway = createGateway();
    gateway.faults.add({ on: "transactions.create", kind: "charged_then_500", times: 3 });

    const outcomes = await Promise.all(Array.from({ length: 20 }, () => create(gateway)));

    expect(outcomes.filter((outcome) => outcome === 500)).toHaveLength(3);
    expect(outcomes.filter((outcome) => outcome === 201)).toHaveLength(17);
    expect(gateway.chargesFor("order-1")).toHaveLength(20);
  });

  test("can be taken away, and the others stay", async () => {
    const gateway = createGateway();
    const { id } = gateway.faults.add({ on: "transactions.create", kind: "html_502" });
    gateway.faults.add({ on: "transactions.create", kind: "rate_limited" });

    const removed = [gateway.faults.remove(id), gateway.faults.remove(id), gateway.faults.remove(99)];

    expect(removed).toEqual([true, false, false]);
    expect(await create(gateway)).toBe(429);
  });

  test("can be cleared with all others, and its id does not come back", async () => {
    const gateway = createGateway();
    gateway.faults.add({ on: "transactions.create", kind: "html_502", times: 5 });
    gateway.faults.add({ on: "company.retrieve", kind: "html_502" });

    gateway.faults.clear();

    expect(gateway.faults.armed).toEqual([]);
    expect(await create(gateway)).toBe(201);
    expect(gateway.faults.add({ on: "company.retrieve", kind: "html_502" }).id).toBe(3);
  });
});

describe("a fault that spoils an answer", () => {
  const invalid = (gateway: Gateway) => create(gateway, aGuidePix({ amount: 0 }));
  const unauthorized = ({ baseUrl, fetch }: Gateway) =>
    outcomeOf(
      fetch(`${baseUrl}/api/v1/transactions`, { method: "POST", headers: basic("sk_other", "pk_other") }),
    );

  test.each([
    ["a 400", invalid, 400],
    ["a 401", unauthorized, 401],
  ])("is not used up by %s", async (_what, call, status) => {
    const gateway = createGateway();
    gateway.faults.add({ on: "transactions.create", kind: "charged_then_500", times: 2 });
    const before = gateway.faults.armed;

    expect(await call(gateway)).toBe(status);

    expect(gateway.faults.armed).toEqual(before);
    expect([await create(gateway), await create(gateway), await create(gateway)]).toEqual([500, 500, 201]);
  });

  test("keeps its place before later ones when it is given back", async () => {
    const gateway = createGateway();
    gateway.faults.add({ on: "transactions.create", kind: "charged_then_500" });
    gateway.faults.add({ on: "transactions.create", kind: "rate_limited" });

    await invalid(gateway);

    expect(gateway.faults.armed.map(({ kind }) => kind)).toEqual(["charged_then_500", "rate_limited"]);
  });

  test.each<[string, (gateway: Gateway) => unknown]>([
    ["cleared", ({ faults }) => faults.clear()],
    ["removed", ({ faults }) => faults.remove(1)],
  ])("is not given back when it was %s meanwhile", async (_how, takeAway) => {
    const gateway = createGateway();
    gateway.faults.add({ on: "transactions.create", kind: "charged_then_500" });

    const call = invalid(gateway);
    takeAway(gateway);

    expect(await call).toBe(400);
    expect(gateway.faults.armed).toEqual([]);
  });
});

test("a fault in the place of the service asks for no keys", async () => {
  const gateway = createGateway();
  gateway.faults.add({ on: "company.retrieve", kind: "rate_limited" });

  const response = await gateway.fetch(`${gateway.baseUrl}/api/v1/company`);

  expect(response.status).toBe(429);
  expect(gateway.faults.armed).toEqual([]);
});

test.each([
  [
    { on: "transactions.retrieve", kind: "html_502" },
    /^faults\.add: on must be one of transactions\.create, /,
  ],
  [{ kind: "html_502" }, /^faults\.add: on must be one of /],
  [{ on: "transactions.create", kind: "charge_then_500" }, /kind must be one of charged_then_reset, /],
  [{ on: "transactions.create" }, /kind must be one of /],
  [{ on: "transactions.create", kind: "toString" }, /kind must be one of /],
  [{ on: "transactions.create", kind: "html_502", times: 0 }, /times must be a whole number, 1 or more/],
  [{ on: "transactions.create", kind: "html_502", times: 1.5 }, /times/],
  [{ on: "transactions.create", kind: "refused_connection", times: 61 }, /times .* must be 60 or less/],
  [{ on: "transactions.create", kind: "html_502", times: -1 }, /times/],
  [{ on: "transactions.create", kind: "html_502", times: "2" }, /times/],
  [{ on: "transactions.create", kind: "html_502", times: null }, /times/],
  [{ on: "transactions.create", kind: "html_502", time: 2 }, /time is no field of a fault/],
])("%j is a TypeError, and arms nothing", (fault, message) => {
  const { faults } = createGateway();
  const add = () => faults.add(fault as Fault);

  expect(add).toThrow(TypeError);
  expect(add).toThrow(message);
  expect(faults.armed).toEqual([]);
});

test("a stalled call that nobody else holds still ends when its caller gives up", async () => {
  setFlagsFromString("--expose_gc");
  const collectGarbage: () => void = runInNewContext("gc");
  const gateway = createGateway();
  const patience = new AbortController();
  gateway.faults.add({ on: "company.retrieve", kind: "charged_then_stalled" });
  let end = "none yet";
  const { signal } = patience;
  gateway.fetch(goodRequest("company.retrieve", gateway, { signal })).catch(() => {
    end = "rejected";
  });
  for (let turn = 0; turn < 5; turn += 1) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    collectGarbage();
  }

  patience.abort();

  await vi.waitFor(() => expect(end).toBe("rejected"), 10_000);
});
