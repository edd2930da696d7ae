import { PaymentsClient } from "payments-sdk";
import type { PaymentsStore } from "payments-sdk/idempotency";
import { createPostbackHandler, PostbackUrlSigner } from "payments-sdk/postbacks";

export interface Settings {
  baseUrl: string;
  secretKey: string;
  publicKey: string;
  postbackUrl: string;
  store: PaymentsStore;
  orders: Map<string, { amount: number; isShipped?: boolean; isReturned?: boolean }>; // a table of your database
  release: (id: string) => void; // sends the goods
}

/** What the page says to a customer who may pay again. */
const TEXTS = new Map<string | undefined, string>([
  ["refused", "Your card was declined. Use another one."],
  ["expired", "Nothing was charged. Please pay."],
  ["cancelled", "Nothing was charged. Please pay."],
]);

export function createShop({ postbackUrl, store, orders, release, ...service }: Settings) {
  const signer = new PostbackUrlSigner({ keys: [{ kid: "1", secret: "for tests only: 32 bytes or more" }] });
  const onEvent = () => undefined; // log it
  const payments = new PaymentsClient({
    ...service,
    idempotency: store,
    postbackSigner: signer,
    postbackUrl,
    onEvent,
    defaults: { metadata: {}, traceable: true, pix: { expiresInDays: 1 } },
  });

  function ship(id = "") {
    const order = orders.get(id);
    if (!order || order.isShipped) return;
    release(id);
    order.isShipped = true;
  }

  const postbacks = createPostbackHandler({
    signer,
    store,
    onEvent,
    onPaid: ({ externalRef }) => ship(externalRef),
    onReturned: ({ externalRef = "" }) =>
      void Object.assign(orders.get(externalRef) ?? {}, { isReturned: true }),
    onReview: () => undefined, // ask a person
  });

  /** The customer presses "pay": by pix, or with the token of a card. */
  async function pay(id: string, token?: string): Promise<void> {
    const amount = orders.get(id)?.amount ?? 0;
    const order = {
      externalRef: id,
      amount,
      ip: "203.0.113.7",
      customer: {
        name: "Maria Exemplo",
        email: "maria@example.com",
        phone: "11999998888",
        document: { type: "cpf", number: "529.982.247-25" },
      },
      items: [{ title: "Camiseta", unitPrice: amount, quantity: 1, tangible: true }],
    } as const;
    try {
      const paid =
        token === undefined
          ? await payments.transactions.createPix(order, { replaceLost: true })
          : await payments.transactions.createCard({ ...order, installments: 1, card: { hash: token } });
      // A card that is approved at once may have no postback. Another amount is for a person.
      if (paid.status === "approved" && (paid.paidAmount || paid.amount) === amount) ship(id);
    } catch {
      // Log it. The page shows what the store knows.
    }
  }

  /** What the page of the order shows. */
  async function show(id: string): Promise<{ text: string; code?: string }> {
    const { isReturned, isShipped } = orders.get(id) ?? {};
    if (isReturned) return { text: "We have returned your money." };
    if (isShipped) return { text: "Your order is paid." };
    const { state = "free", lastStatus, transaction } = (await store.get(id)) ?? {};
    const endedAs = lastStatus === "refused" ? "refused" : "expired";
    const status = state === "free" ? endedAs : transaction?.status;
    if (status === "pending" && transaction?.pix)
      return { text: "Pay with this code:", code: transaction.pix.qrcodeText };
    return { text: TEXTS.get(status) ?? "We are checking your payment. Do not pay again." };
  }

  return { pay, show, postbacks };
}
