import { memoryStore } from "payments-sdk/idempotency";
import type { Gateway, PostbackOptions } from "payments-sdk/sandbox";
import { describe, expect, test } from "vitest";
import { start } from "../../sandbox/support/running.ts";
import { aCard, aCardPayment, failureOf, merchantAt } from "../../support/merchant.ts";
import { byPix, unresolvedIn } from "./support/guarded.ts";
import { receiver, SHOP, signer } from "./support/postback-receiver.ts";

/** A merchant at the sandbox, whose postbacks are given to a handler with the same store. */
async function shop(options: { readonly timeout?: number } = {}) {
  const store = memoryStore();
  const { handler } = receiver(store);
  const postbacks: PostbackOptions = {
    fetch: (url, init) => handler.fetch(new Request(url, init)),
  };
  const { baseUrl, secretKey, publicKey, gateway } = await start({ postbacks });
  const merchant = merchantAt(baseUrl, {
    secretKey,
    publicKey,
    idempotency: store,
    postbackUrl: SHOP,
    postbackSigner: signer,
    ...options,
  });
  return { ...merchant, gateway, store };
}

function chargesOf(gateway: Gateway): number {
  return gateway.chargesFor("order-1").length;
}

describe("a create whose answer was lost", () => {
  test("is settled by the postback of its payment, and a repeat gets the transaction", async () => {
    const { payments, gateway, store } = await shop();
    gateway.faults.add({ on: "transactions.create", kind: "charged_then_reset" });
    expect(await failureOf(byPix(payments))).toMatchObject({ outcome: "unknown" });
    const [transaction] = gateway.transactions;

    gateway.pay(transaction?.id ?? 0);
    await gateway.settled();

    expect(await unresolvedIn(store)).toEqual([]);
    expect(await byPix(payments)).toMatchObject({ id: transaction?.id, status: "approved" });
    expect(chargesOf(gateway)).toBe(1);
  });

  test("is sent again, once its pix has expired", async () => {
    const { payments, gateway } = await shop();
    gateway.faults.add({ on: "transactions.create", kind: "charged_then_500" });
    await failureOf(byPix(payments));
    const id = gateway.transactions[0]?.id ?? 0;

    gateway.expire(id);
    await gateway.settled();

    const again = await byPix(payments);
    expect(again).toMatchObject({ status: "pending" });
    expect(again.id).not.toBe(id);
  });
});

describe("a payment that is known", () => {
  test("has the status that its postbacks told", async () => {
    const { payments, gateway } = await shop();
    const { id } = await byPix(payments);
    gateway.pay(id);
    await gateway.settled();

    expect(await byPix(payments)).toMatchObject({
      id,
      status: "approved",
      pix: { qrcodeText: expect.any(String) },
    });
    gateway.refund(id);
    await gateway.settled();

    expect(await byPix(payments)).toMatchObject({ id, status: "refunded" });
    expect(gateway.transactions).toHaveLength(1);
  });

  test("may be tried again once it has expired", async () => {
    const { payments, gateway } = await shop();
    const { id } = await byPix(payments);
    gateway.expire(id);
    await gateway.settled();

    const again = await byPix(payments);

    expect(again.id).not.toBe(id);
    expect(gateway.transactions.map(({ status }) => status)).toEqual(["expired", "pending"]);
  });

  test("by a card that is decided later may be tried again once it was refused", async () => {
    const { payments, gateway } = await shop();
    const pay = async (number: string) => {
      const card = { hash: await payments.cardTokens.create(aCard({ number })) };
      return payments.transactions.createCard(aCardPayment({ card, postbackUrl: undefined }));
    };
    const first = await pay("4000008400001629"); // processing, then refused
    const repeated = await pay("4111111111111111");
    gateway.clock.advance(5_000);
    await gateway.settled();

    const second = await pay("4111111111111111");

    expect([first.status, repeated.id]).toEqual(["processing", first.id]);
    expect(second).toMatchObject({ status: "approved" });
    expect(chargesOf(gateway)).toBe(1);
  });
});
