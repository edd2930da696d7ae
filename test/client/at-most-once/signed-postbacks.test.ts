import { memoryStore } from "payments-sdk/idempotency";
import { createPostbackHandler } from "payments-sdk/postbacks";
import { describe, expect, test, vi } from "vitest";
import { aGate } from "../../postbacks/handler/support/receiver.ts";
import { startServer } from "../../support/http-server.ts";
import { merchantAt } from "../../support/merchant.ts";
import { created, PIX_CODE } from "../../support/service-answers.ts";
import { byPix, unresolvedIn } from "./support/guarded.ts";
import { receiver, SHOP, signer } from "./support/postback-receiver.ts";

/** A create that is on its way, or of which nobody knows what became of it. */
async function unresolvedOrder() {
  const store = memoryStore();
  const order = { externalRef: "order-1", amount: 1990, paymentMethod: "pix", owner: "a" } as const;
  await store.claim(order, 60_000);
  await store.end(order, { outcome: "unknown" });
  return { store, ...receiver(store) };
}

describe("a postback that is not proven to be the order's changes nothing:", () => {
  test.each(["approved", "pending", "expired", "refused", "canceled"])("%s", async (status) => {
    const { store, unsigned, forged, ofAnotherOrder } = await unresolvedOrder();
    const news = { id: 81, status };

    expect([await unsigned(news), await forged(news), await ofAnotherOrder(news)]).toEqual([200, 401, 401]);

    expect(await unresolvedIn(store)).toMatchObject([{ externalRef: "order-1", earlierIds: [] }]);
  });
});

describe("a signed postback", () => {
  test("settles before it is handled, so that what it starts sees it settled", async () => {
    const { store, signed, onPostback } = await unresolvedOrder();
    const seen: unknown[] = [];
    onPostback.mockImplementation(async () => void seen.push(await unresolvedIn(store)));

    await signed({ id: 81, status: "approved" });

    expect(seen).toEqual([[]]);
  });

  test("settles also where handling it fails, and again when it is sent again", async () => {
    const { store, signed, onPostback } = await unresolvedOrder();
    onPostback.mockRejectedValueOnce(new Error("the shop's database is away"));

    expect([
      await signed({ id: 81, status: "approved" }),
      await signed({ id: 81, status: "approved" }),
    ]).toEqual([500, 200]);

    expect(await unresolvedIn(store)).toEqual([]);
  });

  test("of a store that cannot settle is refused, so that it is sent again", async () => {
    const settle = vi.fn().mockRejectedValueOnce(new Error("away"));
    const { signed, onPostback } = receiver({ ...memoryStore(), settle });

    expect(await signed({ id: 81, status: "approved" })).toBe(503);
    expect(onPostback).not.toHaveBeenCalled();
    expect(await signed({ id: 81, status: "approved" })).toBe(200);
  });

  test("needs no store that keeps payments", async () => {
    const { claim: _claim, settle: _settle, ...postbacksOnly } = memoryStore();
    const handler = createPostbackHandler({ signer, store: postbacksOnly, onPostback: () => {} });
    const body = { id: 1, status: "approved", externalRef: "order-1", amount: 1990 };
    const url = await signer.sign(SHOP, body);

    const answer = await handler.fetch(new Request(url, { method: "POST", body: JSON.stringify(body) }));

    expect(answer.status).toBe(200);
  });

  test.each([
    ["approved", { id: 4021, status: "approved" }],
    ["pending", { code: "outcome_pending", state: "claimed" }], // its code is still to come
  ])("that outruns the answer is kept, and the answer completes it: %s", async (status, early) => {
    const store = memoryStore();
    const { signed } = receiver(store);
    const gate = aGate();
    const server = await startServer(async (exchange) => {
      await gate.passed;
      return created()(exchange);
    });
    const { payments } = merchantAt(server.baseUrl, { idempotency: store });
    const creating = byPix(payments);
    await expect.poll(() => server.arrivals.length).toBe(1);

    await signed({ id: 4021, status });
    const meanwhile = await byPix(payments).catch((error: unknown) => error);
    gate.open();

    expect(meanwhile).toMatchObject(early);
    expect(await creating).toMatchObject({ id: 4021, status: "pending" }); // as it was answered
    expect(await byPix(payments)).toMatchObject({ id: 4021, status, pix: { qrcodeText: PIX_CODE } });
    expect(server.arrivals).toHaveLength(1);
  });
});
