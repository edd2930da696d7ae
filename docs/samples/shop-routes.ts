// The server of the pages in docs/vue.md (Nuxt) and docs/svelte.md (SvelteKit). It sells one T-shirt to one customer:
// a shop has an order for each visitor, and limits attempts (docs/pci.md, "Card testing"). For a new order, delete `SHOP_DATABASE`.
//
// Its environment, with `npx payments sandbox`:
//   PAYMENTS_BASE_URL=http://127.0.0.1:4010
//   PAYMENTS_SECRET_KEY=sk_sandbox_secret
//   PAYMENTS_PUBLIC_KEY=pk_sandbox_public
//   PAYMENTS_POSTBACK_SECRET=   from `openssl rand -base64 32`
//   SHOP_URL=http://localhost:3000
//   SHOP_DATABASE=/srv/shop/shop.db   an absolute path: another file does not know what was paid
import { DatabaseSync } from "node:sqlite";
import { isPaymentsError, PaymentsClient } from "payments-sdk";
import { sqliteStore } from "payments-sdk/idempotency";
import { createPostbackHandler, createStatusHandler, PostbackUrlSigner } from "payments-sdk/postbacks";

/** Files outlive the process, and this module when it is reloaded. */
function openOrders(file: string) {
  const database = new DatabaseSync(file);
  database.exec(`
    PRAGMA busy_timeout = 5000;
    CREATE TABLE IF NOT EXISTS orders (id TEXT PRIMARY KEY, paidWith TEXT);
    INSERT INTO orders (id) SELECT '${crypto.randomUUID()}' WHERE NOT EXISTS (SELECT * FROM orders)`);
  const id = database.prepare("SELECT id FROM orders").get()?.["id"];
  const setPaid = database.prepare("UPDATE orders SET paidWith = ? WHERE id = ? AND paidWith IS NULL");
  const select = database.prepare("SELECT paidWith FROM orders WHERE id = ?");

  return {
    // Two references, so that a customer who has a pix code can still pay by card: docs/idempotency.md, "Switching".
    order: { card: `${id}-card`, pix: `${id}-pix` },
    /** Ships the order once, for either reference. Can be called again. A warehouse ships the rows that have `paidWith`. */
    markPaid(externalRef = "") {
      const id = externalRef.replace(/-(card|pix)$/, "");
      if (setPaid.run(externalRef, id).changes === 1) return console.log(`${externalRef}: paid, ship it`);
      const row = select.get(id);
      if (!row) console.error(`${externalRef}: paid, but there is no such order. Check it.`);
      else if (row["paidWith"] !== externalRef)
        console.error(`${externalRef}: paid, too. Refund one of the payments.`);
    },
  };
}

function openShop() {
  const { PAYMENTS_POSTBACK_SECRET: secret = "", SHOP_URL, SHOP_DATABASE: file = "" } = process.env;
  const store = sqliteStore(file);
  const { order, markPaid } = openOrders(file);
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
  return {
    store,
    signer,
    payments,
    postbacks,
    status: createStatusHandler({ signer, store }),
    order,
    markPaid,
  };
}

let opened: ReturnType<typeof openShop> | undefined;

/** Opens the shop at the first request: a build loads this file, too, without secrets. */
function shop() {
  if (opened) return opened;
  opened = openShop();
  // What was left when the process ended.
  Promise.all([opened.postbacks.retryFailed(), findPayment()]).catch(console.error);
  return opened;
}

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

const CHECKING = { text: "We are checking your payment. Please do not pay again." };
const RETURNED = { text: "We have returned your money." };

/** Another amount is for a person: see `onReview`. A response may lack `paidAmount`, or have 0 there. */
const isExact = ({ amount, paidAmount }: { amount: number; paidAmount?: number }) =>
  (paidAmount || amount) === details.amount;

/** What to show if the order was paid; ships it, if the process ended before it did. */
async function findPayment() {
  const { store, order, markPaid } = shop();
  const records = await Promise.all([store.get(order.card), store.get(order.pix)]);
  for (const record of records) {
    if (record?.transaction?.status !== "approved") continue;
    if (!isExact(record.transaction)) return CHECKING;
    markPaid(record.externalRef);
    return { text: "You have already paid." };
  }
  const isReturned = (status = "") => ["refunded", "chargedback"].includes(status);
  return records.some((record) => isReturned(record?.transaction?.status)) ? RETURNED : undefined;
}

/** Pages of other sites can send forms and texts here, but no JSON. */
const isJson = ({ headers }: Request) => headers.get("content-type")?.startsWith("application/json");

/** POST /pay with `{ token }`: returns `{ text }`, and `again` if the customer was not charged and may try again. */
export async function pay(request: Request): Promise<Response> {
  if (!isJson(request)) return new Response(null, { status: 415 });
  const { token } = (await request.json().catch(() => null)) ?? {};
  const payment = await findPayment();
  if (payment) return Response.json(payment);
  const { payments, order, markPaid } = shop();
  try {
    const params = { ...details, externalRef: order.card, installments: 1, card: { hash: token } };
    const card = await payments.transactions.createCard(params);
    if (card.status === "refused") return Response.json({ again: true, text: "Your card was declined." });
    if (card.status !== "approved" || !isExact(card)) return Response.json(CHECKING);
    markPaid(order.card); // there may be no postback
    return Response.json({ text: "Paid. Thank you!" });
  } catch (error) {
    if (!isPaymentsError(error) || error.mayHaveCharged) throw error; // after a 500, the page asks not to pay again
    console.error(error); // without keys and card data
    return Response.json({ again: true, text: "You have not been charged. Please try again." });
  }
}

/** POST /pix: returns the code, and the same one or a new one if it is called again; only a text if there is none. */
export async function pix(request: Request): Promise<Response> {
  if (!isJson(request)) return new Response(null, { status: 415 });
  const payment = await findPayment();
  if (payment) return Response.json(payment);
  const { store, signer, payments, order } = shop();
  const card = await store.get(order.card);
  if (card && card.state !== "free") return Response.json(CHECKING);
  const params = { ...details, externalRef: order.pix, pix: { expiresInDays: 1 } };
  const { pix: code } = await payments.transactions.createPix(params, { replaceLost: true });
  const statusUrl = await signer.statusUrl("/status", { externalRef: order.pix });
  return Response.json({ text: "", pix: { ...code, statusUrl } });
}

/** GET /status: tells the page whether the pix is paid. */
export const status = (request: Request): Promise<Response> => shop().status.fetch(request);

/** POST /postbacks, from the service. */
export const postbacks = (request: Request): Promise<Response> => shop().postbacks.fetch(request);
