import { PaymentsClient } from "payments-sdk";
import { createPostbackHandler, PostbackUrlSigner } from "payments-sdk/postbacks";
import { createGateway } from "payments-sdk/sandbox";
import { DocumentPostbacks } from "../../../src/idempotency/document-postbacks.ts";
import { MemoryDocuments } from "../../../src/idempotency/memory-documents.ts";
import { storeOn } from "../../../src/idempotency/store.ts";
import { aPix } from "../../support/merchant.ts";

/** Store operations of a create, its repeat, a signed postback and the same once more. */
export async function operations(): Promise<number[]> {
  let asked = 0;
  const watched = () =>
    new Proxy(new MemoryDocuments(10), {
      get(documents, name: "add" | "read" | "replace") {
        asked += 1;
        return documents[name].bind(documents);
      },
    });
  const store = storeOn({ orders: watched(), postbacks: new DocumentPostbacks(watched()) });
  const signer = new PostbackUrlSigner({ keys: [{ kid: "1", secret: "x".repeat(32) }] });
  const handler = createPostbackHandler({ signer, store, onPostback: () => undefined });
  const gateway = createGateway({
    postbacks: { fetch: (url, init) => handler.fetch(new Request(url, init)) },
  });
  const { baseUrl, secretKey, publicKey, fetch } = gateway;
  const payments = new PaymentsClient({
    ...{ baseUrl, secretKey, publicKey, fetch, idempotency: store },
    ...{ postbackUrl: "https://shop.example/postbacks", postbackSigner: signer },
  });
  const create = () => payments.transactions.createPix(aPix());
  const postback = (send: () => unknown) => async () => {
    send();
    await gateway.settled();
  };
  const theOne = () => gateway.transactions[0]?.id ?? 0;
  const steps = [
    create,
    create,
    postback(() => gateway.pay(theOne())),
    postback(() => gateway.sendPostback(theOne())),
  ];
  const counts: number[] = [];
  for (const step of steps) {
    const before = asked;
    await step();
    counts.push(asked - before);
  }
  return counts;
}
