import { type CreatePixParams, PaymentsClient } from "payments-sdk";
import { memoryStore } from "payments-sdk/idempotency";
import { createPostbackHandler, PostbackUrlSigner } from "payments-sdk/postbacks";
import { createGateway, type FaultKind } from "payments-sdk/sandbox";
import { aPix, failureOf } from "../../support/merchant.ts";

/** A shop whose client and handler have one store, how many creates have left it, and a gate before the service. */
export function openShop() {
  const store = memoryStore();
  const signer = new PostbackUrlSigner({
    keys: [{ kid: "1", secret: "a secret of the tests, which is long enough" }],
  });
  const handler = createPostbackHandler({ signer, store, onPostback: () => undefined });
  const gateway = createGateway({
    postbacks: { fetch: async (input, init) => handler.fetch(new Request(input, init)) },
  });
  const { baseUrl, secretKey, publicKey } = gateway;
  const gate = { sent: 0, opens: Promise.resolve() };
  const payments = new PaymentsClient({
    ...{ baseUrl, secretKey, publicKey, idempotency: store },
    ...{ postbackUrl: "https://shop.example.com/postbacks", postbackSigner: signer },
    onEvent: () => undefined,
    fetch: async (url, init) => {
      gate.sent += 1;
      await gate.opens;
      return gateway.fetch(url, init);
    },
  });
  const create = (params: Partial<CreatePixParams> = {}) =>
    payments.transactions.createPix(aPix(params)).withResponse();
  const lose = async (kind: FaultKind) => {
    gateway.faults.add({ on: "transactions.create", kind });
    await failureOf(create());
  };
  const theOne = () => gateway.transactions.at(-1)?.id ?? 0;
  return { payments, gateway, store, handler, gate, create, lose, theOne };
}

export type Shop = ReturnType<typeof openShop>;
