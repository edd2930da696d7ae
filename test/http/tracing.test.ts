import { AsyncLocalStorage } from "node:async_hooks";
import { tracingChannel } from "node:diagnostics_channel";
import type { PaymentsCallTrace, PaymentsClient } from "payments-sdk";
import { memoryStore } from "payments-sdk/idempotency";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { CVV, HOLDER, leaksIn, NUMBER, OPAQUE_TOKEN, POSTBACK, PUBLIC, SECRET } from "../support/canaries.ts";
import { json, text } from "../support/http-server.ts";
import { aCard, aCardPayment, aPix, failureOf } from "../support/merchant.ts";
import { aCompany, aPixData, aRefusedData, created, envelope } from "../support/service-responses.ts";
import { startMerchant } from "../support/start-merchant.ts";

const channel = tracingChannel<unknown, PaymentsCallTrace>("payments-sdk:call");
const CREATE = { endpoint: "transactions.create", externalRef: "order-1" };

/** Subscribes to all events until the end of the test. */
function record(onStart = (_call: PaymentsCallTrace): void => undefined) {
  const events: (readonly [string, object])[] = [];
  const calls = new Set<PaymentsCallTrace>();
  const add = (name: string) => (call: PaymentsCallTrace) => {
    calls.add(call);
    events.push([name, { ...call }]);
    if (name === "start") onStart(call);
  };
  const [start, end, asyncStart] = [add("start"), add("end"), add("asyncStart")];
  const subscribers = { start, end, asyncStart, asyncEnd: add("asyncEnd"), error: add("error") };
  channel.subscribe(subscribers);
  onTestFinished(() => void channel.unsubscribe(subscribers));
  return { events, calls };
}

/** Binds a store until the end of the test. */
function bind(transform: (call: PaymentsCallTrace) => unknown): AsyncLocalStorage<unknown> {
  const store = new AsyncLocalStorage();
  channel.start.bindStore(store, transform);
  onTestFinished(() => void channel.start.unbindStore(store));
  return store;
}

/** Collects uncaught exceptions, instead of vitest. */
function collectUncaught(): unknown[] {
  const uncaught: unknown[] = [];
  const others = process.listeners("uncaughtException");
  process.removeAllListeners("uncaughtException").on("uncaughtException", (error) => uncaught.push(error));
  onTestFinished(() => {
    process.removeAllListeners("uncaughtException");
    for (const listener of others) process.on("uncaughtException", listener);
  });
  return uncaught;
}

describe("a call publishes its start, and its end with what became of it", () => {
  test("a created transaction: its id and status", async () => {
    const { events, calls } = record();
    const { payments } = await startMerchant(created(aRefusedData()));

    await payments.transactions.createCard(aCardPayment());

    const end = { ...CREATE, outcome: "created", transactionId: 4021, status: "refused" };
    expect(calls.size).toBe(1);
    expect(events).toEqual([
      ["start", CREATE],
      ["end", CREATE],
      ["asyncStart", end],
      ["asyncEnd", end],
    ]);
  });

  test("an error: the one that is thrown", async () => {
    const { events } = record();
    const { payments } = await startMerchant(text(500, ""));

    const error = await failureOf(payments.transactions.createPix(aPix()));

    const end = { ...CREATE, outcome: "unknown", error };
    expect(events).toEqual([
      ["start", CREATE],
      ["end", CREATE],
      ["error", end],
      ["asyncStart", end],
      ["asyncEnd", end],
    ]);
    expect(error.stack).toContain("failureOf"); // the caller
  });

  test("invalid parameters: with the reference from the start", async () => {
    const { events } = record();
    const { payments } = await startMerchant(created());

    await failureOf(payments.transactions.createPix(aPix({ amount: 0 })));

    expect(events[0]).toEqual(["start", CREATE]);
    expect(events.at(-1)).toMatchObject([
      "asyncEnd",
      { outcome: "not_sent", error: { code: "invalid_request" } },
    ]);
  });

  test("a repeated call with a store: the existing transaction", async () => {
    const { payments, arrivals } = await startMerchant(created(), { idempotency: memoryStore() });
    await payments.transactions.createPix(aPix());
    const { events } = record();

    await payments.transactions.createPix(aPix());

    expect(arrivals).toHaveLength(1);
    expect(events.at(-1)).toMatchObject(["asyncEnd", { outcome: "created", transactionId: 4021 }]);
  });

  test.each<[string, object, (payments: PaymentsClient) => PromiseLike<unknown>]>([
    ["company.retrieve", { outcome: "not_applicable" }, (to) => to.company.retrieve()],
    ["cardTokens.create", { outcome: "not_applicable" }, (to) => to.cardTokens.create(aCard())],
    [
      "request",
      { outcome: "not_applicable" },
      (to) => to.request({ method: "GET", path: "/api/v1/refunds" }),
    ],
    // The SDK does not know what the response means.
    ["request", {}, (to) => to.request({ method: "POST", path: "/api/v1/refunds" })],
  ])("%s, once whatever its retries: %j", async (endpoint, outcome, call) => {
    const { events } = record();
    const { payments } = await startMerchant([
      ...(endpoint === "company.retrieve" ? [text(503, "", { "retry-after": "0" })] : []),
      endpoint === "cardTokens.create" ? text(200, "tok_1") : json(200, aCompany()),
    ]);

    await call(payments);

    expect(events).toEqual([
      ["start", { endpoint }],
      ["end", { endpoint }],
      ["asyncStart", { endpoint, ...outcome }],
      ["asyncEnd", { endpoint, ...outcome }],
    ]);
  });
});

test("a store that is bound to the start is available in the whole call, and not after it", async () => {
  const spans = bind(({ externalRef }) => externalRef);
  const seen: unknown[] = [];
  const watch =
    <Args extends unknown[], Result>(name: string, call: (...args: Args) => Result) =>
    (...args: Args) => {
      seen.push(`${name}: ${spans.getStore()}`);
      return call(...args);
    };
  const names = ["start", "end", "asyncStart", "asyncEnd", "error"] as const;
  for (const name of names) {
    const subscriber = watch(name, () => undefined);
    channel[name].subscribe(subscriber);
    onTestFinished(() => void channel[name].unsubscribe(subscriber));
  }
  const { claim, recordOutcome, ...rest } = memoryStore();
  const watched = { claim: watch("claim", claim), recordOutcome: watch("record", recordOutcome) };
  const idempotency = { ...rest, ...watched };
  const options = { idempotency, fetch: watch("fetch", fetch) };
  const { payments } = await startMerchant([created(), text(500, "")], options);

  await payments.transactions.createPix(aPix());
  await failureOf(payments.transactions.createPix(aPix({ externalRef: "order-2" })));

  const steps = ["start", "end", "claim", "fetch", "record"];
  expect(seen).toEqual([
    ...[...steps, "asyncStart", "asyncEnd"].map((name) => `${name}: order-1`),
    ...[...steps, "error", "asyncStart", "asyncEnd"].map((name) => `${name}: order-2`),
  ]);
  expect(spans.getStore()).toBeUndefined();
});

test.each<[string, (call: PaymentsCallTrace) => void]>([
  ["throws", () => JSON.parse("{")],
  ["freezes what it gets", (call) => void Object.freeze(call)],
])("a subscriber that %s changes neither a result nor an error", async (what, subscriber) => {
  const uncaught = collectUncaught();
  const { events } = record(subscriber as () => undefined);
  bind(subscriber);
  const { payments } = await startMerchant([created(), text(500, "")]);

  const transaction = await payments.transactions.createPix(aPix());
  const error = await failureOf(payments.transactions.createPix(aPix()));

  expect(transaction.id).toBe(4021);
  expect(error).toMatchObject({ code: "server_error", outcome: "unknown" });
  expect(events.length).toBeGreaterThan(0);
  await expect.poll(() => uncaught.length > 0).toBe(what === "throws"); // Node's way to report it
});

test("no key, card, token, postback URL or result is published", async () => {
  const { calls } = record();
  const keys = { secretKey: SECRET, publicKey: PUBLIC };
  const card = aCard({ number: NUMBER, cvv: CVV, holderName: HOLDER });
  const pix = json(201, envelope(aPixData({ postBackUrl: POSTBACK })));
  const { payments } = await startMerchant([text(200, OPAQUE_TOKEN), pix, text(500, POSTBACK)], keys);

  const { value: hash } = await payments.cardTokens.create(card);
  const { pix: code } = await payments.transactions.createPix(aPix({ postbackUrl: POSTBACK }));
  await failureOf(payments.transactions.createCard(aCardPayment({ card: { hash }, postbackUrl: POSTBACK })));

  expect(calls.size).toBe(3);
  expect(leaksIn([...calls])).toEqual([]);
  expect(JSON.stringify([...calls])).not.toContain(code.qrcodeText);
});

test.each([
  ["no modules to look up", { getBuiltinModule: undefined }],
  ["no such module", { getBuiltinModule: () => undefined }],
])("a runtime with %s makes the same calls", async (_what, replaced) => {
  // The test files share their modules and globals.
  onTestFinished(() => void vi.unstubAllGlobals().resetModules());
  vi.resetModules();
  vi.stubGlobal("process", Object.assign(Object.create(process), replaced));
  const sdk = await import("payments-sdk");
  const fetch = async () => Response.json(aCompany());
  const keys = { baseUrl: "https://pay.example", secretKey: "sk_1", publicKey: "pk_1" };

  const company = await new sdk.PaymentsClient({ ...keys, fetch }).company.retrieve();

  expect(company.id).toBeGreaterThan(0);
});
