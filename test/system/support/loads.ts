// In a process of its own: which packages some calls load, and whether Node's fetch is among them.
import { registerHooks } from "node:module";
import type { CreateCardParams, FetchLike, PaymentsClient, PaymentsClientOptions } from "payments-sdk";
import { aCard, aCardPayment, aPix } from "../runtimes/smoke/orders.ts";

const packages = new Set<string>();
registerHooks({
  load: (url, context, next) => {
    const [, name] = /\/node_modules\/([^/]+)\/(?!.*\/node_modules\/)/.exec(url) ?? [];
    if (name !== undefined) packages.add(name);
    return next(url, context);
  },
});

const KEYS = { baseUrl: "https://pay.example", secretKey: "sk_test_1", publicKey: "pk_test_1" };
const CARD = aCard("4111111111111111");
const CARD_PAYMENT: CreateCardParams = aCardPayment("order-1", "tok_1");

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
  const pix = transactions.createPix(aPix("order-1"));
  const card = transactions.createCard(CARD_PAYMENT);
  const either = transactions.create({ ...aPix("order-2"), paymentMethod: "pix" });
  await Promise.allSettled([pix, card, either]);
  if (sent !== 3) throw new Error(`${sent} requests were sent for 3 calls`);
}

const CALLS: Readonly<Record<string, () => Promise<unknown>>> = {
  "a client that calls nobody": () => client({}),
  "create calls that are answered": () => creates(answered),
  "create calls that fail": () => creates(broken),
  "reads without retries": async () => {
    const { status, company } = await client({ fetch: answered, maxRetries: 0 });
    await Promise.all([status.retrieve(), company.retrieve()]);
  },
  "a tokenization without retries": async () =>
    (await client({ fetch: tokenized, maxRetries: 0 })).cardTokens.create(CARD),
  "a read": async () => (await client({ fetch: answered })).status.retrieve(),
  "a tokenization": async () => (await client({ fetch: tokenized })).cardTokens.create(CARD),
};

const [what = ""] = process.argv.slice(2);
await (CALLS[what]?.() ?? import(what));
const { moduleLoadList } = process as unknown as { moduleLoadList: readonly string[] };
const loadsFetch = moduleLoadList.some((name) => name.endsWith("internal/deps/undici/undici"));
console.log(JSON.stringify({ packages: [...packages].sort(), loadsFetch }));
