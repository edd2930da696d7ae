import { randomBytes } from "node:crypto";
import { PaymentsClient } from "payments-sdk";
import { type IdempotencyStore, memoryStore } from "payments-sdk/idempotency";
import { createPostbackHandler, type Postback, PostbackUrlSigner } from "payments-sdk/postbacks";
import { startSandbox } from "payments-sdk/sandbox/server";
import { listen } from "../support/receiver.ts";
import { customer } from "../unresolved/support/customer.ts";
import type { Order } from "./compare.ts";

/** What is compared, and who is asked for the revenue. */
export interface Evidence {
  readonly orders: readonly Order[];
  readonly postbacks: readonly Postback[];
  readonly store: IdempotencyStore | undefined;
  readonly payments: PaymentsClient | undefined;
}

/** A bad day on a sandbox of its own: an order for each thing that can be found. */
export async function makeUpABadDay(onEnd: (end: () => unknown) => void): Promise<Evidence> {
  const createdAt = "2024-01-10T12:00:00.000Z";
  const own = {
    id: "seller_1",
    name: "Loja Exemplo",
    document: "12.345.678/0001-95",
    status: "active",
    createdAt,
  } as const;
  const sandbox = await startSandbox({ sellers: [own] });
  onEnd(() => sandbox.close());
  const { baseUrl, secretKey, publicKey, gateway } = sandbox;

  const store = memoryStore();
  const signer = new PostbackUrlSigner({ keys: [{ kid: "1", secret: randomBytes(32) }] });
  const postbacks: Postback[] = [];
  const onPostback = (postback: Postback) => postbacks.push(postback);
  const handler = createPostbackHandler({ signer, store, onPostback });
  const receiver = await listen(handler.node);
  onEnd(() => receiver.close());
  const payments = new PaymentsClient({
    ...{ baseUrl, secretKey, publicKey },
    idempotency: store,
    postbackUrl: receiver.url,
    postbackSigner: signer,
    onEvent: () => undefined, // it would warn of a store that ends with its process, and this one may
  });

  const pix = (externalRef: string, amount: number, elsewhere?: { postbackUrl: string }) =>
    payments.transactions.createPix({ amount, customer, externalRef, ...elsewhere });
  const card = async (externalRef: string, amount: number, number: string) => {
    const expiry = { expirationMonth: 12, expirationYear: new Date().getFullYear() + 3 };
    const hash = await payments.cardTokens.create({
      number,
      holderName: customer.name,
      ...expiry,
      cvv: "123",
    });
    const items = [{ title: "Camiseta", unitPrice: amount, quantity: 1, tangible: true }];
    const rest = { items, installments: 1, ip: "203.0.113.7", metadata: {}, traceable: true };
    return payments.transactions.createCard({ amount, customer, externalRef, card: { hash }, ...rest });
  };

  const paid = await pix("order-1", 1990);
  gateway.pay(paid.id);
  await handler.waitFor("order-1");
  const waiting = await pix("order-2", 4990);
  const refused = await card("order-3", 2590, "4000 0000 0000 9995");
  // The card is charged, and the answer is lost.
  gateway.faults.add({ on: "transactions.create", kind: "charged_then_reset" });
  await card("order-4", 12_000, "4111 1111 1111 1111").catch(() => undefined);
  // The pix is paid, but the shop has lost its answer, and its postback went where nobody reads it.
  const forgotten = await pix("order-5", 890, { postbackUrl: `${baseUrl}/sandbox/inbox` });
  gateway.pay(forgotten.id);
  await gateway.settled();

  const orders = [
    { externalRef: "order-1", amount: 1990, status: paid.status, transactionId: paid.id },
    { externalRef: "order-2", amount: 4990, status: waiting.status, transactionId: waiting.id },
    { externalRef: "order-3", amount: 2590, status: refused.status, transactionId: refused.id },
    { externalRef: "order-4", amount: 12_000 },
    { externalRef: "order-5", amount: 890 },
  ];
  return { orders, postbacks, store, payments };
}
