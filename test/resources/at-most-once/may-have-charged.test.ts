import { memoryStore, type OrderRecord, type PaymentsStore } from "payments-sdk/idempotency";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type Reply, resetAfterReading, text } from "../../support/http-server.ts";
import {
  aCardPayment,
  aJwt,
  aPix,
  eventsOf,
  failureOf,
  inSeconds,
  merchantAt,
} from "../../support/merchant.ts";
import { aCardData, aPixData, created } from "../../support/service-responses.ts";
import {
  alteredStore,
  byCard,
  byPix,
  type Create,
  merchantWithStore,
  REFUSED,
} from "../support/merchant-with-store.ts";

const REJECTED: Reply = text(400, "no");
/** Only the id could be read: no one has seen the code. */
const WITHOUT_CODE: Reply = created({ id: 4021, amount: 1990, status: "pending", paymentMethod: "pix" });
const EXPIRED_TOKEN = aJwt({ iat: inSeconds(new Date()) - 900, exp: inSeconds(new Date()) - 600 });

/** Calls for the same order that fail, and send nothing that the service charges. */
const FAILING: Readonly<Record<string, (store: PaymentsStore, baseUrl: string) => Promise<unknown>>> = {
  "an invalid request": (idempotency, baseUrl) =>
    merchantAt(baseUrl, { idempotency }).payments.transactions.createCard(aCardPayment({ amount: 19.9 })),
  "an unknown option": (idempotency, baseUrl) =>
    byCard(merchantAt(baseUrl, { idempotency }).payments, { retries: 1 } as never),
  "a missing key": (idempotency, baseUrl) =>
    byCard(merchantAt(baseUrl, { idempotency, secretKey: undefined }).payments),
  "an abort before the claim": (idempotency, baseUrl) =>
    byCard(merchantAt(baseUrl, { idempotency }).payments, { signal: AbortSignal.abort() }),
  "an expired token": (idempotency, baseUrl) =>
    merchantAt(baseUrl, { idempotency }).payments.transactions.createCard(
      aCardPayment({ card: { hash: EXPIRED_TOKEN } }),
    ),
  "a connection that fetch refuses": (idempotency) =>
    byCard(merchantAt("http://127.0.0.1:1", { idempotency }).payments),
};

describe.each(Object.entries(FAILING))("after %s, mayHaveCharged is", (_what, fail) => {
  test.each<[boolean, string, readonly Reply[], Create]>([
    [true, "had no response", [resetAfterReading], byCard],
    [true, "was a pix that waits for its payment", [created(aPixData())], byPix],
    [false, "was refused", [REFUSED], byCard],
    [false, "was rejected", [REJECTED], byCard],
  ])("%s if the earlier call for the order %s", async (expected, _earlier, replies, create) => {
    const { payments, baseUrl, store } = await merchantWithStore(replies);
    await create(payments).catch(() => undefined);

    const error = await failureOf(fail(store, baseUrl));

    expect(error.toJSON()).toMatchObject({ mayHaveCharged: expected });
  });

  test.each<[string, typeof Error.prepareStackTrace]>([
    ["replaces the stacks of errors", (_error, frames) => frames],
    ["cannot write the stacks of errors", () => JSON.parse("{")],
  ])("true even if a tool %s", async (_what, prepare) => {
    const { payments, baseUrl, store } = await merchantWithStore([resetAfterReading]);
    await byCard(payments).catch(() => undefined);
    const { prepareStackTrace } = Error;
    onTestFinished(() => void Object.assign(Error, { prepareStackTrace }));
    Error.prepareStackTrace = prepare;

    const { mayHaveCharged } = await failureOf(fail(store, baseUrl));

    expect(mayHaveCharged).toBe(true);
  });

  test("false if there was no earlier call", async () => {
    const error = await failureOf(fail(memoryStore(), "https://pay.example"));

    expect(error).toMatchObject({ outcome: "not_sent", mayHaveCharged: false });
  });
});

test("the error and its event, its message and its stack do not deny an earlier charge", async () => {
  const seen: boolean[] = [];
  const { payments } = await merchantWithStore([resetAfterReading], {
    onEvent: (event) => event.type === "error" && seen.push(event.error.mayHaveCharged),
  });
  await failureOf(byCard(payments));

  const error = await failureOf(payments.transactions.createCard(aCardPayment({ amount: 19.9 })));

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

  const error = await failureOf(byPix(payments, { replaceLost: true }));

  expect(error).toMatchObject({ code: "pix_refused", mayHaveCharged: true });
  expect(`${error.message} ${error.stack}`).not.toMatch(/again|another way to pay/);
  expect(error.message).toMatch(/An earlier call for this order may have charged the customer\.$/);
});

test("the reference of an order is read even if another field has too many values", async () => {
  const { payments } = await merchantWithStore([resetAfterReading]);
  await failureOf(byPix(payments));
  const { externalRef, ...order } = aPix({ metadata: { log: Array(120_000).fill(0) } });

  const error = await failureOf(payments.transactions.createPix({ ...order, externalRef }));

  const issues = [{ field: "metadata.log", message: "contains too many values" }];
  expect(error).toMatchObject({ externalRef: "order-1", mayHaveCharged: true, issues });
});

test.each<[string, boolean, readonly Reply[], Create]>([
  ["a refused request", false, [REJECTED], byCard],
  ["a lost response", true, [resetAfterReading], byCard],
  ["a pix without a code", true, [WITHOUT_CODE], byPix],
])(
  "without an earlier call, mayHaveCharged describes this call: %s: %s",
  async (_what, expected, replies, create) => {
    const { payments } = await merchantWithStore(replies);

    expect(await failureOf(create(payments))).toMatchObject({ mayHaveCharged: expected });
  },
);

test.each([
  ["idempotency_conflict", 1991],
  ["outcome_pending", 1990],
])("mayHaveCharged is true for %s", async (code, amount) => {
  const { payments } = await merchantWithStore([resetAfterReading]);
  await failureOf(byCard(payments));

  const error = await failureOf(payments.transactions.createCard(aCardPayment({ amount })));

  expect(error).toMatchObject({ code, mayHaveCharged: true });
});

test.each<[string, readonly Reply[]]>([
  ["had no response", [resetAfterReading, REJECTED]],
  ["was created without its code", [WITHOUT_CODE, REJECTED]],
])(
  "a rejected call that should replace a pix that %s may have been charged before",
  async (_what, replies) => {
    const { payments } = await merchantWithStore(replies);
    await failureOf(byPix(payments));

    const error = await failureOf(byPix(payments, { replaceLost: true }));

    expect(error).toMatchObject({ outcome: "rejected", mayHaveCharged: true });
  },
);

describe("what the store says about earlier calls", () => {
  const invalid: Create = (payments) => payments.transactions.createCard(aCardPayment({ amount: 19.9 }));
  const FREE: OrderRecord = {
    ...{ externalRef: "order-1", state: "free", amount: 1990, paymentMethod: "credit_card", attempt: 1 },
    ...{ since: "2026-11-20T12:00:00.000Z", earlierIds: [], possibleDuplicates: [] },
  };

  test.each<[string, () => unknown, boolean]>([
    ["rejects", () => Promise.reject(new Error("connect ECONNREFUSED")), true],
    ["throws", () => JSON.parse("{"), true],
    ["has no record", async () => undefined, false],
    ["has a free record", async () => FREE, false],
    ["has a claimed record", async () => ({ ...FREE, state: "claimed" }), true],
    [
      "has another transaction that may charge",
      async () => ({ ...FREE, possibleDuplicates: [{ id: 7, status: "pending" }] }),
      true,
    ],
    ["resolves with null", async () => null, true],
    ["resolves with a text", async () => "free", true],
    ["resolves with an incomplete record", async () => ({ state: "free" }), true],
    ["resolves with the record of another order", async () => ({ ...FREE, externalRef: "order-2" }), true],
  ])("if get() %s, mayHaveCharged is right or true", async (_what, get, expected) => {
    const { payments } = await merchantWithStore([], { store: alteredStore({ get }) });

    expect(await failureOf(invalid(payments))).toMatchObject({
      code: "invalid_request",
      mayHaveCharged: expected,
    });
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

  test("is not read if the call returns, or may have charged itself", async () => {
    const store = memoryStore();
    const get = vi.fn(store.get);
    const replies = [created(aCardData()), resetAfterReading, WITHOUT_CODE];
    const { payments } = await merchantWithStore(replies, { store: alteredStore({ get }, store) });

    await byCard(payments);
    for (const externalRef of ["order-2", "order-3"]) {
      await failureOf(payments.transactions.createPix(aPix({ externalRef })));
    }
    await failureOf(payments.transactions.createPix(aPix({ externalRef: "order-2" }))); // pending

    expect(get).not.toHaveBeenCalled();
  });

  test.each([undefined, " ", "a\0b", 17, "x".repeat(1_001)])(
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

describe("a store that is down", () => {
  const down = () => Promise.reject(new Error("connect ECONNREFUSED"));

  test.each(Object.entries(FAILING))("makes mayHaveCharged true for %s", async (_what, fail) => {
    const store = alteredStore({ claim: down, end: down, get: down });

    expect(await failureOf(fail(store, "https://pay.example"))).toMatchObject({ mayHaveCharged: true });
  });

  test("when the outcome is recorded makes mayHaveCharged true for a rejected call, too", async () => {
    const { payments, events } = await merchantWithStore([REJECTED], { store: alteredStore({ end: down }) });

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
});

describe("a custom store without get()", () => {
  const withoutGet = (changes: object = {}) => alteredStore({ get: undefined, ...changes });

  test("makes mayHaveCharged true if the call fails before its claim", async () => {
    const { payments } = await merchantWithStore([], { store: withoutGet() });

    const error = await failureOf(payments.transactions.createCard(aCardPayment({ amount: 19.9 })));

    expect(error).toMatchObject({ outcome: "not_sent", mayHaveCharged: true });
  });

  test.each<[string, boolean, object, object]>([
    ["was released", false, {}, {}],
    ["was to replace a lost pix", true, {}, { replaceLost: true }],
    ["was released beside another transaction", true, { end: async () => [7] }, {}],
    ["belongs to another call by now", true, { end: async () => ({ isReplaced: true }) }, {}],
  ])(
    "the claim of a rejected call shows whether it may have charged: one that %s: %s",
    async (_what, expected, changes, options) => {
      const { payments } = await merchantWithStore([REJECTED], { store: withoutGet(changes) });

      expect(await failureOf(byPix(payments, options))).toMatchObject({ mayHaveCharged: expected });
    },
  );
});
