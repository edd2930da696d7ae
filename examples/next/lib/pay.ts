import { type CreatePixParams, isPaymentsError, type PaymentsError } from "payments-sdk";
import { getShop } from "./payments";
import { show } from "./view";

// The store sends only what no earlier call can have charged, so a repeat is harmless. `show` then has the result.

export async function payByPix(id: string, ip: string): Promise<void> {
  const view = await show(id, ip);
  if (!view?.canPayByPix) return;
  const { payments, orders } = getShop();
  orders.open(id);
  const terms = termsOf(`${id}-pix`, view.amount, ip);
  await logged(payments.transactions.createPix(terms, { replaceLost: true }));
}

export async function payByCard(id: string, token: string, ip: string): Promise<void> {
  const view = await show(id, ip);
  if (!view?.canPayByCard) return;
  const { payments, orders } = getShop();
  const attempt = orders.countCard(id, ip);
  if (attempt === undefined) return;
  orders.open(id);
  const terms = { ...termsOf(`${id}-card`, view.amount, ip), installments: 1, card: { hash: token } };
  const card = await logged(payments.transactions.createCard(terms));
  // What is left counts: it was refused, or may be.
  const result = "outcome" in card ? card.outcome : card.status;
  const isPending = "code" in card && card.code === "outcome_pending"; // a second click: it sent nothing
  if (isPending || ["approved", "not_sent", "rejected"].includes(result)) orders.uncountCard(attempt);
  await settle(id);
}

/**
 * Only the postback handler ships. This sends it what no postback reports, as `payments postbacks deliver` does: a card that is
 * approved at once, and what a person has recorded. Resolves with whether the order has something to wait for.
 */
async function settle(id: string): Promise<boolean> {
  const { orders, store, signer, postbacks } = getShop();
  const { PAYMENTS_POSTBACK_URL = "" } = process.env;
  let isOpen = false;
  for (const method of ["pix", "card"] as const) {
    const externalRef = `${id}-${method}`;
    const record = await store.get(externalRef);
    if (!record || record.state === "free" || orders.find(id)?.[method]) continue;
    isOpen = true;
    const { transaction, amount } = record;
    if (transaction?.status !== "approved") continue;
    const paid = transaction.paidAmount || transaction.amount;
    const body = JSON.stringify({ id: transaction.id, status: "approved", externalRef, amount: paid });
    const url = await signer.sign(PAYMENTS_POSTBACK_URL, { externalRef, amount });
    await postbacks.fetch(new Request(url, { method: "POST", body }));
  }
  return isOpen;
}

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

/** What is logged of an error, and of its issues: no texts of the service, which can quote the buyer's data. */
const LOGGED = ["code", "outcome", "status", "externalRef", "requestId", "issues", "field"];

async function logged<Result>(call: Promise<Result>): Promise<Result | PaymentsError> {
  try {
    return await call;
  } catch (error) {
    if (!isPaymentsError(error)) throw error;
    console.error(JSON.stringify(error, LOGGED));
    return error;
  }
}

let isRecovering = false;

/** Does what failed, or what an ended process left. */
export async function recover(): Promise<void> {
  if (isRecovering) return;
  isRecovering = true;
  try {
    const { orders, postbacks } = getShop();
    await postbacks.retryFailed();
    for (const { id } of orders.allOpen()) {
      const isOpen = await settle(id).catch((error) => console.error(String(error))); // a broken record must not stop the others
      if (isOpen === false) orders.close(id);
    }
  } finally {
    isRecovering = false;
  }
}

/** The buyer's IP address: the last part, which your own proxy adds. Without a proxy, anyone can set the header. */
export function addressOf(headers: Headers): string {
  const last = headers.get("x-forwarded-for")?.split(",").at(-1)?.trim() ?? "";
  const address = last.replace(/^\[(.+)\](:\d+)?$/, "$1"); // IPv6 with a port
  return address.replace(/^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)(:\d+)?$/i, "$1");
}
