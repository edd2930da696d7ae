import type { Finding } from "payments-sdk/idempotency";
import { expect, test } from "vitest";
import {
  by,
  createdAs,
  ID,
  LEASE,
  ORDER,
  refusalOf,
  STATES,
  stateOf,
  transactionOf,
} from "../support/orders.ts";
import { onEveryStore } from "../support/stores.ts";

const NOT_CHARGED: Finding = { charged: false };

onEveryStore("a finding is refused, and nothing changes,", (open) => {
  test.each<Finding>([NOT_CHARGED, { transactionId: ID, status: "approved" }])(
    "while somebody is sending: %j",
    async (finding) => {
      const store = await open();
      await store.claim(ORDER, LEASE);

      expect(await refusalOf(store, finding)).toBe("outcome_pending");

      expect(await store.renew(ORDER, LEASE)).toBe(true);
    },
  );

  test("about an order that nobody claimed", async () => {
    const store = await open();

    expect(await refusalOf(store, NOT_CHARGED)).toEqual(["externalRef"]);
    expect(await refusalOf(store, { transactionId: ID, status: "approved" })).toEqual(["externalRef"]);
    expect(await stateOf(store)).toBe("free");
  });

  test("where it says that a transaction of the order does not exist", async () => {
    const store = await open();
    await STATES["that is created"](store);

    expect(await refusalOf(store, NOT_CHARGED)).toEqual(["finding"]);

    expect(await transactionOf(store)).toMatchObject({ transactionId: ID });
  });

  test("where it names the transaction of an earlier attempt, which charges nobody", async () => {
    const store = await open();
    await store.claim(by("b"), LEASE);
    await store.end(by("b"), createdAs("refused", 1));
    await STATES["that is unresolved"](store);

    expect(await refusalOf(store, { transactionId: 1, status: "refused" })).toEqual(["finding"]);

    expect(await stateOf(store)).toBe("unresolved");
  });

  test.each<[string, unknown]>([
    ["nothing", undefined],
    ["null", null],
    ["a text", "charged: false"],
    ["an empty object", {}],
    ["that somebody was charged, and not by what", { charged: true }],
    ["charged of another type", { charged: "false" }],
    ["both", { charged: false, transactionId: ID, status: "approved" }],
    ["no status", { transactionId: ID }],
    ["no transaction", { status: "approved" }],
    ["an unknown status", { transactionId: ID, status: "paid" }],
    ["a status that is none", { transactionId: ID, status: "unrecognized" }],
    ["an id that is no number", { transactionId: "4021x", status: "approved" }],
    ["an id with zeros before it", { transactionId: "04021", status: "approved" }],
    ["an attempt that is none", { charged: false, attempt: "1" }],
    ["an id that was rounded", { transactionId: 2 ** 53, status: "approved" }],
    ["an id of zero", { transactionId: 0, status: "approved" }],
    ["a fraction", { transactionId: 1.5, status: "approved" }],
    ["an unknown name", { charged: false, chargd: true }],
  ])("where it is %s", async (_what, finding) => {
    const store = await open();
    await STATES["that is unresolved"](store);

    expect(await refusalOf(store, finding)).toEqual(["finding"]);

    expect(await stateOf(store)).toBe("unresolved");
  });
});
