// The server of the pages in docs/vue.md (Nuxt) and docs/svelte.md (SvelteKit). It sells one T-shirt to one customer:
// a shop has an order for each visitor, and also limits the cards of an IP address (docs/pci.md, "Card testing"). For a new
// order, delete the file of `SHOP_DATABASE`.
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
    CREATE TABLE IF NOT EXISTS orders (id TEXT PRIMARY KEY, paidWith TEXT, cards INTEGER NOT NULL DEFAULT 0);
    INSERT INTO orders (id) SELECT '${crypto.randomUUID()}' WHERE NOT EXISTS (SELECT * FROM orders)`);
  const id = String(database.prepare("SELECT id FROM orders").get()?.["id"]);
  const setPaid = database.prepare("UPDATE orders SET paidWith = ? WHERE id = ? AND paidWith IS NULL");
  const count = database.prepare("UPDATE orders SET cards = cards + 1 WHERE id = ? AND cards < 3");
  const uncount = database.prepare("UPDATE orders SET cards = cards - 1 WHERE id = ?");
  const select = database.prepare("SELECT paidWith FROM orders WHERE id = ?");

  return {
    // Two references, so that a customer who has a pix code can still pay by card: docs/idempotency.md, "Switching".
    order: { card: `${id}-card`, pix: `${id}-pix` },
    /** Counts a card before it is sent, because others are sent at the same time. `false`: too many were refused, or may be. */
    countCard: () => count.run(id).changes === 1,
    uncountCard() {
      try {
        uncount.run(id);
      } catch (error) {
        console.error(String(error)); // the card stays counted: its payment must not fail with it
      }
    },
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
  const orders = openOrders(file);
  const store = sqliteStore(file);
  const signer = new PostbackUrlSigner({ keys: [{ kid: "1", secret }] });
  const postbackUrl = `${SHOP_URL}/postbacks`;
  const payments = new PaymentsClient({ idempotency: store, postbackSigner: signer, postbackUrl });
  const postbacks = createPostbackHandler({
    signer,
    store,
    onPaid: ({ externalRef }) => orders.markPaid(externalRef),
    onReview: ({ id, externalRef }, { reason }) =>
      console.error(`Check ${externalRef}, transaction ${id}: ${reason}`),
  });
  return {
    store,
    signer,
    payments,
    postbacks,
    status: createStatusHandler({ signer, store }),
    ...orders,
  };
}

let opened: ReturnType<typeof openShop> | undefined;

/** Opens the shop at the first request: a build loads this file, too, without secrets. */
function shop() {
  if (opened) return opened;
  opened = openShop();
  // What was left when the process ended.
  Promise.all([opened.postbacks.retryFailed(), findPayment()]).catch(log);
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
const TOO_MANY_CARDS = { again: true, text: "Your cards were declined. Please pay with pix." };
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

/** What to show if a card was charged, or may be. */
async function findCardPayment() {
  const { state = "free" } = (await shop().store.get(shop().order.card)) ?? {};
  return state === "free" ? undefined : CHECKING;
}

/** What is logged of an error, and of its issues: no texts of the service, which can quote the customer's data. */
const LOGGED = ["code", "outcome", "status", "externalRef", "requestId", "issues", "field"];
const log = (error: unknown) =>
  console.error(isPaymentsError(error) ? JSON.stringify(error, LOGGED) : String(error));

/** Whether a request is JSON, and not from a page of another site. Browsers send `site` and `origin`, and pages cannot change them. */
function isFromShop({ headers }: Request) {
  const [site, origin] = [headers.get("sec-fetch-site"), headers.get("origin")];
  const isSameOrigin = site
    ? site === "same-origin"
    : !origin || origin.endsWith(`://${headers.get("host")}`);
  return isSameOrigin && headers.get("content-type")?.startsWith("application/json");
}

/** After a 500, the page asks not to pay again. */
async function respond(request: Request, route: (body: { token?: string }) => Promise<object>) {
  if (!isFromShop(request)) return new Response(null, { status: 403 });
  let text = "";
  for await (const chunk of request.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    if (text.length > 65_536) return new Response(null, { status: 413 });
  }
  const body = await new Response(text).json().catch(() => null); // not logged: the error quotes the text
  try {
    return Response.json(await route(body ?? {}));
  } catch (error) {
    log(error);
    return new Response(null, { status: 500 });
  }
}

/** Sends a card. `undefined`: too many cards were refused, or may be. */
async function sendCard(hash = "") {
  const { payments, order, countCard, uncountCard } = shop();
  if (!countCard()) return undefined;
  let result = "unknown";
  try {
    const params = { ...details, externalRef: order.card, installments: 1, card: { hash } };
    const card = await payments.transactions.createCard(params);
    result = card.status;
    return card;
  } catch (error) {
    // A second click sends nothing.
    if (isPaymentsError(error)) result = error.code === "outcome_pending" ? "not_sent" : error.outcome;
    throw error;
  } finally {
    if (["approved", "not_sent", "rejected"].includes(result)) uncountCard();
  }
}

async function payByCard({ token }: { token?: string }) {
  const payment = await findPayment();
  if (payment) return payment;
  const { order, markPaid } = shop();
  try {
    const card = await sendCard(token);
    if (!card) return (await findCardPayment()) ?? TOO_MANY_CARDS;
    if (card.status === "refused") return { again: true, text: "Your card was declined." };
    if (card.status !== "approved" || !isExact(card)) return CHECKING;
    markPaid(order.card); // there may be no postback
    return { text: "Paid. Thank you!" };
  } catch (error) {
    if (!isPaymentsError(error) || error.mayHaveCharged) throw error;
    log(error);
    return { again: true, text: "You have not been charged. Please try again." };
  }
}

async function payByPix() {
  const payment = (await findPayment()) ?? (await findCardPayment());
  if (payment) return payment;
  const { signer, payments, order } = shop();
  const params = { ...details, externalRef: order.pix, pix: { expiresInDays: 1 } };
  const { pix: code } = await payments.transactions.createPix(params, { replaceLost: true });
  const statusUrl = await signer.statusUrl("/status", { externalRef: order.pix });
  return { text: "", pix: { ...code, statusUrl } };
}

/** POST /pay with `{ token }`: returns `{ text }`, and `again` if the customer was not charged and may try again. */
export const pay = (request: Request): Promise<Response> => respond(request, payByCard);

/** POST /pix: returns the code, and the same one or a new one if it is called again; only a text if there is none. */
export const pix = (request: Request): Promise<Response> => respond(request, payByPix);

/** GET /status: tells the page whether the pix is paid. */
export const status = (request: Request): Promise<Response> => shop().status.fetch(request);

/** POST /postbacks, from the service. */
export const postbacks = (request: Request): Promise<Response> => shop().postbacks.fetch(request);
