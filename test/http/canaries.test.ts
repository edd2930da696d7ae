import {
  assertNotRefused,
  type CardParams,
  type CreateCardParams,
  logEvents,
  PaymentsClient,
  type PaymentsClientOptions,
  type PaymentsError,
  type PaymentsEvent,
  type RequestParams,
} from "payments-sdk";
import { describe, expect, test } from "vitest";
import { respondWith as saying, startRaw } from "../node/support/raw-server.ts";
import {
  ALL,
  CVV,
  echoOf,
  everythingOf,
  HOLDER,
  JWT,
  leaksIn,
  NUMBER,
  OPAQUE_TOKEN,
  POSTBACK,
  PUBLIC,
  SECRET,
} from "../support/canaries.ts";
import { json, type Reply, resetAfterReading, stall, startServer } from "../support/http-server.ts";
import {
  aCard,
  aCardPayment,
  aPix,
  failureOf,
  type Merchant,
  merchantAt,
  tokenizerAt,
} from "../support/merchant.ts";
import { aPixData, aRefusedData, envelope } from "../support/service-responses.ts";
import { NODE_TRANSPORT, TRANSPORTS } from "../support/transports.ts";

/** The SDK exposes no key, card data, card token or postback URL: not in an error, an event, a log or an object. */

const KEYS = { secretKey: SECRET, publicKey: PUBLIC, maxRetries: 0 };
const CARD = aCard({ number: NUMBER, cvv: CVV, holderName: HOLDER });
const TOKEN = { value: OPAQUE_TOKEN, expiresAt: new Date(Date.now() + 300_000) };
const PAYMENT = aCardPayment({ card: { hash: OPAQUE_TOKEN }, postbackUrl: POSTBACK });

const ANOTHER_REQUEST: RequestParams = {
  ...{ method: "POST", path: `/api/v1/${SECRET}/card`, query: { token: OPAQUE_TOKEN } },
  body: { cards: [{ data: CARD, cardNumber: Number(NUMBER) }], payment: { webhookUrl: POSTBACK } },
};

interface Row {
  /** The canaries that the call sends, and that a response or a failure may therefore repeat. */
  readonly secrets: readonly string[];
  readonly call: (merchant: Merchant) => Promise<unknown>;
}

const CALLS = {
  card: {
    secrets: [SECRET, PUBLIC, OPAQUE_TOKEN, POSTBACK],
    call: ({ payments }) => payments.transactions.createCard(PAYMENT),
  },
  "card with a JWT": {
    secrets: [SECRET, PUBLIC, JWT, POSTBACK],
    call: ({ payments }) => payments.transactions.createCard({ ...PAYMENT, card: { hash: JWT } }),
  },
  "card with a CardToken": {
    secrets: [SECRET, PUBLIC, OPAQUE_TOKEN, POSTBACK],
    call: ({ payments }) => payments.transactions.createCard({ ...PAYMENT, card: { hash: TOKEN } }),
  },
  pix: {
    secrets: [SECRET, PUBLIC, POSTBACK],
    call: ({ payments }) => payments.transactions.createPix(aPix({ postbackUrl: POSTBACK })),
  },
  token: { secrets: [PUBLIC, NUMBER, CVV, HOLDER], call: ({ payments }) => payments.cardTokens.create(CARD) },
  "another endpoint": {
    secrets: [SECRET, PUBLIC, NUMBER, CVV, HOLDER, OPAQUE_TOKEN, POSTBACK],
    call: ({ payments }) => payments.request(ANOTHER_REQUEST),
  },
  company: { secrets: [SECRET, PUBLIC], call: ({ payments }) => payments.company.retrieve() },
} as const satisfies Record<string, Row>;
const ROWS: [string, Row][] = Object.entries(CALLS);

/** A merchant without a network. */
const merchantWith = (fetch: PaymentsClientOptions["fetch"], options: PaymentsClientOptions = {}) =>
  merchantAt("https://pay.example", { ...KEYS, fetch, ...options });
const merchantWithResponse = (status: number, body: string, headers = {}) =>
  merchantWith(async () => new Response(body, { status, headers }));
const offline = () => merchantWith(() => expect.unreachable());

function expectNoLeak(error: PaymentsError, events: readonly PaymentsEvent[]): void {
  expect(leaksIn(error)).toEqual([]);
  expect(leaksIn([events, logOf(events)])).toEqual([]);
  expect(events.at(-1)).toMatchObject({ type: "error", error });
}

/** What `logEvents` writes. */
function logOf(events: readonly PaymentsEvent[]): string {
  const lines: unknown[] = [];
  const write = (...line: unknown[]) => void lines.push(line);
  events.forEach(logEvents({ debug: write, info: write, warn: write, error: write }));
  return JSON.stringify(lines);
}

/** Bodies that repeat the sent values in each place that an error reads. */
function echoes(secrets: readonly string[]): string[] {
  const echo = echoOf(secrets);
  return [
    `<html><p>${echo}</p></html>`,
    JSON.stringify({ success: false, message: echo, errors: [{ field: echo, message: echo }] }),
    JSON.stringify({ success: false, errors: { [echo]: [echo] }, [echo]: echo }),
    JSON.stringify({ success: false, error: { message: echo, path: [echo] } }),
  ];
}

describe.each(ROWS)("a response that repeats the request leaks nothing: %s", (_name, { secrets, call }) => {
  const headerEcho = echoOf(secrets)
    .split("\n")
    .filter((line) => /^[ -~]*$/.test(line))
    .join(" ");
  const headers = { "x-request-id": headerEcho, "x-echo": `Basic ${btoa(`${SECRET}:${PUBLIC}`)}` };

  test.each([201, 400, 403, 500])("with %i", async (status) => {
    for (const body of echoes(secrets)) {
      const merchant = merchantWithResponse(status, body, headers);

      const error = await failureOf(call(merchant));

      expectNoLeak(error, merchant.events);
    }
  });
});

// The forms themselves are tested with the redactor.
test.each<[number, string, string]>([
  [400, "the key of another account, percent-encoded", "%73%6B%5flive_0therAccount"],
  [401, "a part of the credentials", btoa(`${SECRET}:${PUBLIC}`).slice(9)],
  [401, "base64 of a text with the secret key", btoa(`key ${SECRET}`)],
  [500, "the password of a database", "password='hunter22-and-more'"],
])("a %i that quotes %s leaks nothing to an error, an event or a log", async (status, _what, quoted) => {
  const issues = { message: `Wrong: ${quoted}`, errors: [{ field: quoted, message: quoted }], [quoted]: 1 };
  for (const body of [`<p>${quoted}</p>`, JSON.stringify(issues)]) {
    const merchant = merchantWithResponse(status, body, { "x-request-id": quoted, "x-echo": quoted });

    const error = await failureOf(CALLS.company.call(merchant));

    expect(error).toMatchObject({ status });
    const shown = everythingOf(error) + everythingOf(merchant.events) + logOf(merchant.events);
    expect(shown).not.toContain(quoted.slice(-13, -1));
  }
});

describe("the customer's document number, e-mail and phone are redacted from the errors of a create call", () => {
  const customer = { name: "Ana Exemplo", email: "ana@loja.example", phone: "(11) 98765-4321" };
  const cpf = { type: "cpf", number: "529.982.247-25" } as const;
  const cnpj = { type: "cnpj", number: "12.abc.345/01de-35" } as const;
  const REPEATED = [
    ...["52998224725", "529.982.247-25", "ana@loja.example", "ANA@Loja.example", "ana%40loja.example"],
    ...["11987654321", "(11) 98765-4321", "+5511987654321", "+55 (11) 98765-4321", "55 11 98765 4321"],
  ];

  test.each<[repeated: string, document: typeof cpf | typeof cnpj, phone: string]>([
    ...REPEATED.map((text): [string, typeof cpf, string] => [text, cpf, customer.phone]),
    ["+55 (11) 98765-4321", cpf, "+5511987654321"],
    ["(11) 98765-4321", cpf, "+5511987654321"],
    ["12ABC34501DE35", cnpj, customer.phone],
    ["12.ABC.345/01DE-35", cnpj, customer.phone],
  ])("if the response repeats them: %s", async (repeated, document, phone) => {
    const said = `invalid: ${repeated}.`;
    const body = { message: said, errors: [{ field: "customer", message: said }], data: { said } };
    for (const status of [201, 400, 500]) {
      const { payments, events } = merchantWithResponse(status, JSON.stringify(body), { "x-echo": said });

      const params = aPix({ customer: { ...customer, phone, document } });
      const error = await failureOf(payments.transactions.createPix(params));

      const shown = everythingOf(error) + logOf(events);
      expect(shown).toContain("invalid: ");
      expect(shown).not.toContain(repeated);
      expect(shown).not.toMatch(/8765.?4321|247.?25|01DE|@loja/i);
    }
  });

  test("but no text that only has a part of them, such as the host in the e-mail", async () => {
    const said = "mail to loja.example bounced, code 98765";
    const { payments } = merchantWithResponse(400, JSON.stringify({ message: said }));
    const params = aPix({
      customer: { ...customer, email: "a@loja.example", phone: "98765", document: cpf },
    });

    expect((await failureOf(payments.transactions.createPix(params))).message).toContain(said);
  });

  test("in time, even if they are long and the response repeats them", async () => {
    const email = `${"a.".repeat(100_000)}@loja.example`;
    const { payments } = merchantWithResponse(400, email.replaceAll(".", ". "));
    const params = aPix({ customer: { ...customer, email, phone: "1".repeat(200_000), document: cpf } });

    const error = await failureOf(payments.transactions.createPix(params));

    expect(error).toMatchObject({ status: 400 });
  });
});

describe("the transaction of an error", () => {
  const echo = echoOf([SECRET, PUBLIC, POSTBACK]);
  const rewritten = "https://canary.example:443/pb/?sig=c4naryXSig&order=1";

  test.each<[string, Record<string, unknown>]>([
    [
      "contains no secret",
      {
        ...{ pix: { expirationDate: echo }, metadata: echo, postBackUrl: POSTBACK, secureUrl: POSTBACK },
        ...{ customer: { name: echo, document: { type: echo } }, [echo]: [{ [echo]: echo }] },
      },
    ],
    ["contains no rewritten postback URL", { pix: null, postBackUrl: rewritten, postback_url: rewritten }],
  ])("%s, nor in its raw body", async (_what, data) => {
    const merchant = merchantWithResponse(201, JSON.stringify(envelope(aPixData(data))));

    const error = await failureOf(CALLS.pix.call(merchant));

    expect(error).toMatchObject({ outcome: "created", transactionId: 4021, transaction: { id: 4021 } });
    const { transaction } = error as unknown as { transaction: { raw: unknown } };
    expectNoLeak(error, merchant.events);
    expect(leaksIn({ ...transaction })).toEqual([]);
    expect(leaksIn(transaction.raw)).toEqual([]);
    expect(transaction).not.toHaveProperty("postBackUrl");
  });
});

const TRUNCATED = `{"success":true,"data":{"id":4021,"metadata":${JSON.stringify(echoOf([SECRET, OPAQUE_TOKEN]))},"a`;
const LONG_ISSUE = { field: "a", message: `${"x".repeat(470)} ${POSTBACK}` };

test.each<[string, keyof typeof CALLS, number, string, string]>([
  ["a truncated body", "card", 201, TRUNCATED, "created"],
  ["a long body", "card", 500, "x".repeat(65_536 - 8) + SECRET + OPAQUE_TOKEN, "unknown"],
  ["a long issue", "pix", 400, JSON.stringify({ errors: [LONG_ISSUE] }), "rejected"],
])("%s is redacted before it is cut, so that no part of a secret remains", async (_what, name, ...rest) => {
  const [status, body, outcome] = rest;
  const merchant = merchantWithResponse(status, body);

  const error = await failureOf(CALLS[name].call(merchant));

  expect(error).toMatchObject({ outcome });
  expectNoLeak(error, merchant.events);
});

test("assertNotRefused throws a reason that repeats secrets without them", async () => {
  const data = aRefusedData({ refusedReason: echoOf(CALLS.card.secrets), postBackUrl: POSTBACK });
  const { payments } = merchantWithResponse(201, JSON.stringify(envelope(data)));
  const transaction = await payments.transactions.createCard(PAYMENT);

  const error = await failureOf((async () => assertNotRefused(transaction))());

  expect(error).toMatchObject({ code: "card_refused", outcome: "created" });
  expect(leaksIn(error)).toEqual([]);
});

/** An error with this text in every place that some implementation of `fetch` uses. */
function errorFullOf(text: string): Error {
  const deepest = Object.assign(new Error(text), { code: text, name: text, syscall: text });
  const middle = new AggregateError([new Error(text)], text, { cause: deepest });
  const error = new TypeError(text, { cause: middle });
  error.stack = `${text}\n at ${text}`;
  return Object.assign(error, { request: { headers: { authorization: text }, body: text }, [text]: text });
}

describe.each(ROWS)("a call that fails without a response leaks nothing: %s", (_name, { secrets, call }) => {
  test("whatever fetch throws", async () => {
    const codes = secrets.map((secret) => Object.assign(new Error("odd"), { code: secret.toUpperCase() }));
    for (const thrown of [errorFullOf(echoOf(secrets)), echoOf(secrets), ...codes]) {
      const merchant = merchantWith(() => Promise.reject(thrown));

      const error = await failureOf(call(merchant));

      expect(error).toMatchObject({ code: "connection_failed" });
      expectNoLeak(error, merchant.events);
    }
  });
});

const echoRequest: Reply = async (exchange) => {
  await exchange.requestRead;
  const { url, body, headers } = exchange.arrival;
  json(400, { message: [url, body, headers.authorization] }, { "x-echo": url })(exchange);
};

describe.each(TRANSPORTS)("over $name", ({ merchantAt }) => {
  test.each<[string, Reply]>([
    ["a response that repeats the request", echoRequest],
    ["a timeout", stall],
    ["a reset", resetAfterReading],
  ])("%s does not leak the request", async (_what, reply) => {
    const { baseUrl } = await startServer(reply);
    for (const call of [CALLS.card.call, CALLS.token.call]) {
      const merchant = merchantAt(baseUrl, { ...KEYS, timeout: 100 });

      const error = await failureOf(call(merchant));

      expectNoLeak(error, merchant.events);
    }
  });

  test("an abort does not repeat its reason", async () => {
    for (const reason of [errorFullOf(echoOf(ALL)), echoOf(ALL)]) {
      const controller = new AbortController();
      const { baseUrl } = await startServer(() => controller.abort(reason));
      const merchant = merchantAt(baseUrl, KEYS);

      for (const signal of [controller.signal, AbortSignal.abort(reason)]) {
        const error = await failureOf(merchant.payments.transactions.createCard(PAYMENT, { signal }));

        expect(error).toMatchObject({ code: "aborted" });
        if (reason instanceof Error) expect(error.cause).toMatchObject({ name: "TypeError", message: "" });
        expectNoLeak(error, merchant.events);
      }
    }
  });
});

test("over nodeTransport, a response that is not HTTP and repeats the request leaks nothing", async () => {
  const { baseUrl } = await startRaw(saying(ALL.join("\r\n")));
  const merchant = NODE_TRANSPORT.merchantAt(baseUrl, KEYS);

  expectNoLeak(await failureOf(CALLS.token.call(merchant)), merchant.events);
});

describe("the error of invalid parameters contains no value", () => {
  test.each([...ALL, "4539 1488 0343 6467"])("%s", async (value) => {
    const { payments, events } = offline();
    const wrong = (holder: object, toWrong: (value: string) => unknown = (text) => [text]) =>
      Object.fromEntries(Object.keys(holder).map((key) => [key, toWrong(value)]));
    const payment = aCardPayment();
    const params = {
      ...wrong(payment),
      customer: { ...wrong(payment.customer), document: wrong(payment.customer.document, String) },
      items: [wrong({ ...payment.items?.[0], product_image: "" })],
      ...wrong({ amount: 1, installments: 1, colour: "" }, String),
      card: wrong(payment.card),
    };
    const card = { ...wrong(CARD, String), holderName: [value], number: `${value}x`, cvv: `${value}x` };
    const options = { ...wrong({ timeout: 1, signal: 1, colour: "" }, String), headers: { "x a": value } };

    const errors = [
      await failureOf(payments.transactions.createCard(params as unknown as CreateCardParams)),
      await failureOf(payments.cardTokens.create({ ...card, brand: value } as unknown as CardParams)),
      await failureOf(payments.transactions.createPix(aPix(), { ...options, extraBody: { amount: value } })),
    ];

    for (const error of errors) expect(error).toMatchObject({ code: "invalid_request" });
    expect(errors.flatMap(leaksIn)).toEqual([]);
    expect(leaksIn(events)).toEqual([]);
  });
});

// A name that is one plain word, such as a cardholder's name, looks like a mistyped field.
test.each([SECRET, PUBLIC, NUMBER, "4539 1488 0343 6467", "4539-1488-0343-6467", JWT, POSTBACK])(
  "an error does not contain a field name that looks like a secret: %s",
  async (name) => {
    const { payments, events } = offline();
    const customer = { ...aPix().customer, [name]: 1 };
    const options = { [name]: 1, extraBody: { pix: { [name]: 1 }, [name]: () => 1 } };

    const errors = [
      await failureOf(payments.transactions.createPix(aPix({ [name]: 1, customer }))),
      await failureOf(payments.transactions.createPix(aPix(), options as object)),
    ];

    expect(errors.flatMap(leaksIn)).toEqual([]);
    expect(leaksIn(events)).toEqual([]);
    expect(() => new PaymentsClient({ [name]: 1 })).toThrow(
      expect.toSatisfy((error) => leaksIn(error).length === 0),
    );
  },
);

describe("objects that contain secrets do not show them", () => {
  test("the client, its resources and the tokenizer", () => {
    const { payments } = merchantAt("https://pay.example", { ...KEYS, postbackUrl: POSTBACK });
    const tokenizer = tokenizerAt("https://pay.example", { publicKey: PUBLIC });

    expect([payments, ...Object.values(payments), tokenizer].flatMap((shown) => leaksIn(shown))).toEqual([]);
  });

  test("a transaction shows its postback URL as JSON only", async () => {
    const data = aPixData({ postBackUrl: POSTBACK, secureUrl: "https://pay.example/s" });
    const { payments, events } = merchantWithResponse(201, JSON.stringify(envelope(data)));

    const transaction = await payments.transactions.createPix(aPix({ postbackUrl: POSTBACK }));

    expect(transaction.postBackUrl).toBe(POSTBACK);
    expect(JSON.parse(JSON.stringify(transaction)).postBackUrl).toBe(POSTBACK);
    await Object.defineProperty(transaction, "toJSON", { value: () => "left out", enumerable: false });
    expect(leaksIn({ order: { payments: [transaction] } })).toEqual([]);
    expect(leaksIn(events)).toEqual([]);
  });
});
