import { registerHooks } from "node:module";
import type { CreateCardParams, FetchLike, PaymentsClient, PaymentsClientOptions } from "payments-sdk";

/** A process of its own: makes the calls that it is told to make, and tells what was imported until then. */
const imported = new Set<string>();
registerHooks({
  resolve: (specifier, context, next) => {
    imported.add(specifier);
    return next(specifier, context);
  },
});

const KEYS = { baseUrl: "https://pay.example", secretKey: "sk_test_1", publicKey: "pk_test_1" };
const CUSTOMER = {
  name: "Maria Exemplo",
  email: "maria@loja.example",
  phone: "11999990000",
  document: { type: "cpf", number: "52998224725" },
} as const;
const PIX = { amount: 1990, customer: CUSTOMER };
const CARD_PAYMENT: CreateCardParams = {
  amount: 1990,
  customer: CUSTOMER,
  externalRef: "order-1",
  postbackUrl: "https://loja.example/postbacks",
  traceable: true,
  items: [{ title: "Livro", unitPrice: 1990, quantity: 1, tangible: true }],
  ip: "203.0.113.7",
  metadata: {},
  installments: 1,
  card: { hash: "tok_1" },
};
const CARD = {
  number: "4111111111111111",
  holderName: "MARIA EXEMPLO",
  expirationMonth: 12,
  expirationYear: 2040,
  cvv: "123",
};

const answered = async () => Response.json({ success: true, data: { id: 4021, version: "1.4.2" } });
const broken = () => Promise.reject(new TypeError("fetch failed"));
const tokenized = async () => new Response("tok_1");

async function client(options: PaymentsClientOptions): Promise<PaymentsClient> {
  const sdk = await import("payments-sdk");
  return new sdk.PaymentsClient({ ...KEYS, ...options });
}

async function creates(fetch: FetchLike): Promise<void> {
  let sent = 0;
  const counting: FetchLike = (url, init) => {
    sent += 1;
    return fetch(url, init);
  };
  const { transactions } = await client({ fetch: counting, maxRetries: 5 });
  const pix = transactions.createPix(PIX);
  const card = transactions.createCard(CARD_PAYMENT);
  const either = transactions.create({ ...PIX, paymentMethod: "pix" });
  await Promise.allSettled([pix, card, either]);
  if (sent !== 3) throw new Error("a create was refused before it was sent");
}

const CALLS: Readonly<Record<string, () => Promise<unknown>>> = {
  "nothing but an import": () => import("payments-sdk"),
  "a client that calls nobody": () => client({}),
  "creates that are answered": () => creates(answered),
  "creates that fail": () => creates(broken),
  "reads that are not repeated": async () => {
    const { status, company } = await client({ fetch: answered, maxRetries: 0 });
    await Promise.all([status.retrieve(), company.retrieve()]);
  },
  "a tokenization that is not repeated": async () =>
    (await client({ fetch: tokenized, maxRetries: 0 })).cardTokens.create(CARD),
  "a read": async () => (await client({ fetch: answered })).status.retrieve(),
  "a tokenization": async () => (await client({ fetch: tokenized })).cardTokens.create(CARD),
  "a read over nodeTransport": async () => {
    const { nodeTransport } = await import("payments-sdk/node");
    const baseUrl = "http://127.0.0.1:1"; // where nobody listens
    const { status } = await client({ baseUrl, fetch: nodeTransport(), maxRetries: 1 });
    await status.retrieve().catch(() => undefined);
  },
};

const calls = CALLS[process.argv[2] ?? ""];
if (calls === undefined) throw new Error("no such calls");
await calls();
console.log(JSON.stringify([...imported]));
