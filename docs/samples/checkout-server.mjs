// The server for the checkout pages in docs/elements.md. It sells one T-shirt to one customer, on the sandbox:
//
//   npx payments sandbox
//   node node_modules/payments-sdk/docs/samples/checkout-server.mjs [folder of a built page]
//
// A restart forgets the order, and that it is paid: a shop has an order for each visitor, in a database.
import { randomBytes, randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { isPaymentsError, PaymentsClient } from "payments-sdk";
import { memoryStore } from "payments-sdk/idempotency";
import { createPostbackHandler, createStatusHandler, PostbackUrlSigner } from "payments-sdk/postbacks";

const { PORT = 3000, PAYMENTS_BASE_URL: baseUrl = "http://127.0.0.1:4010" } = process.env;
const store = memoryStore(); // in production: sqliteStore, redisStore or postgresStore
const signer = new PostbackUrlSigner({ keys: [{ kid: "1", secret: randomBytes(32) }] }); // in production: one fixed secret
const payments = new PaymentsClient({
  baseUrl,
  secretKey: "sk_sandbox_secret",
  publicKey: "pk_sandbox_public",
  idempotency: store, // repeated requests for an order do not charge again
  postbackSigner: signer,
  postbackUrl: `http://localhost:${PORT}/postbacks`,
});

// Two references, so that a customer who has a pix code can still pay by card: docs/idempotency.md, "Switching".
const id = randomUUID();
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
};

let paidWith; // in a shop, a column of the order

/** Ships the order once, for either reference. Can be called again: by a second click, and by a postback of the same card. */
function markPaid(externalRef) {
  if (paidWith === undefined) console.log(`${externalRef}: paid, ship it`);
  paidWith ??= externalRef;
  if (paidWith !== externalRef) console.error(`${externalRef}: paid, too. Refund one of the payments.`);
}

let cards = 0; // that were refused, or may be: a shop also counts those of an IP address (docs/pci.md, "Card testing")

const TOO_MANY_CARDS = { again: true, text: "Your cards were declined. Please pay with pix." };
const CARD_IN_USE = { text: "You have paid by card, or we are checking it. Please do not pay again." };
const ALREADY_PAID = { text: "You have already paid with pix. Thank you!" };
const PAID_OTHER_AMOUNT = {
  text: "Your pix was paid over another amount. We are checking it and will email you. Please do not pay again.",
};
const EXPIRED = {
  text: "The code has expired. If you have paid, please do not pay again. If not, try again in a few minutes.",
};

/** Another amount is for a person: see `onReview`. A response may lack `paidAmount`, or have 0 there. */
const isExact = ({ amount, paidAmount }) => (paidAmount || amount) === details.amount;

/** What to show if the pix is paid. */
async function findPixPayment() {
  const { transaction } = (await store.get(order.pix)) ?? {};
  if (transaction?.status !== "approved") return undefined;
  return isExact(transaction) ? ALREADY_PAID : PAID_OTHER_AMOUNT;
}

/** What to show if a card was charged, or may be. */
async function findCardPayment() {
  const { state = "free" } = (await store.get(order.card)) ?? {};
  return state === "free" ? undefined : CARD_IN_USE;
}

/** Whether a pix has expired. A time without a zone is UTC. */
const isExpired = ({ expirationDate = "" }) =>
  Date.parse(/T[^Z+-]+$/.test(expirationDate) ? `${expirationDate}Z` : expirationDate) <= Date.now();

/** Sends a card. `undefined`: too many cards were refused, or may be. */
async function sendCard(token) {
  if (cards >= 3) return undefined;
  cards += 1; // before it is sent, because others are sent at the same time
  let result;
  try {
    const params = { ...details, externalRef: order.card, installments: 1, card: { hash: token } };
    const card = await payments.transactions.createCard(params);
    result = card.status;
    return card;
  } catch (error) {
    result = error.code === "outcome_pending" ? "not_sent" : error.outcome; // a second click sends nothing
    throw error;
  } finally {
    if (["approved", "not_sent", "rejected"].includes(result)) cards -= 1;
  }
}

/** What the page requests, by POST. */
const routes = {
  /** Returns `{ text }` to show, and `again: true` if the customer was not charged and may try again. */
  async pay({ token }) {
    const pixPayment = await findPixPayment();
    if (pixPayment) return pixPayment;
    try {
      const card = await sendCard(token);
      if (!card) return (await findCardPayment()) ?? TOO_MANY_CARDS;
      if (card.status === "refused")
        return { again: true, text: "Your card was declined. Try another card, or pay with pix." };
      if (["refunded", "chargedback"].includes(card.status)) return { text: "We have returned your money." };
      if (card.status !== "approved" || !isExact(card))
        return { text: "We are checking your payment and will email you." };
      markPaid(order.card); // there may be no postback
      return { text: "Paid. Thank you!" };
    } catch (error) {
      if (!isPaymentsError(error) || error.mayHaveCharged) throw error; // after a 500, the page asks not to pay again
      log(error);
      return { again: true, text: "You have not been charged. Please try again." };
    }
  },
  /**
   * Returns `{ text, pix }`: the code to show, and its status URL. A second call returns the same code; after a lost response, or
   * once a postback has reported that the code expired, was refused or cancelled, a new one. Returns no `pix` before that
   * postback, nor if the order is paid, or a card payment is in progress or unknown.
   */
  async pix() {
    const payment = (await findPixPayment()) ?? (await findCardPayment());
    if (payment) return payment;
    const params = { ...details, externalRef: order.pix, pix: { expiresInDays: 1 } };
    const { pix } = await payments.transactions.createPix(params, { replaceLost: true });
    if (isExpired(pix)) return EXPIRED; // a payment of the last seconds may still be confirmed
    const statusUrl = await signer.statusUrl("/status", { externalRef: order.pix });
    return { text: "", pix: { ...pix, statusUrl } };
  },
};

/** Shows the page whether the pix is paid: the store knows it from postbacks. */
const status = createStatusHandler({ signer, store });

const postbacks = createPostbackHandler({
  signer,
  store,
  onPaid: ({ externalRef }) => markPaid(externalRef),
  onReview: ({ id, externalRef }, { reason }) =>
    console.error(`Check ${externalRef}, transaction ${id}: ${reason}`),
});

const [folder = "."] = process.argv.slice(2);
const names = folder === "." ? ["index.html"] : readdirSync(folder, { recursive: true });
const files = new Map([
  ["checkout.css", new URL("checkout.css", import.meta.url)],
  ["checkout.js", new URL("checkout.js", import.meta.url)],
  ["elements-brands.css", new URL(import.meta.resolve("payments-sdk/elements-brands.css"))],
  ["elements.css", new URL(import.meta.resolve("payments-sdk/elements.css"))],
  ["elements.global.js", new URL(import.meta.resolve("payments-sdk/elements.global.js"))],
]);
for (const name of names) files.set(name.replaceAll("\\", "/"), join(folder, name));
files.set("", files.get("index.html"));
const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" };
const policy = `default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self' ${baseUrl}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** Reads the JSON body of a request, at most 64 kB; `undefined` if it has none. */
async function readJson(request) {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) {
    text += chunk;
    if (text.length > 65_536) return undefined;
  }
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // not logged: its message quotes the body, and so the token
  }
}

/** What is logged of an error, and of its issues: no texts of the service, which can quote the customer's data. */
const LOGGED = ["code", "outcome", "status", "externalRef", "requestId", "issues", "field"];
const log = (error) => console.error(isPaymentsError(error) ? JSON.stringify(error, LOGGED) : String(error));

/** Whether a request is JSON, and not from a page of another site. Browsers send `site` and `origin`, and pages cannot change them. */
function isFromShop({ "content-type": type, "sec-fetch-site": site, origin, host }) {
  const isSameOrigin = site ? site === "same-origin" : !origin || origin.endsWith(`://${host}`);
  return isSameOrigin && type?.startsWith("application/json");
}

const server = createServer(async (request, response) => {
  const name = request.url.slice(1).split("?")[0];
  if (name === "postbacks") return postbacks.node(request, response);
  if (name === "status") return status.node(request, response);
  const isCall = request.method === "POST" && Object.hasOwn(routes, name);
  const file = files.get(name);
  if (!isCall && !file) return response.writeHead(404).end();
  if (isCall && !isFromShop(request.headers)) return response.writeHead(403).end();
  try {
    const params = isCall ? await readJson(request) : {};
    if (!params) return response.writeHead(400).end();
    const body = isCall ? JSON.stringify(await routes[name](params)) : await readFile(file);
    const type = isCall ? "application/json" : types[extname(name || "index.html")];
    if (type) response.setHeader("content-type", type);
    response.setHeader("content-security-policy", policy).end(body);
  } catch (error) {
    log(error);
    response.writeHead(500).end();
  }
});
server.on("error", ({ message }) => {
  console.error(`${message}. Set PORT to use another port.`);
  process.exitCode = 1;
});
server.listen(PORT, "127.0.0.1", () => console.log(`http://localhost:${PORT}`));
