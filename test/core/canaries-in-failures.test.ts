import type { PaymentsError, PaymentsEvent } from "payments-sdk";
import { describe, expect, test } from "vitest";
import {
  CVV,
  echoOf,
  HOLDER,
  leaksIn,
  NUMBER,
  OPAQUE_TOKEN,
  POSTBACK,
  PUBLIC,
  SECRET,
} from "../support/canaries.ts";
import { resetAfterReading, stall, startServer } from "../support/http-server.ts";
import {
  aCard,
  aCardPayment,
  failureOf,
  type Merchant,
  merchantAt,
  tokenizerAt,
} from "../support/merchant.ts";
import { TRANSPORTS } from "../support/transports.ts";

const KEYS = { secretKey: SECRET, publicKey: PUBLIC, maxRetries: 0 };
const CARD = aCard({ number: NUMBER, cvv: CVV, holderName: HOLDER });
const PAYMENT = aCardPayment({ card: { hash: OPAQUE_TOKEN }, postbackUrl: POSTBACK });

/** What `fetch` implementations do to the errors that they throw. */
const ECHO = echoOf([SECRET, PUBLIC, OPAQUE_TOKEN, POSTBACK, NUMBER, CVV, HOLDER]);

function anErrorFullOf(text: string): Error {
  const deepest = Object.assign(new Error(text), { code: text, name: text, syscall: text });
  const middle = new AggregateError([new Error(text)], text, { cause: deepest });
  const error = new TypeError(text, { cause: middle });
  error.stack = `${text}\n at ${text}`;
  return Object.assign(error, {
    request: { headers: { authorization: text }, body: text },
    [text]: text,
    config: text,
  });
}

const CALLS: [string, (merchant: Merchant) => PromiseLike<unknown>, readonly string[]][] = [
  [
    "a create",
    ({ payments }) => payments.transactions.createCard(PAYMENT),
    [SECRET, PUBLIC, OPAQUE_TOKEN, POSTBACK],
  ],
  ["a tokenization", ({ payments }) => payments.cardTokens.create(CARD), [PUBLIC, NUMBER, CVV, HOLDER]],
  ["a read", ({ payments }) => payments.company.retrieve(), [SECRET, PUBLIC]],
];

function expectNoLeak(error: PaymentsError, events: readonly PaymentsEvent[]): void {
  expect(leaksIn(error)).toEqual([]);
  expect(leaksIn(events)).toEqual([]);
  expect(events.at(-1)).toMatchObject({ type: "error", error });
}

describe.each(CALLS)("%s that fails on its way", (_name, call, holds) => {
  test("by a fetch whose error repeats everything", async () => {
    const thrown = anErrorFullOf(echoOf(holds));
    const merchant = merchantAt("https://pay.example", { ...KEYS, fetch: () => Promise.reject(thrown) });

    const error = await failureOf(call(merchant));

    expect(error).toMatchObject({ code: "connection_failed" });
    expect(error.cause).toBeInstanceOf(Error);
    expectNoLeak(error, merchant.events);
  });

  test.each(holds.map((secret) => [secret]))(
    "by a fetch whose error has a secret for a code",
    async (secret) => {
      const thrown = Object.assign(new Error("odd"), { code: secret.toUpperCase() });
      const merchant = merchantAt("https://pay.example", { ...KEYS, fetch: () => Promise.reject(thrown) });

      const error = await failureOf(call(merchant));

      expectNoLeak(error, merchant.events);
    },
  );

  test("by a fetch that throws a text", async () => {
    const merchant = merchantAt("https://pay.example", {
      ...KEYS,
      fetch: () => Promise.reject(echoOf(holds)),
    });

    const error = await failureOf(call(merchant));

    expectNoLeak(error, merchant.events);
  });
});

test("the tokenizer's errors hold no card either", async () => {
  const events: PaymentsEvent[] = [];
  const fetch = () => Promise.reject(anErrorFullOf(echoOf([PUBLIC, NUMBER, CVV, HOLDER])));
  const onEvent = (event: PaymentsEvent) => events.push(event);
  const tokenizer = tokenizerAt("https://pay.example", { publicKey: PUBLIC, fetch, onEvent });

  const error = await failureOf(tokenizer.tokenize(CARD));

  expectNoLeak(error, events);
});

describe.each(TRANSPORTS)("over $name", ({ merchantAt }) => {
  describe.each(CALLS)("%s that fails on its way", (_name, call) => {
    test("by a deadline", async () => {
      const merchant = merchantAt((await startServer(stall)).baseUrl, { ...KEYS, timeout: 30 });

      const error = await failureOf(call(merchant));

      expect(error).toMatchObject({ code: "timed_out" });
      expectNoLeak(error, merchant.events);
    });

    test("by a reset", async () => {
      const merchant = merchantAt((await startServer(resetAfterReading)).baseUrl, KEYS);

      const error = await failureOf(call(merchant));

      expect(error).toMatchObject({ code: "connection_failed" });
      expectNoLeak(error, merchant.events);
    });
  });

  describe("an abort whose reason repeats everything", () => {
    const signals: [string, () => AbortSignal][] = [
      ["before sending", () => AbortSignal.abort(anErrorFullOf(ECHO))],
      [
        "during the call",
        () => {
          const controller = new AbortController();
          setTimeout(() => controller.abort(anErrorFullOf(ECHO)), 30);
          return controller.signal;
        },
      ],
      ["with a text", () => AbortSignal.abort(ECHO)],
    ];

    test.each(signals)("%s", async (_when, makeSignal) => {
      const merchant = merchantAt((await startServer(stall)).baseUrl, KEYS);

      const error = await failureOf(
        merchant.payments.transactions.createCard(PAYMENT, { signal: makeSignal() }),
      );

      expect(error).toMatchObject({ code: "aborted" });
      expectNoLeak(error, merchant.events);
    });
  });
});
