import { type CreatePixParams, isPaymentsError } from "payments-sdk";
import { getShop } from "./payments";
import { isPaid, show } from "./view";

// The store sends only what no earlier call can have charged, so a repeat is harmless. `show` then has the result.

export async function payByPix(id: string, ip: string): Promise<void> {
  const view = await show(id, ip);
  if (!view?.canPayByPix) return;
  const terms = termsOf(`${id}-pix`, view.amount, ip);
  await logged(getShop().payments.transactions.createPix(terms, { replaceLost: true }));
}

export async function payByCard(id: string, token: string, ip: string): Promise<void> {
  const view = await show(id, ip);
  if (!view?.canPayByCard) return;
  const { payments, orders } = getShop();
  const terms = { ...termsOf(`${id}-card`, view.amount, ip), installments: 1, card: { hash: token } };
  const card = await logged(payments.transactions.createCard(terms));
  if (card?.status === "refused") orders.countRefusal(id, ip);
  if (card && isPaid(card, view.amount)) orders.markPaid(terms.externalRef); // it may have no postback
}

/** An order has two references: a buyer who has a pix code can still pay by card. */
function termsOf(externalRef: string, amount: number, ip: string) {
  return {
    externalRef,
    amount,
    ip,
    items: [{ title: "T-shirt", unitPrice: amount, quantity: 1, tangible: true }],
    // Your buyer's data.
    customer: {
      name: "Maria Exemplo",
      email: "maria@example.com",
      phone: "11999998888",
      document: { type: "cpf", number: "529.982.247-25" },
    },
  } satisfies CreatePixParams;
}

/** Logs a failed call, without keys and card data. */
async function logged<Result>(call: Promise<Result>): Promise<Result | undefined> {
  try {
    return await call;
  } catch (error) {
    if (!isPaymentsError(error)) throw error;
    console.error(error);
    return undefined;
  }
}

/** Does what failed, or what an ended process left. */
export async function recover(): Promise<void> {
  const { orders, postbacks } = getShop();
  await postbacks.retryFailed();
  for (const id of orders.unpaid()) await show(id, "");
}

/** The buyer's IP address: the last part, which your own proxy adds. Without a proxy, anyone can set the header. */
export const addressOf = (headers: Headers) =>
  headers.get("x-forwarded-for")?.split(",").at(-1)?.trim() || "127.0.0.1";
