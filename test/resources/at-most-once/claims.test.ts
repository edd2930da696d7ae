import { memoryStore, type PaymentsStore } from "payments-sdk/idempotency";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { aGate } from "../../support/http-server.ts";
import { aPix, eventsOf, failureOf, merchantAt } from "../../support/merchant.ts";
import { created } from "../../support/service-responses.ts";
import {
  alteredStore,
  byPix,
  type Create,
  METHODS,
  merchantWithStore,
} from "../support/merchant-with-store.ts";

/** A store that records its claims. */
function storeWithClaims() {
  const store = memoryStore();
  const claim = vi.fn(store.claim);
  return { claim, store: alteredStore({ claim }, store) };
}

describe.each(METHODS)("a create call by %s", (method, create, reply) => {
  test("opens no connection before its claim is durable", async () => {
    const gate = aGate();
    const store = memoryStore();
    const claim = vi.fn(async (...args: Parameters<PaymentsStore["claim"]>) => {
      const result = await store.claim(...args);
      await gate.passed;
      return result;
    });
    const opened = await merchantWithStore([reply], { store: alteredStore({ claim }, store) });

    const creating = create(opened.payments);
    await vi.waitFor(() => expect(claim).toHaveBeenCalled());
    const beforeClaim = [opened.connections(), eventsOf(opened.events, "request").length];
    gate.open();
    await creating;

    expect(beforeClaim).toEqual([0, 0]);
    expect(opened.arrivals).toHaveLength(1);
  });

  test("is claimed with its terms and a unique owner, and nothing else", async () => {
    const { claim, store } = storeWithClaims();
    const { payments } = await merchantWithStore([reply], { store });

    for (let nth = 0; nth < 5; nth += 1) await create(payments);

    const terms =
      method === "pix" ? { paymentMethod: "pix" } : { paymentMethod: "credit_card", installments: "1" };
    const order = { externalRef: "order-1", owner: expect.any(String), amount: 1990, ...terms };
    const claimed = claim.mock.calls.map(([terms]) => terms);
    expect(claimed).toEqual(Array(5).fill(order));
    expect(new Set(claimed.map(({ owner }) => owner)).size).toBe(5);
  });
});

test.each([
  [{ timeout: 1_500 }, undefined, 31_500],
  [{}, { timeout: 700.5 }, 30_701],
])(
  "a claim has a lease longer than the call: with client %j and call %j, %d ms",
  async (client, call, leaseMs) => {
    const { claim, store } = storeWithClaims();
    const { payments } = await merchantWithStore([created()], { store, ...client });

    await byPix(payments, call);

    expect(claim.mock.calls[0]?.[1]).toBe(leaseMs);
  },
);

const INVALID = { code: "invalid_request" };
const MISSING = {
  field: "externalRef",
  message: "is required, because the idempotency store identifies the payment by it",
};
const pixWith =
  (overrides: Parameters<typeof aPix>[0]): Create =>
  ({ transactions }) =>
    transactions.createPix(aPix(overrides));

test.each<[string, Create, object, client?: object]>([
  ["a pix without externalRef", pixWith({ externalRef: undefined }), { ...INVALID, issues: [MISSING] }],
  ["an empty externalRef", pixWith({ externalRef: "" }), INVALID],
  ["an externalRef with half of a surrogate pair", pixWith({ externalRef: "order-\ud800" }), INVALID],
  ["invalid parameters", pixWith({ amount: -1 }), INVALID],
  [
    "a replaceLost that is not a boolean",
    (payments) => byPix(payments, { replaceLost: "yes" as never }),
    { ...INVALID, issues: [{ field: "options.replaceLost", message: "must be a boolean" }] },
  ],
  ["an aborted call", (payments) => byPix(payments, { signal: AbortSignal.abort() }), { code: "aborted" }],
  ["a client without a secret key", byPix, { code: "configuration" }, { secretKey: undefined }],
])("a call that is not sent is not claimed: %s", async (_what, create, expected, client = {}) => {
  vi.stubEnv("PAYMENTS_SECRET_KEY", "");
  const { claim, store } = storeWithClaims();
  const { payments, arrivals } = await merchantWithStore([created()], { store, ...client });

  const error = await failureOf(create(payments));

  expect(error).toMatchObject({ outcome: "not_sent", ...expected });
  expect(claim).not.toHaveBeenCalled();
  expect(arrivals).toHaveLength(0);
});

test("a call whose store does not respond ends with its timeout, also by fake timers", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const idempotency = alteredStore({ claim: () => new Promise(() => undefined) });
  const { payments } = merchantAt("https://pay.example", { idempotency, timeout: 5_000 });

  const failure = failureOf(byPix(payments));
  await vi.advanceTimersByTimeAsync(5_000);

  expect(await failure).toMatchObject({ code: "idempotency_store_failed", outcome: "not_sent" });
});
