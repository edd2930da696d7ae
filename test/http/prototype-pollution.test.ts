import { CardTokenizer, PaymentsClient, type PaymentsEvent } from "payments-sdk";
import { memoryStore } from "payments-sdk/idempotency";
import { PostbackUrlSigner, parsePostback } from "payments-sdk/postbacks";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { json } from "../support/http-server.ts";
import {
  aCard,
  aCardPayment,
  aPix,
  failureOf,
  merchantAt,
  PUBLIC_KEY,
  SECRET_KEY,
} from "../support/merchant.ts";
import { aCardData, aPixData, created, envelope } from "../support/service-responses.ts";
import { startMerchant } from "../support/start-merchant.ts";

/** Properties that other code adds to `Object.prototype` configure nothing and approve nothing. */

const polluted: string[] = [];
function pollute(name: string, value: unknown): void {
  Object.defineProperty(Object.prototype, name, { value, configurable: true, writable: true });
  polluted.push(name);
}
afterEach(() => {
  for (const name of polluted.splice(0)) Reflect.deleteProperty(Object.prototype, name);
});

/** A fetch without a network: pollution would also affect Node's own fetch and server. */
function fakeFetch(body: unknown, status = 201) {
  const sent: object[] = [];
  const text = JSON.stringify(body);
  const fetch = async (url: string, { method, headers, body }: RequestInit) => {
    sent.push({ url, method, headers: { ...(headers as object) }, body });
    return { status, headers: new Headers(), body: null, text: async () => text } as unknown as Response;
  };
  return { sent, fetch };
}

// ky is loaded with the first read call, which a polluted prototype would break in the module loader of the tests.
beforeAll(async () => {
  await failureOf(
    merchantAt("https://pay.example", { fetch: fakeFetch({}, 404).fetch }).payments.status.retrieve(),
  );
});

const evil = "https://evil.example";

test.each<[string, unknown]>([
  ["baseUrl", evil],
  ["secretKey", "sk_evil"],
  ["publicKey", "pk_evil"],
  ["fetch", () => Promise.reject(new Error("stolen"))],
  ["postbackUrl", `${evil}/postbacks`],
  ["postbackSigner", { sign: () => `${evil}/signed` }],
  ["idempotency", { claim: () => undefined, renew: () => undefined, end: () => undefined }],
  ["timeout", 1],
  ["headers", { "x-evil": "1" }],
  ["signal", AbortSignal.abort()],
  ["extraBody", { evil: true }],
  ["wait", 5_000],
  ["path", "/evil"],
  ["query", "evil=1"],
  ["authorization", "Basic evil"],
  ["contentLength", 3],
  ["beforeSend", () => expect.unreachable()],
  ["response", { status: 201 }],
  ["data", { id: 666, status: "approved" }],
  ["externalRef", "evil"],
  ["externalId", "evil"],
])("%s changes neither the request nor the result of a create call", async (name, value) => {
  const { sent, fetch } = fakeFetch(envelope(aPixData()));
  const { postbackUrl: _, ...params } = aPix();
  const call = async () => {
    const events: PaymentsEvent[] = [];
    const onEvent = (event: PaymentsEvent) => events.push(event);
    const options = { baseUrl: "https://pay.example", secretKey: SECRET_KEY, publicKey: PUBLIC_KEY, onEvent };
    const payments = new PaymentsClient(name === "fetch" ? options : { ...options, fetch });
    if (name === "fetch") return { code: (await failureOf(payments.transactions.createPix(params))).code };
    return { data: await payments.transactions.createPix(params, {}), types: events.map(({ type }) => type) };
  };
  const clean = await call();

  pollute(name, value);
  const pollutedResult = await call();
  Reflect.deleteProperty(Object.prototype, name);

  expect(pollutedResult).toEqual(clean);
  expect(sent[1]).toEqual(sent[0]);
});

test.each<[string, unknown]>([
  ["query", "evil=1"],
  ["authorization", "Basic evil"],
  ["path", "/evil"],
  ["auth", "none"],
  ["init", { body: "evil" }],
])("%s changes neither a read nor a tokenization", async (name, value) => {
  const { sent, fetch } = fakeFetch({ id: 1 }, 200);
  const { payments } = merchantAt("https://pay.example", { fetch });
  const call = async () => {
    await payments.company.retrieve();
    await failureOf(payments.cardTokens.create(aCard()));
    return sent.splice(0);
  };
  const clean = await call();

  pollute(name, value);
  const pollutedRequests = await call();
  Reflect.deleteProperty(Object.prototype, name);

  expect(pollutedRequests).toEqual(clean);
});

test("a polluted base URL and polluted keys configure neither a client nor a tokenizer", async () => {
  pollute("baseUrl", evil);
  pollute("secretKey", "sk_evil");
  pollute("publicKey", "pk_evil");
  const payments = new PaymentsClient({});

  expect(await failureOf(payments.transactions.createPix(aPix()))).toMatchObject({ code: "configuration" });
  const tokenizer = new CardTokenizer({} as { baseUrl: string });
  expect(await failureOf(tokenizer.tokenize(aCard()))).toMatchObject({ code: "configuration" });
});

describe("a response without a field does not get it from a prototype", () => {
  test.each<[string, unknown]>([
    ["status", "approved"],
    ["refusedReason", "evil"],
    ["amount", 1],
    ["externalId", "evil"],
  ])("%s of a card payment", async (name, value) => {
    const data = aCardData();
    delete data[name];
    const { payments } = merchantAt("https://pay.example", { fetch: fakeFetch(envelope(data)).fetch });
    const clean = await payments.transactions.createCard(aCardPayment());

    pollute(name, value);
    const transaction = await payments.transactions.createCard(aCardPayment());
    Reflect.deleteProperty(Object.prototype, name);

    expect(transaction).toEqual(clean);
  });

  test.each<[string, unknown, number, object, object]>([
    ["id", 666, 201, { data: { status: "approved" } }, { code: "unexpected_response", outcome: "unknown" }],
    ["data", { id: 666 }, 400, { success: false }, { code: "validation_failed", outcome: "rejected" }],
  ])("%s of an envelope", async (name, value, status, body, expected) => {
    const { payments } = merchantAt("https://pay.example", { fetch: fakeFetch(body, status).fetch });
    pollute(name, value);

    const error = await failureOf(payments.transactions.createCard(aCardPayment()));

    expect(error).toMatchObject(expected);
  });

  test("success: false", async () => {
    const { success: _, ...rest } = envelope(aPixData());
    const { payments } = merchantAt("https://pay.example", { fetch: fakeFetch(rest).fetch });
    pollute("success", false);

    expect(await payments.transactions.createPix(aPix())).toMatchObject({ id: 4021 });
  });
});

test("a postback does not get missing fields from a prototype", () => {
  pollute("status", "approved");
  pollute("externalRef", "order-1");

  expect(parsePostback('{"id":7,"status":"pending","amount":1990}').externalRef).toBeUndefined();
  expect(() => parsePostback('{"id":7,"amount":1990}')).toThrow(/status is required/);
});

test("a postback without a reference is not verified with a polluted reference", async () => {
  const signer = new PostbackUrlSigner({ keys: [{ kid: "1", secret: "s".repeat(32) }] });
  const url = await signer.sign("https://loja.example/p", { externalRef: "order-1", amount: 1990 });
  const postback = parsePostback({ id: 7, status: "approved", amount: 1990 });
  pollute("externalRef", "order-1");

  expect(await failureOf(signer.verify(url, postback))).toMatchObject({ reason: "no_reference" });
});

test.each<[string, unknown]>([
  ["leaseMs", 60_000],
  ["transaction", { id: 666, status: "approved", amount: 1990 }],
])("%s of a stored record does not come from a prototype", async (name, value) => {
  const { payments } = await startMerchant([json(400, { success: false }), created()], {
    idempotency: memoryStore(),
  });

  pollute(name, value);
  const refused = await failureOf(payments.transactions.createPix(aPix()));
  const first = await payments.transactions.createPix(aPix());
  const again = await payments.transactions.createPix(aPix()).withResponse();

  expect(refused).toMatchObject({ outcome: "rejected" });
  expect(first.id).toBe(4021);
  expect([again.data.id, again.response.replayed]).toEqual([4021, true]);
});

describe("an id or a transaction in a prototype does not belong to a create call", () => {
  test.each<[string, unknown]>([
    ["an empty body", {}],
    ["the response to another order", envelope(aCardData({ externalId: "order-2" }))],
  ])("%s", async (_what, body) => {
    const idempotency = memoryStore();
    const { payments } = merchantAt("https://pay.example", { idempotency, fetch: fakeFetch(body).fetch });
    pollute("transactionId", 666);
    pollute("transaction", { id: 666, status: "approved", amount: 1990 });

    const error = await failureOf(payments.transactions.createCard(aCardPayment()));
    const again = await failureOf(payments.transactions.createCard(aCardPayment()));

    expect(error).toMatchObject({ code: "unexpected_response", outcome: "unknown" });
    expect(Object.hasOwn(error, "transactionId")).toBe(false);
    expect(again).toMatchObject({ code: "outcome_pending" });
  });
});
