import type { CreateOptions, PaymentsClientOptions } from "payments-sdk";
import { memoryStore, type OrderRecord, type PaymentsStore } from "payments-sdk/idempotency";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type Reply, resetAfterReading, text } from "../../support/http-server.ts";
import { aCardPayment, aJwt, aPix, eventsOf, failureOf, merchantAt } from "../../support/merchant.ts";
import { aPixData, created } from "../../support/service-responses.ts";
import {
  alteredStore,
  byCard,
  byPix,
  type Create,
  merchantWithStore,
  REFUSED,
  WITHOUT_CODE,
} from "../support/merchant-with-store.ts";

const REJECTED: Reply = text(400, "no");
const invalid: Create = ({ transactions }) => transactions.createCard(aCardPayment({ amount: 19.9 }));
const replacing: Create = (payments) => byPix(payments, { replaceLost: true });
const down = () => Promise.reject(new Error("connect ECONNREFUSED"));

/** A store after this call for the order. */
const storeAfter = (create: Create, reply: Reply) => async () => {
  const { payments, store } = await merchantWithStore([reply]);
  await create(payments).catch(() => undefined);
  return store;
};

// Calls for the same order that fail, and send nothing that the service charges.
describe.each<[string, Parameters<typeof aCardPayment>[0], CreateOptions, PaymentsClientOptions]>([
  ["an invalid request", { amount: 19.9 }, {}, {}],
  ["an unknown option", {}, { retries: 1 } as never, {}],
  ["a missing key", {}, {}, { secretKey: undefined }],
  ["an abort before the claim", {}, { signal: AbortSignal.abort() }, {}],
  ["an expired token", { card: { hash: aJwt({ iat: 1, exp: 2 }) } }, {}, {}],
  ["a connection that is refused", {}, {}, {}],
])("after %s, mayHaveCharged is", (_what, params, callOptions, options) => {
  test.each<[boolean, string, () => Promise<PaymentsStore>]>([
    [true, "had no response", storeAfter(byCard, resetAfterReading)],
    [true, "was a pix that waits for its payment", storeAfter(byPix, created(aPixData()))],
    [false, "was refused", storeAfter(byCard, REFUSED)],
    [false, "was rejected", storeAfter(byCard, REJECTED)],
    [false, "does not exist", async () => memoryStore()],
    [
      true,
      "is unknown: the store is down",
      async () => alteredStore({ claim: down, recordOutcome: down, get: down }),
    ],
  ])("%s if the earlier call for the order %s", async (expected, _earlier, open) => {
    const { payments } = merchantAt("http://127.0.0.1:1", { idempotency: await open(), ...options });

    const error = await failureOf(payments.transactions.createCard(aCardPayment(params), callOptions));

    expect(error.toJSON()).toMatchObject({ mayHaveCharged: expected });
  });
});

test.each<[string, typeof Error.prepareStackTrace]>([
  ["replaces the stacks of errors", (_error, frames) => frames],
  ["cannot write the stacks of errors", () => JSON.parse("{")],
])("mayHaveCharged is true even if a tool %s", async (_what, prepare) => {
  const { payments } = await merchantWithStore([resetAfterReading]);
  await failureOf(byCard(payments));
  const { prepareStackTrace } = Error;
  onTestFinished(() => void Object.assign(Error, { prepareStackTrace }));
  Error.prepareStackTrace = prepare;

  expect((await failureOf(invalid(payments))).mayHaveCharged).toBe(true);
});

const manyValues: Create = ({ transactions }) => {
  const { externalRef, ...order } = aPix({ metadata: { log: Array(120_000).fill(0) } });
  return transactions.createPix({ ...order, externalRef });
};
const otherAmount: Create = ({ transactions }) => transactions.createCard(aCardPayment({ amount: 1991 }));
const WITHOUT_GET = { get: undefined };
const REPLACED = { ...WITHOUT_GET, recordOutcome: async () => ({ isReplaced: true }) };
const BESIDE_ANOTHER = { ...WITHOUT_GET, recordOutcome: async () => [7] };

const LOST = resetAfterReading;

test.each<[string, boolean, readonly Create[], readonly Reply[], code: string, store?: object]>([
  ["a refused request", false, [byCard], [REJECTED], "validation_failed"],
  ["a pix without a code", true, [byPix], [WITHOUT_CODE], "unexpected_response"],
  ["a conflict", true, [byCard, otherAmount], [LOST], "idempotency_conflict"],
  ["a pending outcome", true, [byCard, byCard], [LOST], "outcome_pending"],
  ["a rejected replacement", true, [byPix, replacing], [LOST, REJECTED], "validation_failed"],
  ["too many values before the reference", true, [byPix, manyValues], [LOST], "invalid_request"],
  ["an invalid request, without get()", true, [invalid], [], "invalid_request", WITHOUT_GET],
  ["a rejected call, without get()", false, [byPix], [REJECTED], "validation_failed", WITHOUT_GET],
  ["a rejected replacement, without get()", true, [replacing], [REJECTED], "validation_failed", WITHOUT_GET],
  ["a claim released beside a transaction", true, [byPix], [REJECTED], "validation_failed", BESIDE_ANOTHER],
  ["a claim that another call has by now", true, [byPix], [REJECTED], "validation_failed", REPLACED],
])(
  "the error of %s has mayHaveCharged %s",
  async (_what, mayHaveCharged, calls, replies, code, store = {}) => {
    const { payments } = await merchantWithStore(replies, { store: alteredStore(store) });
    const errors = [];

    for (const create of calls) errors.push(await failureOf(create(payments)));

    expect(errors.at(-1)).toMatchObject({ code, externalRef: "order-1", mayHaveCharged });
  },
);

test("the error and its event, its message and its stack do not deny an earlier charge", async () => {
  const seen: boolean[] = [];
  const { payments } = await merchantWithStore([resetAfterReading], {
    onEvent: (event) => event.type === "error" && seen.push(event.error.mayHaveCharged),
  });
  await failureOf(byCard(payments));

  const error = await failureOf(invalid(payments));

  expect(seen).toEqual([true, true]);
  expect(error.message).toContain("amount must be a whole number of cents");
  expect(error.message).toMatch(/An earlier call for this order may have charged the customer\.$/);
  expect(`${error.message} ${error.stack}`).not.toContain("no one was charged");
  expect(error.stack).toContain(error.message);
});

test("an error with mayHaveCharged true does not advise to pay again", async () => {
  const refused = created(aPixData({ status: "refused", pix: undefined }));
  const { payments } = await merchantWithStore([resetAfterReading, refused]);
  await failureOf(byPix(payments));

  const error = await failureOf(replacing(payments));

  expect(error).toMatchObject({ code: "pix_refused", mayHaveCharged: true });
  expect(`${error.message} ${error.stack}`).not.toMatch(/again|another way to pay/);
  expect(error.message).toMatch(/An earlier call for this order may have charged the customer\.$/);
});

test("a store that cannot record that a call was rejected makes mayHaveCharged true", async () => {
  const { payments, events } = await merchantWithStore([REJECTED], {
    store: alteredStore({ recordOutcome: down }),
  });

  const error = await failureOf(byCard(payments));

  expect(error).toMatchObject({ outcome: "rejected", mayHaveCharged: true });
  expect(eventsOf(events, "error").map((event) => event.error.toJSON())).toMatchObject([
    {
      ...{ code: "idempotency_store_failed", outcome: "rejected", mayHaveCharged: true },
      message: expect.not.stringContaining("No one was charged"),
    },
    { code: "validation_failed", mayHaveCharged: true },
  ]);
});

describe("what the store says about earlier calls", () => {
  const FREE: OrderRecord = {
    ...{ externalRef: "order-1", state: "free", amount: 1990, paymentMethod: "credit_card", attempt: 1 },
    ...{ since: "2026-11-20T12:00:00.000Z", earlierIds: [], possibleDuplicates: [] },
  };
  const WITH_DUPLICATE = { ...FREE, possibleDuplicates: [{ id: 7, status: "pending" }] };

  test.each<[string, () => unknown, boolean]>([
    ["throws", () => JSON.parse("{"), true],
    ["has no record", async () => undefined, false],
    ["has a free record", async () => FREE, false],
    ["has a claimed record", async () => ({ ...FREE, state: "claimed" }), true],
    ["has another transaction that may charge", async () => WITH_DUPLICATE, true],
    ["resolves with null", async () => null, true],
    ["resolves with an incomplete record", async () => ({ state: "free" }), true],
    ["resolves with the record of another order", async () => ({ ...FREE, externalRef: "order-2" }), true],
  ])("if get() %s, mayHaveCharged is right or true", async (_what, get, mayHaveCharged) => {
    const { payments } = await merchantWithStore([], { store: alteredStore({ get }) });

    expect(await failureOf(invalid(payments))).toMatchObject({ code: "invalid_request", mayHaveCharged });
  });

  test("is awaited for 2 seconds, also after an abort: then mayHaveCharged is true", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const get = vi.fn(() => new Promise(() => undefined));
    const { payments } = await merchantWithStore([], { store: alteredStore({ get }) });

    const call = failureOf(byCard(payments, { signal: AbortSignal.abort() }));
    await vi.waitFor(() => expect(get).toHaveBeenCalledOnce());
    await vi.advanceTimersByTimeAsync(2_000);

    expect(await call).toMatchObject({ code: "aborted", outcome: "not_sent", mayHaveCharged: true });
  });

  test.each([undefined, "a\0b", 17])(
    "is not read for %j, which cannot be a reference: mayHaveCharged is false",
    async (externalRef) => {
      const get = vi.fn();
      const { payments } = await merchantWithStore([], { store: alteredStore({ get }) });

      const params = aPix({ externalRef: externalRef as never });
      const error = await failureOf(payments.transactions.createPix(params));

      expect(error).toMatchObject({ code: "invalid_request", mayHaveCharged: false });
      expect(get).not.toHaveBeenCalled();
    },
  );
});
