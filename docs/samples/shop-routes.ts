// The server of the pages in docs/vue.md (Nuxt) and docs/svelte.md (SvelteKit). It sells one T-shirt to one customer:
// a shop has an order for each visitor, in a database, and limits attempts (docs/pci.md, "Card testing").
//
// Its environment, with `npx payments sandbox`:
//   PAYMENTS_BASE_URL=http://127.0.0.1:4010
//   PAYMENTS_SECRET_KEY=sk_sandbox_secret
//   PAYMENTS_PUBLIC_KEY=pk_sandbox_public
//   PAYMENTS_POSTBACK_SECRET=   from `openssl rand -base64 32`
//   SHOP_URL=http://localhost:3000
import { isPaymentsError, PaymentsClient } from "payments-sdk";
import { sqliteStore } from "payments-sdk/idempotency";
import { createPostbackHandler, createStatusHandler, PostbackUrlSigner } from "payments-sdk/postbacks";

function openShop() {
  const { PAYMENTS_POSTBACK_SECRET: secret = "", SHOP_URL } = process.env;
  const store = sqliteStore("payments.db"); // a file outlives the process, and this module when it is reloaded
  const signer = new PostbackUrlSigner({ keys: [{ kid: "1", secret }] });
  const postbackUrl = `${SHOP_URL}/postbacks`;
  const payments = new PaymentsClient({ idempotency: store, postbackSigner: signer, postbackUrl });
  const postbacks = createPostbackHandler({
    signer,
    store,
    onPaid: ({ externalRef }) => markPaid(externalRef),
    onReview: ({ id, externalRef }, { reason }) =>
      console.error(`Check ${externalRef}, transaction ${id}: ${reason}`),
  });
  postbacks.retryFailed().catch(console.error); // what was left when the process ended
  return { store, signer, payments, postbacks, status: createStatusHandler({ signer, store }) };
}

let opened: ReturnType<typeof openShop> | undefined;

/** Opens the shop at the first request: a build loads this file, too, without secrets. */
function shop() {
  opened ??= openShop();
  return opened;
}

// Two references, so that a customer who has a pix code can still pay by card: docs/idempotency.md, "Switching".
const id = crypto.randomUUID();
const order = { card: `${id}-card`, pix: `${id}-pix` };
const details = {
  amount: 1990,
  customer: {
    name: "Maria Exemplo",
    email: "maria@example.com",
    phone: "11999998888",
    document: { type: "cpf", number: "52998224725" },
  },
  items: [{ title: "Camiseta", unitPrice: 1990, quantity: 1, tangible: true }],
  ip: "203.0.113.7",
  metadata: {},
  traceable: true,
} as const;

let paidWith: string | undefined; // in a shop, a column of the order

/** Ships the order once, for either reference. Can be called again. */
function markPaid(externalRef = "") {
  if (paidWith === undefined) console.log(`${externalRef}: paid, ship it`);
  paidWith ??= externalRef;
  if (paidWith !== externalRef) console.error(`${externalRef}: paid, too. Refund one of the payments.`);
}

/** What to show if the pix is paid, or was paid over another amount, which is for a person: see `onReview`. */
async function findPixPayment() {
  const { amount, transaction } = (await shop().store.get(order.pix)) ?? {};
  if (transaction?.status !== "approved") return undefined;
  const isExact = (transaction.paidAmount || transaction.amount) === amount;
  return { text: isExact ? "You have already paid." : "We are checking your pix. Please do not pay again." };
}

/** POST /pay with `{ token }`: returns `{ text }`, and `again` if the customer was not charged and may try again. */
export async function pay(request: Request): Promise<Response> {
  const { token } = await request.json();
  const pixPayment = await findPixPayment();
  if (pixPayment) return Response.json(pixPayment);
  try {
    const params = { ...details, externalRef: order.card, installments: 1, card: { hash: token } };
    const { status } = await shop().payments.transactions.createCard(params);
    if (status === "approved") markPaid(order.card); // there may be no postback
    if (status === "refused") return Response.json({ again: true, text: "Your card was declined." });
    return Response.json({ text: status === "approved" ? "Paid. Thank you!" : "We are checking the card." });
  } catch (error) {
    if (!isPaymentsError(error) || error.mayHaveCharged) throw error; // after a 500, the page asks not to pay again
    console.error(error); // without keys and card data
    return Response.json({ again: true, text: "You have not been charged. Please try again." });
  }
}

/** POST /pix: returns the code, and the same one or a new one if it is called again; only a text if there is none. */
export async function pix(_request: Request): Promise<Response> {
  const pixPayment = await findPixPayment();
  if (pixPayment) return Response.json(pixPayment);
  const { store, signer, payments } = shop();
  const card = await store.get(order.card);
  if (card && card.state !== "free")
    return Response.json({ text: "You have paid by card, or we are checking it. Please do not pay again." });
  const params = { ...details, externalRef: order.pix, pix: { expiresInDays: 1 } };
  const { pix: code } = await payments.transactions.createPix(params, { replaceLost: true });
  const statusUrl = await signer.statusUrl("/status", { externalRef: order.pix });
  return Response.json({ text: "", pix: { ...code, statusUrl } });
}

/** GET /status: tells the page whether the pix is paid. */
export const status = (request: Request): Promise<Response> => shop().status.fetch(request);

/** POST /postbacks, from the service. */
export const postbacks = (request: Request): Promise<Response> => shop().postbacks.fetch(request);
