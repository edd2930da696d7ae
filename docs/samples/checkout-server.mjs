// The server for the checkout pages in docs/elements.md. It sells one T-shirt to one customer, on the sandbox:
//
//   npx payments sandbox
//   node node_modules/payments-sdk/docs/samples/checkout-server.mjs
//
// A shop stores orders in a database, logs customers in, and limits attempts (docs/pci.md, "Card testing").
import { randomBytes, randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { isPaymentsError, PaymentsClient } from "payments-sdk";
import { memoryStore } from "payments-sdk/idempotency";
import { createPostbackHandler, PostbackUrlSigner } from "payments-sdk/postbacks";

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

const order = { id: randomUUID(), pixStatus: "pending" };
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

/** What the page requests, by POST. */
const routes = {
  /** Returns `{ text }` to show, and `again: true` if the customer was not charged and may try again. */
  async pay({ token }) {
    try {
      const params = { ...details, externalRef: `${order.id}-card`, installments: 1, card: { hash: token } };
      const { status } = await payments.transactions.createCard(params);
      if (status === "refused")
        return { again: true, text: "Your card was declined. Try another card, or pay with pix." };
      return {
        text: status === "approved" ? "Paid. Thank you!" : "We are checking your payment and will email you.",
      };
    } catch (error) {
      console.error(error); // without keys and card data
      const isUncharged = isPaymentsError(error) && ["not_sent", "rejected"].includes(error.outcome);
      if (!isUncharged) throw error; // the customer may have been charged: the page reports that after a 500
      return { again: true, text: "You have not been charged. Please try again." };
    }
  },
  /** Returns the code to show. A second call returns the same code; after a lost response it creates a new one. */
  async pix() {
    const params = { ...details, externalRef: `${order.id}-pix`, pix: { expiresInDays: 1 } };
    return (await payments.transactions.createPix(params, { replaceLost: true })).pix;
  },
  /** Returns the status of the pix. */
  status: () => ({ status: order.pixStatus }),
};

const postbacks = createPostbackHandler({
  signer,
  store,
  onPostback({ externalRef, status }, { transition }) {
    if (externalRef === `${order.id}-pix` && transition === "advance") order.pixStatus = status;
  },
});

const dist = (name) => new URL(import.meta.resolve(`payments-sdk/${name}`));
const files = new Map([
  ["", ["index.html", "text/html"]],
  ["checkout.js", ["checkout.js", "text/javascript"]],
  ["elements.global.js", [dist("elements.global.js"), "text/javascript"]],
  ["elements.css", [dist("elements.css"), "text/css"]],
]);
const policy = `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self' ${baseUrl}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

createServer(async (request, response) => {
  const name = request.url.slice(1).split("?")[0];
  if (name === "postbacks") return postbacks.node(request, response);
  const isCall = request.method === "POST" && Object.hasOwn(routes, name);
  if (!isCall && !files.has(name)) return response.writeHead(404).end();
  try {
    const [file, type] = files.get(name) ?? [];
    const body = isCall ? JSON.stringify(await routes[name](await json(request))) : await readFile(file);
    response.setHeader("content-type", type ?? "application/json");
    response.setHeader("content-security-policy", policy).end(body);
  } catch (error) {
    console.error(error);
    response.writeHead(500).end();
  }
}).listen(PORT, () => console.log(`http://localhost:${PORT}`));
