import { IdempotencyConflictError, type PaymentsEvent, UnexpectedResponseError } from "payments-sdk";
import { memoryStore } from "payments-sdk/idempotency";
import { describe, expect, test, vi } from "vitest";
import { startServer } from "../../support/http-server.ts";
import { aPix, eventsOf, failureOf, merchantAt } from "../../support/merchant.ts";
import { created } from "../../support/service-responses.ts";
import { alteredStore, byPix, merchantWithStore } from "../support/merchant-with-store.ts";

/** Results of a custom store's claim(). */
const merchantWithClaim = (claim: unknown) =>
  merchantWithStore([], { store: alteredStore({ claim: async () => claim }) });

const createdClaim = (transaction: unknown) => ({ state: "created", transactionId: 77, transaction });
const STORED = { id: 77, status: "approved", amount: 1990, paymentMethod: "pix" };

test.each<[string, unknown]>([
  ["null, such as an empty SQL column", null],
  ["unparsed JSON", JSON.stringify(STORED)],
  ["an object with a string as id", { ...STORED, id: "77" }],
  ["an object with a string as amount", { ...STORED, amount: "1990" }],
  ["an object with an unknown status", { ...STORED, status: "paid" }],
])("a stored transaction that is %s throws with outcome created", async (_what, transaction) => {
  const { payments, arrivals } = await merchantWithClaim(createdClaim(transaction));

  const error = await failureOf(byPix(payments));

  expect(error).toBeInstanceOf(UnexpectedResponseError);
  expect(error).toMatchObject({ outcome: "created", transactionId: 77, externalRef: "order-1" });
  expect(arrivals).toHaveLength(0);
});

test("a stored transaction of another order fails the call before it is sent", async () => {
  const { payments, arrivals } = await merchantWithClaim(createdClaim({ ...STORED, externalId: "order-2" }));

  expect(await failureOf(byPix(payments))).toMatchObject({
    code: "idempotency_store_failed",
    outcome: "not_sent",
  });
  expect(arrivals).toHaveLength(0);
});

test.each<[unknown, string, string]>([
  ["created", "created", "the other payment exists"],
  ["claimed", "claimed", "the other payment is in progress"],
  ["unresolved", "unresolved", "may have charged the customer"],
  [undefined, "created", "the other payment exists"],
])(
  "the error of a conflict with a payment that is %j contains that payment's state",
  async (earlier, expected, text) => {
    const { payments } = await merchantWithClaim({ state: "conflict", earlier });

    const error = await failureOf(byPix(payments));

    expect(error).toBeInstanceOf(IdempotencyConflictError);
    expect(error.toJSON()).toMatchObject({ outcome: "not_sent", earlier: expected });
    expect(error.message).toContain(text);
    expect(error.message).not.toContain("no one was charged");
  },
);

describe("the warning of a store", () => {
  const WARNING = "forgets everything at midnight";

  test("is reported once per store, by the first create call", async () => {
    const { payments, events, store, baseUrl } = await merchantWithStore([created()], {
      store: alteredStore({ warning: WARNING }),
    });
    const other = merchantAt(baseUrl, { idempotency: store });

    await byPix(payments);
    await byPix(payments);
    await byPix(other.payments);

    const warnings = eventsOf([...events, ...other.events], "warning");
    expect(warnings.filter(({ field }) => field === "idempotency")).toMatchObject([{ message: WARNING }]);
  });

  test.each<[string, number, PropertyDescriptor, object]>([
    ["is not reported if it throws when it is read", 0, { get: () => JSON.parse("{") }, {}],
    ["is reported if the claim fails", 1, { value: WARNING }, { claim: () => Promise.reject() }],
  ])("%s", async (_title, times, warning, changes) => {
    const store = Object.defineProperty(alteredStore(changes), "warning", warning);
    const { payments, events } = await merchantWithStore([created()], { store });

    await byPix(payments).catch(() => undefined);

    expect(eventsOf(events, "warning")).toHaveLength(times);
  });

  test("is printed if the client has no event listener", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const store = alteredStore({ warning: WARNING });
    const { payments } = await merchantWithStore([created()], { store, onEvent: undefined });

    await byPix(payments);
    await byPix(payments);

    expect(warn.mock.calls).toEqual([[`payments-sdk: the idempotency store ${WARNING}.`]]);
  });

  test("in memory is reported once per process, however many stores there are", async () => {
    vi.resetModules(); // a new process has not reported it
    const { PaymentsClient } = await import("payments-sdk");
    const events: PaymentsEvent[] = [];
    const { baseUrl } = await startServer(created());
    const options = { baseUrl, secretKey: "sk_1", publicKey: "pk_1", onEvent: events.push.bind(events) };

    for (const idempotency of [memoryStore(), memoryStore()]) {
      await new PaymentsClient({ ...options, idempotency }).transactions.createPix(aPix());
    }

    expect(eventsOf(events, "warning")).toMatchObject([
      { message: expect.stringContaining("memory of this process") },
    ]);
  });
});
