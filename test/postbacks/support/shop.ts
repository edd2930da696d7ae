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

/** The arguments of a claim of the order by a create call. */
export const callOf = (owner: string, paymentMethod: "pix" | "credit_card" = "pix") =>
  ({ externalRef: ORDER.externalRef, amount: ORDER.amount, paymentMethod, owner }) as const;

/** Records a create call of the order, with its transaction. */
export async function recordPayment(
  store: PaymentsStore,
  { id }: { readonly id: number },
  status: "pending" | "approved" | "refused" = "pending",
  paymentMethod: "pix" | "credit_card" = "pix",
): Promise<void> {
  const order = callOf(`caller of ${id}`, paymentMethod);
  await store.claim(order, 60_000);
  const transaction = { id, status, amount: order.amount, paymentMethod };
  await store.recordOutcome(order, { outcome: "created", transactionId: id, transaction });
}

/** What can happen to an order: a postback arrives, or something else. */
export type Step<Shop = ReturnType<typeof aShop<PaymentsStore>>> = Body | ((shop: Shop) => unknown);

type InStore = (shop: { readonly store: PaymentsStore }) => Promise<unknown>;

export const pix =
  ({ id }: { readonly id: number }): InStore =>
  ({ store }) =>
    recordPayment(store, { id });

export const card =
  ({ id }: { readonly id: number }, status: "approved" | "refused"): InStore =>
  ({ store }) =>
    recordPayment(store, { id }, status, "credit_card");

/** A person records what became of a transaction. */
export const resolved =
  (
    { id }: { readonly id: number },
    status: "approved" | "refunded" | "cancelled" | "refused" | "expired",
  ): InStore =>
  ({ store }) =>
    store.resolve(ORDER.externalRef, { transactionId: id, status });
