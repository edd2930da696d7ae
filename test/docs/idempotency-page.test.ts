import { CardToken, InvalidRequestError, isPaymentsError, OutcomePendingError } from "payments-sdk";
import { describe, expect, test } from "vitest";
import { aPromise } from "../support/a-promise.ts";
import { aCard, aCardPayment, failureOf } from "../support/merchant.ts";
import { tableOf } from "./support/documented-tables.ts";
import { openShop, type Shop } from "./support/shop-with-store.ts";

/** What the page says a repeat gets, by the first cell of each row: what has to happen before. */
const BEFORE: Readonly<Record<string, (shop: Shop) => Promise<unknown>>> = {
  nothing: async () => undefined,
  "another call is sending it": async ({ gate, create, gateway }) => {
    const { promise, resolve } = aPromise();
    gate.opens = promise;
    const first = create();
    await expect.poll(() => gate.sent).toBe(1);
    gate.opens = Promise.resolve();
    return async () => {
      resolve();
      await first;
      expect(gateway.chargesFor("order-1")).toHaveLength(1);
    };
  },
  "nobody knows whether it was charged": ({ lose }) => lose("html_502"),
  "a transaction that is paid, or may be": ({ create }) => create(),
  "a pending pix whose answer was lost": async ({ lose, store, theOne }) => {
    await lose("charged_then_reset");
    await store.resolve("order-1", { transactionId: theOne(), status: "pending" });
  },
  "a transaction that is refused, expired or cancelled": async ({ create, gateway, handler, theOne }) => {
    await create();
    gateway.cancel(theOne());
    await handler.waitFor("order-1", { signal: AbortSignal.timeout(5_000) });
  },
  "an attempt that was not_sent or rejected": ({ create }) => failureOf(create({ amount: 1 })),
  "a payment of another amount, method or number of installments": ({ create }) => create({ amount: 2990 }),
  "the store cannot be reached": async ({ store }) => {
    Object.assign(store, { claim: () => Promise.reject(new Error("no connection")) });
  },
};

/** How the page would put what a create got. */
async function gotBy({ create }: Shop): Promise<string> {
  try {
    const { response } = await create();
    return response.replayed ? "that transaction, replayed: true" : "its own result";
  } catch (error) {
    if (!isPaymentsError(error)) throw error;
    if (error instanceof OutcomePendingError) return `${error.code}, state: "${error.state}"`;
    const outcome = error.outcome === "created" ? `, the outcome ${error.outcome}` : "";
    return `${error.code}${outcome}`;
  }
}

describe("what a repeat gets", () => {
  const rows = tableOf("idempotency.md", "What a repeat gets").map(
    ([before = "", sends = "", gets = ""]) => ({ before, sends, gets }),
  );

  test("is said for each of these", () => {
    expect(rows.map(({ before }) => before)).toEqual(Object.keys(BEFORE));
  });

  test.each(rows)("after $before: $sends, $gets", async ({ before, sends, gets }) => {
    const shop = openShop();
    const end = await BEFORE[before]?.(shop);
    const sentBefore = shop.gate.sent;

    const got = await gotBy(shop);

    expect(got).toBe(gets);
    expect(shop.gate.sent - sentBefore).toBe(sends === "is sent" ? 1 : 0);
    if (typeof end === "function") await end();
  });
});

describe("a replayed transaction", () => {
  test("has no customer, no metadata and no postback URL", async () => {
    const { create } = openShop();
    const params = { metadata: { cart: 7 } };
    const { data: first } = await create(params);

    const { data: again } = await create(params);

    expect(first.customer.name).toBe("Ana Exemplo");
    expect(first.postBackUrl).toContain("https://shop.example.com/postbacks");
    expect(again.customer).toEqual({ document: {} });
    expect([again.metadata, again.postBackUrl]).toEqual([undefined, undefined]);
  });

  test("is compared by its terms only", async () => {
    const { create } = openShop();
    const { data: first } = await create();

    const { data: again } = await create({ items: [], ip: "203.0.113.9" });

    expect(again.id).toBe(first.id);
  });

  test("needs no card token that is still good", async () => {
    const { payments } = openShop();
    const hash = await payments.cardTokens.create(aCard());
    const first = await payments.transactions.createCard(aCardPayment({ card: { hash } }));
    const tooOld = new CardToken("tok_1", new Date(0));

    const again = await payments.transactions.createCard(aCardPayment({ card: { hash: tooOld } }));

    expect(again.id).toBe(first.id);
  });

  test("has the status of the latest signed postback", async () => {
    const { create, gateway, handler, theOne } = openShop();
    await create();
    gateway.pay(theOne());
    await handler.waitFor("order-1", { signal: AbortSignal.timeout(5_000) });

    const { data } = await create();

    expect(data.status).toBe("approved");
  });
});

describe("an externalRef", () => {
  test.each([
    ["x".repeat(1_000), true],
    ["x".repeat(1_001), false],
    [undefined, false], // a pix needs none, but for the store
  ])("%#: %j can be kept: %s", async (externalRef, canBe) => {
    const { create } = openShop();

    const ended = await create({ externalRef }).catch((error: unknown) => error);

    expect(ended instanceof InvalidRequestError).toBe(!canBe);
  });

  test("is compared exactly", async () => {
    const { create, gateway } = openShop();

    for (const externalRef of ["order-1", "Order-1", "order-1 "]) await create({ externalRef });

    expect(gateway.transactions).toHaveLength(3);
  });
});

test("a postback of an earlier attempt settles nothing of a later one", async () => {
  const { create, gateway, handler, lose, theOne, store } = openShop();
  await create();
  const earlier = theOne();
  gateway.cancel(earlier);
  await handler.waitFor("order-1", { signal: AbortSignal.timeout(5_000) });
  await lose("html_502");

  gateway.sendPostback(earlier);
  await gateway.settled();
  const unresolved: object[] = [];
  for await (const order of store.unresolved()) unresolved.push(order);

  expect(unresolved).toMatchObject([{ externalRef: "order-1", attempt: 2, earlierIds: [earlier] }]);
});
