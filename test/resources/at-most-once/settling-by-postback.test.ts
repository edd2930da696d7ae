import { memoryStore, type PaymentsStore } from "payments-sdk/idempotency";
import { createPostbackHandler, PostbackUrlSigner } from "payments-sdk/postbacks";
import type { PostbackOptions } from "payments-sdk/sandbox";
import { describe, expect, test, vi } from "vitest";
import { start } from "../../sandbox/support/running.ts";
import { type Reply, resetAfterReading } from "../../support/http-server.ts";
import { eventsOf, failureOf, merchantAt } from "../../support/merchant.ts";
import { created, PIX_CODE } from "../../support/service-responses.ts";
import {
  byCard,
  byPix,
  heldReply,
  merchantWithStore,
  REFUSED,
  unresolvedIn,
} from "../support/merchant-with-store.ts";

const signerWith = (secret: string) => new PostbackUrlSigner({ keys: [{ kid: "k1", secret }] });
const signer = signerWith("a secret of the tests, which is long enough");
const forger = signerWith("a secret that the merchant does not have");

const SHOP = "https://loja.example/postbacks";
const ORDER = { externalRef: "order-1", amount: 1990 };

/** A postback handler with a store, and functions that post to it. */
function receiver(store: PaymentsStore) {
  const onPostback = vi.fn();
  const handler = createPostbackHandler({
    signer,
    allowUnsigned: true,
    store,
    onPostback,
    onEvent: () => {},
  });
  const post = async (url: string, postback: object) => {
    const body = JSON.stringify({ ...ORDER, ...postback });
    return handler.fetch(new Request(url, { method: "POST", body }));
  };
  const signed = async (postback: object) => post(await signer.sign(SHOP, ORDER), postback);
  return { handler, onPostback, post, signed };
}

/** An order with an unresolved outcome. */
async function unresolvedOrder() {
  const store = memoryStore();
  const order = { ...ORDER, paymentMethod: "pix", owner: "a" } as const;
  await store.claim(order, 60_000);
  await store.end(order, { outcome: "unknown" });
  return { store, ...receiver(store) };
}

/** A merchant at the sandbox, which posts to a handler with the same store. */
async function shop() {
  const store = memoryStore();
  const { handler } = receiver(store);
  const postbacks: PostbackOptions = { fetch: (url, init) => handler.fetch(new Request(url, init)) };
  const { baseUrl, secretKey, publicKey, gateway } = await start({ postbacks });
  const { payments } = merchantAt(baseUrl, {
    secretKey,
    publicKey,
    idempotency: store,
    postbackUrl: SHOP,
    postbackSigner: signer,
  });
  return { payments, gateway, store };
}

test("a postback settles a create call whose response was lost, and a second call gets the transaction", async () => {
  const { payments, gateway, store } = await shop();
  gateway.faults.add({ on: "transactions.create", kind: "charged_then_reset" });
  expect(await failureOf(byPix(payments))).toMatchObject({ outcome: "unknown" });
  const id = gateway.transactions[0]?.id ?? 0;

  gateway.pay(id);
  await gateway.settled();

  expect(await unresolvedIn(store)).toEqual([]);
  expect(await byPix(payments)).toMatchObject({ id, status: "approved" });
  expect(gateway.chargesFor("order-1")).toHaveLength(1);
});

test.each(["approved", "expired"])(
  "a postback without a valid signature for the order settles nothing: %s",
  async (status) => {
    const { store, post } = await unresolvedOrder();
    const postback = { id: 81, status };
    const otherUrl = await signer.sign(SHOP, { ...ORDER, externalRef: "order-2" });

    const responses = [
      await post(SHOP, postback),
      await post(await forger.sign(SHOP, ORDER), postback),
      await post(otherUrl, postback),
    ];

    expect(responses.map((response) => response.status)).toEqual([200, 401, 401]);
    expect(await unresolvedIn(store)).toMatchObject([{ externalRef: "order-1", earlierIds: [] }]);
  },
);

describe("a signed postback", () => {
  test("settles the order before it is handled, even if handling it fails", async () => {
    const { store, signed, onPostback } = await unresolvedOrder();
    const seen: unknown[] = [];
    onPostback.mockImplementation(async () => {
      seen.push(await unresolvedIn(store));
      throw new Error("the shop's database is away");
    });

    expect((await signed({ id: 81, status: "approved" })).status).toBe(500);

    expect(seen).toEqual([[]]);
    expect(await unresolvedIn(store)).toEqual([]);
  });

  test("gets a 503 without the store's error if the store cannot settle, and may be sent again", async () => {
    const settle = vi.fn().mockRejectedValueOnce(new Error("p4ssw0rd in the connection string"));
    const { signed, onPostback } = receiver({ ...memoryStore(), settle });

    const response = await signed({ id: 81, status: "approved" });

    expect(response.status).toBe(503);
    expect(await response.text()).not.toContain("p4ssw0rd");
    expect(onPostback).not.toHaveBeenCalled();
    expect((await signed({ id: 81, status: "approved" })).status).toBe(200);
  });

  test("needs only the postback functions of a store", async () => {
    const { claim: _claim, settle: _settle, ...postbacksOnly } = memoryStore();

    expect(
      (await receiver(postbacksOnly as PaymentsStore).signed({ id: 81, status: "approved" })).status,
    ).toBe(200);
  });

  test.each([
    ["approved", { id: 4021, status: "approved" }],
    ["pending", { code: "outcome_pending", state: "claimed" }], // its code is in the response
  ])(
    "that arrives before the response is stored, and the response completes it: %s",
    async (status, expected) => {
      const store = memoryStore();
      const { gate, held } = heldReply(created());
      const { payments, arrivals } = await merchantWithStore([held], { store });
      const creating = byPix(payments);
      await expect.poll(() => arrivals.length).toBe(1);

      await receiver(store).signed({ id: 4021, status });
      const meanwhile = await byPix(payments).catch((error: unknown) => error);
      gate.open();

      expect(meanwhile).toMatchObject(expected);
      expect(await creating).toMatchObject({ id: 4021, status: "pending" }); // the status in the response
      expect(await byPix(payments)).toMatchObject({ id: 4021, status, pix: { qrcodeText: PIX_CODE } });
      expect(arrivals).toHaveLength(1);
    },
  );
});

test("a declined card emits a warning if a postback reported that another transaction of the order is paid", async () => {
  const paid = { id: 81, status: "approved", rawStatus: "approved", amount: 1990 } as const;
  const store = memoryStore();
  const declined: Reply = async (exchange) => {
    await store.settle("order-1", paid);
    return REFUSED(exchange);
  };
  const { payments, events } = await merchantWithStore([resetAfterReading, declined], { store });
  await failureOf(byCard(payments));
  await store.resolve("order-1", { charged: false }); // by mistake

  expect(await byCard(payments)).toMatchObject({ status: "refused" });

  expect(await store.get("order-1")).toMatchObject({ state: "created", transactionId: 81 });
  expect(eventsOf(events, "warning")).toMatchObject([{ field: "externalRef" }]);
});
