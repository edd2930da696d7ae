import { CardTokenizer, PaymentsClient, type PaymentsClientOptions } from "payments-sdk";
import { memoryStore } from "payments-sdk/idempotency";
import {
  createPostbackHandler,
  createStatusHandler,
  PostbackUrlSigner,
  parsePostback,
} from "payments-sdk/postbacks";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { createStore } from "../../src/idempotency/create-store.ts";
import { createMemoryDocuments } from "../../src/idempotency/memory-documents.ts";
import { json } from "../support/http-server.ts";
import { aCard, aCardPayment, aPix, failureOf, merchantAt } from "../support/merchant.ts";
import { aCardData, aPixData, created, envelope } from "../support/service-responses.ts";
import { startMerchant } from "../support/start-merchant.ts";

/** Properties that other code adds to `Object.prototype` configure nothing and approve nothing. */

/** Does some work while `Object.prototype` has these properties, too. */
async function polluted<Result>(properties: object, work: () => Result): Promise<Awaited<Result>> {
  const names = Object.keys(properties);
  for (const name of names) {
    const value: unknown = Reflect.get(properties, name);
    Object.defineProperty(Object.prototype, name, { value, configurable: true, writable: true });
  }
  try {
    return await work();
  } finally {
    for (const name of names) Reflect.deleteProperty(Object.prototype, name);
  }
}

/** A merchant without a network: pollution would also affect Node's own fetch and server. */
function merchantWith(body: unknown, status = 201, options: PaymentsClientOptions = {}) {
  const sent: object[] = [];
  const text = JSON.stringify(body);
  const fetch = async (url: string, { method, headers, body }: RequestInit) => {
    sent.push({ url, method, headers: { ...(headers as object) }, body });
    return { status, headers: new Headers(), body: null, text: async () => text } as unknown as Response;
  };
  return { sent, payments: merchantAt("https://pay.example", { fetch, ...options }).payments };
}

// ky is loaded with the first read call, which a polluted prototype would break in the module loader of the tests.
beforeAll(async () => void (await failureOf(merchantWith({}, 404).payments.status.retrieve())));

const evil = "https://evil.example";

test.each<[string, unknown]>([
  ["baseUrl", evil],
  ["postbackUrl", `${evil}/postbacks`],
  ["postbackSigner", { sign: () => `${evil}/signed` }],
  ["idempotency", { claim: () => undefined, renew: () => undefined, recordOutcome: () => undefined }],
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
  ["auth", "none"],
  ["init", { body: "evil" }],
])("%s changes neither the request nor the result of a call", async (name, value) => {
  const { sent, payments } = merchantWith(envelope(aPixData()));
  const { postbackUrl: _, ...params } = aPix();
  const call = async () => [
    await payments.transactions.createPix(params, {}),
    await payments.company.retrieve(),
    (await failureOf(payments.cardTokens.create(aCard()))).message,
    sent.splice(0),
  ];

  const clean = await call();

  expect(await polluted({ [name]: value }, call)).toEqual(clean);
});

test("a polluted base URL, fetch and keys configure neither a client nor a tokenizer", async () => {
  const keys = { secretKey: "sk_evil", publicKey: "pk_evil" };
  const errors = await polluted({ baseUrl: evil, fetch: () => expect.unreachable(), ...keys }, async () => [
    await failureOf(new PaymentsClient({}).transactions.createPix(aPix())),
    await failureOf(new CardTokenizer({} as { baseUrl: string }).tokenize(aCard())),
    await failureOf(merchantAt("http://127.0.0.1:1").payments.transactions.createPix(aPix())),
  ]);

  const expected = ["configuration", "configuration", "connection_failed"];
  expect(errors.map(({ code }) => code)).toEqual(expected);
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
    const call = () => merchantWith(envelope(data)).payments.transactions.createCard(aCardPayment());
    const clean = await call();

    expect(await polluted({ [name]: value }, call)).toEqual(clean);
  });

  test.each<[string, unknown, number, object, object]>([
    ["id", 666, 201, { data: { status: "approved" } }, { code: "unexpected_response", outcome: "unknown" }],
    ["data", { id: 666 }, 400, { success: false }, { code: "validation_failed", outcome: "rejected" }],
    ["success", false, 201, { data: aCardData() }, { id: 4021 }],
  ])("%s of an envelope", async (name, value, status, body, expected) => {
    const { transactions } = merchantWith(body, status).payments;
    const call = () => transactions.createCard(aCardPayment()).catch((error: unknown) => error);

    expect(await polluted({ [name]: value }, call)).toMatchObject(expected);
  });

  test.each<[string, unknown]>([
    ["an id, an empty body", {}],
    ["a transaction, the response to another order", envelope(aCardData({ externalId: "order-2" }))],
  ])("%s", async (_what, body) => {
    const fetch = async () => new Response(JSON.stringify(body), { status: 201 });
    const { payments } = merchantAt("https://pay.example", { idempotency: memoryStore(), fetch });
    const create = () => failureOf(payments.transactions.createCard(aCardPayment()));
    const transaction = { id: 666, status: "approved", amount: 1990 };

    const [error, again] = await polluted(
      { transactionId: 666, transaction },
      async () => [await create(), await create()] as const,
    );

    expect(error).toMatchObject({ code: "unexpected_response", outcome: "unknown" });
    expect(Object.hasOwn(error, "transactionId")).toBe(false);
    expect(again).toMatchObject({ code: "outcome_pending" });
  });
});

test("a postback does not get missing fields from a prototype, and is not verified with them", async () => {
  const signer = new PostbackUrlSigner({ keys: [{ kid: "1", secret: "s".repeat(32) }] });
  const url = await signer.sign("https://loja.example/p", { externalRef: "order-1", amount: 1990 });

  await polluted({ status: "approved", externalRef: "order-1" }, async () => {
    const postback = parsePostback('{"id":7,"status":"pending","amount":1990}');
    expect(postback.externalRef).toBeUndefined();
    expect(await failureOf(signer.verify(url, postback))).toMatchObject({ reason: "no_reference" });
    expect(() => parsePostback('{"id":7,"amount":1990}')).toThrow(/status is required/);
  });
});

test.each<[string, unknown]>([
  ["leaseMs", 60_000],
  ["transaction", { id: 666, status: "approved", amount: 1990 }],
])("%s of a stored record does not come from a prototype", async (name, value) => {
  const replies = [json(400, { success: false }), created()];
  const { payments } = await startMerchant(replies, { idempotency: memoryStore() });
  const create = () => payments.transactions.createPix(aPix());

  await polluted({ [name]: value }, async () => {
    expect(await failureOf(create())).toMatchObject({ outcome: "rejected" });
    expect(await create()).toMatchObject({ id: 4021 });
    expect(await create().withResponse()).toMatchObject({ data: { id: 4021 }, response: { replayed: true } });
  });
});

test("a second write of a change does not come from a prototype", async () => {
  const documents = createMemoryDocuments(9);
  const write = vi.fn(documents.write);
  const store = createStore({ orders: { ...documents, write }, postbacks: documents, isShared: true });
  const second = {
    key: "order-2",
    expected: undefined,
    write: { text: "{}", version: "evil", isOpen: false },
  };
  const order = { externalRef: "order-1", owner: "a", amount: 1990, paymentMethod: "pix" } as const;

  await polluted({ second }, () => store.claim(order, 60_000));

  expect(write).toHaveBeenCalledOnce();
  expect(write.mock.lastCall).not.toContain(second);
});

test.each<[string, unknown]>([
  ["refused", { id: 666, status: "refused", pix: { qrcodeText: "" } }],
  ["record", { state: "free", attempt: 1, owner: "evil", others: [], writtenOff: [], replaced: [] }],
  ["write", { text: "{}", isOpen: false }],
  ["others", [{ id: 666, status: "approved", amount: 1990 }]],
  ["writtenOff", ["evil"]],
  ["attempt", 7],
  ["installments", 12],
  ["error", new Error("evil")],
  ["signal", AbortSignal.abort()],
  ["paid", { id: 666, isGivenBack: false }],
  ["contradictsRecord", true],
  ["isTooEarly", true],
  ["isOtherReturned", true],
  ["transaction", { id: 666, status: "approved", amount: 1990 }],
  ["lastStatus", "approved"],
  ["pix", { qrcodeText: "evil" }],
])("%s changes neither a charge in a store nor the callback of a postback", async (name, value) => {
  const signer = new PostbackUrlSigner({ keys: [{ kid: "1", secret: "s".repeat(32) }] });
  const url = await signer.sign("https://loja.example/p", { externalRef: "order-1", amount: 1990 });
  const scenario = async () => {
    const seen: unknown[] = [];
    const store = memoryStore();
    const options = { idempotency: store };
    const create = async (body: unknown, status: number) => {
      const { sent, payments } = merchantWith(body, status, options);
      const call = payments.transactions.createPix(aPix()).withResponse();
      const shown = await call.then(
        ({ data, response }) => [data.id, data.pix.qrcodeText, response.replayed],
        ({ code, outcome, mayHaveCharged }) => [code, outcome, mayHaveCharged],
      );
      seen.push(shown, sent.length);
    };
    const note = (callback: string) => () => void seen.push(callback);
    const [onPaid, onReview] = [note("onPaid"), note("onReview")];
    const handler = createPostbackHandler({
      signer,
      store,
      onPaid,
      onReview,
      onEvent: ({ type }) => seen.push(type),
    });
    const deliver = async (id: number, status: string) => {
      const body = JSON.stringify({ id, status, externalRef: "order-1", amount: 1990 });
      const response = await handler.fetch(new Request(url, { method: "POST", body }));
      seen.push(response.status);
    };
    const page = createStatusHandler({ signer, store });
    const look = async () => {
      const statusUrl = await signer.statusUrl("https://loja.example/status", { externalRef: "order-1" });
      seen.push(((await (await page.fetch(new Request(statusUrl))).json()) as { status: string }).status);
    };
    await create({ success: false }, 400);
    await look();
    await create(envelope(aPixData({ id: 4020 })), 201);
    await deliver(4020, "expired");
    await create({}, 201);
    await create(envelope(aPixData()), 201);
    await deliver(4021, "approved");
    await create(envelope(aPixData()), 201);
    await look();
    const { since: _, ...order } = (await store.get("order-1")) ?? {};
    return JSON.stringify([seen, order]);
  };
  const clean = await scenario();

  expect(JSON.parse(await polluted({ transactionId: 666, [name]: value }, scenario))).toEqual(
    JSON.parse(clean),
  );
});
