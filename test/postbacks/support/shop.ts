import { memoryStore, type PaymentsStore } from "payments-sdk/idempotency";
import { createPostbackHandler, type HandlerStore, type PostbackEvent } from "payments-sdk/postbacks";
import { signer, urlOf } from "./receiver.ts";
import { ORDER, POSTBACK } from "./signing.ts";

/** A shop with the named callbacks, and transactions of one order. */

export const A = POSTBACK;
export const B = { ...POSTBACK, id: 81_002 };
export const [PAID, WRONG] = [A.amount, A.amount - 1];

export type Body = Partial<typeof POSTBACK>;

const NAMES: Readonly<Record<number, string>> = { [A.id]: "A", [B.id]: "B" };

/** A shop that writes down which callback ran, for which transaction. */
export function aShop<Store extends HandlerStore = PaymentsStore>(
  store = memoryStore() as HandlerStore as Store,
) {
  const calls: string[] = [];
  const events: PostbackEvent[] = [];
  let failing = 0;
  const note = (name: string, id: number) => {
    if (failing > 0) {
      failing -= 1;
      throw new Error("the shop's database is down");
    }
    calls.push(`${name} ${NAMES[id] ?? id}`);
  };
  const handler = createPostbackHandler({
    ...{ signer, store, allowUnsigned: true },
    onPaid: ({ id }) => note("onPaid", id),
    onNotPaid: ({ id }) => note("onNotPaid", id),
    onReturned: ({ id }) => note("onReturned", id),
    onReview: ({ id }, { reason }) => note(reason, id),
    onEvent: (event) => events.push(event),
  });
  const post = async (body: Body, url?: string) => {
    const init = { method: "POST", body: JSON.stringify({ ...POSTBACK, ...body }) };
    return (await handler.fetch(new Request(url ?? (await urlOf()), init))).status;
  };
  const failNext = () => {
    failing += 1;
  };
  return { handler, store, calls, events, post, failNext };
}

export const a = (status: string, amount = PAID) => ({ ...A, status, amount });
export const b = (status: string, amount = PAID) => ({ ...B, status, amount });

/** Records a create call of the order, with its transaction. */
export async function recordPayment(
  store: PaymentsStore,
  { id }: { readonly id: number },
  status: "pending" | "approved" | "refused" = "pending",
  paymentMethod: "pix" | "credit_card" = "pix",
): Promise<void> {
  const { externalRef, amount } = ORDER;
  const order = { externalRef, amount, paymentMethod, owner: `caller of ${id}` };
  await store.claim(order, 60_000);
  const transaction = { id, status, amount, paymentMethod };
  await store.recordOutcome(order, { outcome: "created", transactionId: id, transaction });
}
