import { memoryStore, type PaymentsStore } from "payments-sdk/idempotency";
import { createPostbackHandler, PostbackUrlSigner } from "payments-sdk/postbacks";
import { describe, expect, test, vi } from "vitest";
import { type Reply, resetAfterReading } from "../../support/http-server.ts";
import { eventsOf, failureOf } from "../../support/merchant.ts";
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
function receiver(store: PaymentsStore, onPostback: () => unknown = () => undefined) {
  const handler = createPostbackHandler({
    signer,
    allowUnsigned: true,
    store,
    onPostback,
    onEvent: () => {},
  });
  const post = (url: string, postback: object) =>
    handler.fetch(new Request(url, { method: "POST", body: JSON.stringify({ ...ORDER, ...postback }) }));
  const signed = async (postback: object) => post(await signer.sign(SHOP, ORDER), postback);
  return { post, signed };
}

/** A merchant whose only call had no response. */
async function unresolvedOrder() {
  const merchant = await merchantWithStore([resetAfterReading]);
  expect(await failureOf(byPix(merchant.payments))).toMatchObject({ outcome: "unknown" });
  return merchant;
}

const APPROVED = { id: 81, status: "approved" };

test("a signed postback settles a lost call, before and even if its handling fails; a repeat gets the transaction", async () => {
  const { payments, store, arrivals } = await unresolvedOrder();
  const seen: unknown[] = [];
  const { signed } = receiver(store, async () => {
    seen.push(await unresolvedIn(store));
    throw new Error("the shop's database is away");
  });

  expect((await signed(APPROVED)).status).toBe(500);

  expect(seen).toEqual([[]]);
  expect(await byPix(payments)).toMatchObject({ id: 81, status: "approved" });
  expect(arrivals).toHaveLength(1);
});

test("a postback without a valid signature for the order settles nothing", async () => {
  const { store } = await unresolvedOrder();
  const { post } = receiver(store);
  const otherUrl = await signer.sign(SHOP, { ...ORDER, externalRef: "order-2" });
  const statuses = [];

  for (const url of [SHOP, await forger.sign(SHOP, ORDER), otherUrl]) {
    statuses.push(
      (await post(url, APPROVED)).status,
      (await post(url, { ...APPROVED, status: "expired" })).status,
    );
  }

  expect(statuses).toEqual([200, 200, 401, 401, 401, 401]);
  expect(await unresolvedIn(store)).toMatchObject([{ externalRef: "order-1", earlierIds: [] }]);
});

test("a postback that the store cannot settle gets a 503 without the store's error, and may be sent again", async () => {
  const settle = vi.fn().mockRejectedValueOnce(new Error("p4ssw0rd in the connection string"));
  const onPostback = vi.fn();
  const { signed } = receiver({ ...memoryStore(), recordPostback: settle }, onPostback);

  const response = await signed(APPROVED);

  expect(response.status).toBe(503);
  expect(await response.text()).not.toContain("p4ssw0rd");
  expect(onPostback).not.toHaveBeenCalled();
  expect((await signed(APPROVED)).status).toBe(200);
});

test("a postback needs only the postback functions of a store", async () => {
  const { claim: _claim, recordPostback: _settle, ...postbacksOnly } = memoryStore();

  expect((await receiver(postbacksOnly as PaymentsStore).signed(APPROVED)).status).toBe(200);
});

describe("a signed postback that arrives before the response is stored, and the response completes it", () => {
  test.each([
    ["approved", { id: 4021, status: "approved" }],
    ["pending", { code: "outcome_pending", state: "claimed" }], // its code is in the response
  ])("%s", async (status, expected) => {
    const { gate, held } = heldReply(created());
    const { payments, arrivals, store } = await merchantWithStore([held]);
    const creating = byPix(payments);
    await expect.poll(() => arrivals.length).toBe(1);

    await receiver(store).signed({ id: 4021, status });
    const meanwhile = await byPix(payments).catch((error: unknown) => error);
    gate.open();

    expect(meanwhile).toMatchObject(expected);
    expect(await creating).toMatchObject({ id: 4021, status: "pending" }); // the status in the response
    expect(await byPix(payments)).toMatchObject({ id: 4021, status, pix: { qrcodeText: PIX_CODE } });
    expect(arrivals).toHaveLength(1);
  });
});

test("a declined card emits a warning if a postback reported that another transaction of the order is paid", async () => {
  const paid = { id: 81, status: "approved", rawStatus: "approved", amount: 1990 } as const;
  const store = memoryStore();
  const declined: Reply = async (exchange) => {
    await store.recordPostback("order-1", paid);
    return REFUSED(exchange);
  };
  const { payments, events } = await merchantWithStore([resetAfterReading, declined], { store });
  await failureOf(byCard(payments));
  await store.resolve("order-1", { charged: false }); // by mistake

  expect(await byCard(payments)).toMatchObject({ status: "refused" });

  expect(await store.get("order-1")).toMatchObject({ state: "created", transactionId: 81 });
  expect(eventsOf(events, "warning")).toMatchObject([{ field: "externalRef" }]);
});
