import type { PaymentsStore } from "payments-sdk/idempotency";
import { createPostbackHandler, PostbackUrlSigner } from "payments-sdk/postbacks";
import { vi } from "vitest";

const keyOf = (secret: string) => [{ kid: "k1", secret }];
export const signer = new PostbackUrlSigner({ keys: keyOf("a secret of the tests, which is long enough") });
const forger = new PostbackUrlSigner({ keys: keyOf("a secret that nobody gave to the merchant") });
export const SHOP = "https://loja.example/postbacks";

interface News {
  readonly id: number;
  readonly status: string;
  readonly externalRef?: string;
  readonly amount?: number;
}

/** A receiver of postbacks on a store, and ways to post to it. */
export function receiver(store: PaymentsStore) {
  const onPostback = vi.fn();
  const handler = createPostbackHandler({
    signer,
    allowUnsigned: true,
    store,
    onPostback,
    onEvent: () => {},
  });
  const order = { externalRef: "order-1", amount: 1990 };
  const post = async (news: News, url: string) => {
    const body = JSON.stringify({ ...order, ...news });
    return (await handler.fetch(new Request(url, { method: "POST", body }))).status;
  };
  return {
    handler,
    onPostback,
    signed: async (news: News) => post(news, await signer.sign(SHOP, order)),
    forged: async (news: News) => post(news, await forger.sign(SHOP, order)),
    ofAnotherOrder: async (news: News) =>
      post(news, await signer.sign(SHOP, { ...order, externalRef: "order-2" })),
    unsigned: (news: News) => post(news, SHOP),
  };
}
