import { readFileSync } from "node:fs";
import { inspect } from "node:util";
import fc from "fast-check";
import { type AssumptionsLog, assumptionsLog, PaymentsClient } from "payments-sdk";
import { memoryStore } from "payments-sdk/idempotency";
import { createPostbackHandler } from "payments-sdk/postbacks";
import { createGateway, type GatewayOptions, type PostbackOptions } from "payments-sdk/sandbox";
import { expect, test } from "vitest";
import { JWT, leaksIn, NUMBER, OPAQUE_TOKEN, POSTBACK, PUBLIC, SECRET } from "../support/canaries.ts";
import { json } from "../support/http-server.ts";
import { aCard, aCardPayment, aPix } from "../support/merchant.ts";
import { aCardData, aPixData, created, envelope } from "../support/service-responses.ts";
import { startMerchant } from "../support/start-merchant.ts";

const NOON = Date.parse("2026-12-04T12:00:00.000Z");
const LETTERS = { type: "cnpj" as const, number: "12ABC34501DE35" };
const CUSTOMER = aPix().customer;
/** Less and more than the limits of the sandbox's company. */
const OUTSIDE = 99;

/** A shop that reports everything to a log, at a gateway with a fixed clock. Postbacks for `fails-...` always fail. */
function openShop(options: GatewayOptions, assumptions = assumptionsLog()) {
  const onEvent = (event: Parameters<AssumptionsLog>[0]) => assumptions(event, gateway.clock.now());
  const handler = createPostbackHandler({
    ...{ store: memoryStore(), allowUnsigned: true, onEvent },
    onPostback({ externalRef }) {
      if (externalRef?.startsWith("fails")) throw new Error("the shop's database is down");
    },
  });
  const fetch = (url: string, init: RequestInit) => handler.fetch(new Request(url, init));
  const gateway = createGateway({
    ...options,
    now: NOON,
    // Later than the result of the create call.
    postbacks: { delayMs: 1_000, ...options.postbacks, fetch },
  });
  const { baseUrl, secretKey, publicKey, sellersPath } = gateway;
  const settings = {
    baseUrl,
    secretKey,
    publicKey,
    sellersPath,
    fetch: gateway.fetch,
    onEvent,
    maxRetries: 0,
  };
  const payments = new PaymentsClient(settings);
  const withoutKeys = new PaymentsClient({ ...settings, sellersAuth: "none" });
  const pass = async (ms: number) => {
    gateway.clock.advance(ms);
    await gateway.settled();
  };
  /** The id of a transaction, if it is created and can be paid. */
  const pix = (externalRef: string, overrides: Partial<Parameters<typeof aPix>[0]> = {}) =>
    idOf(payments.transactions.createPix(aPix({ externalRef, ...overrides })));
  const card = async (externalRef: string, overrides: Partial<Parameters<typeof aCardPayment>[0]> = {}) => {
    const token = await payments.cardTokens.create(aCard());
    const payment = aCardPayment({ externalRef, card: { hash: token }, ...overrides });
    return idOf(payments.transactions.createCard(payment));
  };
  return { assumptions, gateway, payments, withoutKeys, pass, pix, card };
}

const idOf = (call: PromiseLike<{ id: number }>) =>
  Promise.resolve(call).then(
    ({ id }) => id,
    () => 0,
  );

/** Does what shows every option. */
async function liveThrough(options: GatewayOptions) {
  const shop = openShop(options);
  const { assumptions, gateway, payments, withoutKeys, pass, pix, card } = shop;
  await payments.company.retrieve();
  await payments.sellers.revenue();
  await withoutKeys.sellers.list().catch(() => undefined);
  gateway.faults.add({ on: "status.retrieve", kind: "rate_limited" });
  await payments.status.retrieve().catch(() => undefined);

  const { externalRef, postbackUrl, ...guide } = aPix();
  const { phone: _phone, ...customer } = guide.customer;
  await payments.transactions.createPix({ ...guide, customer } as typeof guide).catch(() => undefined);
  await pix("letters", { customer: { ...CUSTOMER, document: LETTERS } });
  await pix("small", { amount: OUTSIDE });
  await card("small-card", { amount: OUTSIDE });
  await card("card");
  gateway.cancel(await pix("cancelled"));
  gateway.expire(await pix("expired"));
  const paid = await pix("paid");
  const returned = await pix("returned");
  await pass(1_000);
  gateway.pay(paid);
  gateway.refund(paid, 500);
  gateway.refund(paid);
  gateway.pay(returned);
  gateway.med(returned);
  await pass(10_000);

  const { retries = 0, backoffMs = 0, duplicates = 0, ...sent } = options.postbacks ?? {};
  if (duplicates === 0) gateway.pay(await pix("fails"));
  // A postback without another one of its transaction is held back.
  const isAlone = !sent.onCreation || sent.onlyConfiguredEvents;
  await pass(sent.reorder && isAlone ? 6_000 : 1_000);
  for (let retry = 0; retry < retries; retry += 1) await pass(backoffMs * 2 ** retry);

  const suspended = openShop({ ...options, company: { status: "suspended" } }, assumptions);
  await suspended.payments.company.retrieve();
  await suspended.pix("suspended");
  return assumptions;
}

const eitherOf = <Value>(...values: Value[]) => fc.constantFrom(...values);
const ANY_RETRIES = fc.record({ retries: eitherOf(1, 2, 4), backoffMs: eitherOf(1_000, 60_000) });
const ANY_COPIES = fc.record({ duplicates: eitherOf(1, 3) });
const ANY_POSTBACKS = fc.record({
  ...{ reorder: fc.boolean(), onCreation: fc.boolean(), expired: fc.boolean() },
  ...{ onlyConfiguredEvents: fc.boolean(), partialRefunds: fc.boolean() },
});

const ANY_OPTIONS = fc.record({
  pixFields: eitherOf("guide", "endpoint"),
  outsideLimits: eitherOf("by_method", "refused", "validation"),
  suspendedPays: fc.boolean(),
  pixCancelledAs: eitherOf("canceled", "cancelled"),
  pixReturnedAs: eitherOf("refunded", "chargedback"),
  echo: eitherOf("all", "documented"),
  envelopeStatus: eitherOf(201, 1),
  sellersPath: eitherOf("/sellers", "/api/v1/sellers", "/partners"),
  sellersAuth: eitherOf("basic", "none"),
  retryAfter: fc.boolean(),
  alphanumericCnpj: fc.boolean(),
  // A copy of a postback that fails looks like a retry.
  postbacks: fc
    .tuple(ANY_POSTBACKS, fc.oneof(ANY_RETRIES, ANY_COPIES))
    .map(([common, others]): PostbackOptions => ({ ...common, ...others })),
});

test("the options are those of the gateway that the traffic came from, except what no traffic can show", async () => {
  await fc.assert(
    fc.asyncProperty(ANY_OPTIONS, async (options) => {
      const assumptions = await liveThrough(options as GatewayOptions);

      const { pixReturnedAs, ...others } = options; // `refunded` can also be the shop's own refund
      const { expired, onlyConfiguredEvents, partialRefunds, ...postbacks } = options.postbacks;
      const isExpiryPosted = expired && !onlyConfiguredEvents;
      const isUnnamedPosted = !onlyConfiguredEvents && (expired || postbacks.onCreation);
      expect(assumptions.sandboxOptions()).toEqual({
        ...others,
        ...(pixReturnedAs === "chargedback" && { pixReturnedAs }),
        postbacks: {
          ...postbacks,
          ...(partialRefunds && { partialRefunds }),
          ...(isExpiryPosted && { expired: true }),
          ...(isUnnamedPosted && { onlyConfiguredEvents: false }),
        },
      });
      expect(() => createGateway(assumptions.sandboxOptions())).not.toThrow();
    }),
    { numRuns: 25 },
  );
});

test("a sandbox with its defaults contradicts nothing", async () => {
  const assumptions = await liveThrough({});

  expect(assumptions.report()).toMatch(/confirmed [1-9]/);
  expect(assumptions.report()).not.toMatch(/contradicted [1-9]/);
});

test("each line of the report is about an entry of docs/specification.md", () => {
  const page = readFileSync(new URL("../../docs/specification.md", import.meta.url), "utf8");
  const names = assumptionsLog().report().replace("Not seen: ", "").split(", ");

  const entries = names.map((name) => `### ${name.replace(/ \(.*/, "")}`);
  expect(entries.length).toBeGreaterThan(10);
  expect(entries.filter((entry) => !page.includes(`\n${entry}\n`))).toEqual([]);
});

type Event = Parameters<AssumptionsLog>[0];

/** Events as they are in a log, so that a test can have any. */
const aResult = (overrides: object = {}) =>
  ({ type: "result", endpoint: "transactions.create", paymentMethod: "pix", ...overrides }) as Event;
const aDelivery = (postback: object = {}, overrides: object = {}) => {
  const whole = { id: 7, status: "approved", rawStatus: "approved", amount: 1990, ...postback };
  return { type: "handled", status: 200, postback: whole, ...overrides } as unknown as Event;
};

test.each<[number[], 1 | 201]>([
  [[1, 201, 201], 201],
  [[1, 1, 201], 1],
  [[1, 201], 201],
  [[201, 1], 1],
])("of the envelope statuses %j, the option is %j: the most frequent, or the last", (statuses, expected) => {
  const assumptions = assumptionsLog();
  for (const envelopeStatus of statuses) assumptions(aResult({ envelopeStatus }));

  expect(assumptions.sandboxOptions()).toMatchObject({ envelopeStatus: expected });
});

test("one postback out of order makes a sandbox that reorders them", () => {
  const assumptions = assumptionsLog();
  const post = (id: number, status: string) => assumptions(aDelivery({ id, status, rawStatus: status }));

  for (const id of [1, 2, 3]) for (const status of ["approved", "refunded"]) post(id, status);
  for (const status of ["refunded", "approved"]) post(4, status);

  expect(assumptions.sandboxOptions()).toEqual({ postbacks: { reorder: true } });
});

test.each<[string, Event[]]>([
  ["a retry of the handler", [aDelivery({}, { isRetry: true })]],
  ["a warning", [aDelivery({}, { type: "warning", status: undefined })]],
  ["a success that is recorded later", [aDelivery({}, { type: "store_failed" })]],
])("%s is no delivery", (_what, events) => {
  const before = assumptionsOf([aDelivery()]).toJSON();

  expect(assumptionsOf([aDelivery(), ...events]).toJSON()).toEqual(before);
});

function assumptionsOf(events: readonly Event[]): AssumptionsLog {
  const assumptions = assumptionsLog();
  for (const event of events) assumptions(event);
  return assumptions;
}

test("a delivery after a 500 is a retry, also if the handler has succeeded meanwhile; after a 200 it is a copy", () => {
  const failed = aDelivery({}, { type: "failed", status: 500 });
  const succeededAlone = aDelivery({}, { isRetry: true });
  const repeated = aDelivery({}, { type: "duplicate" });
  const assumptions = assumptionsLog();

  assumptions(failed, NOON);
  assumptions(succeededAlone, NOON + 1_000);
  assumptions(repeated, NOON + 60_400);
  assumptions(repeated, NOON + 60_500);

  const postbacks = { retries: 1, backoffMs: 60_000, duplicates: 1 };
  expect(assumptions.sandboxOptions()).toEqual({ postbacks });
});

test.each<[string, Event, object]>([
  ["retries", aDelivery({}, { type: "failed", status: 500 }), { retries: 100, backoffMs: 1_000 }],
  ["copies", aDelivery({}, { type: "duplicate" }), { duplicates: 100 }],
])("more %s than a sandbox can send make an option with the most that it can", (_what, event, postbacks) => {
  const assumptions = assumptionsLog();
  for (let second = 0; second < 150; second += 1) assumptions(event, NOON + second * 1_000);

  expect(assumptions.sandboxOptions()).toEqual({ postbacks });
  expect(() => createGateway(assumptions.sandboxOptions())).not.toThrow();
});

test.each([
  ["/v1/partners", { sellersPath: "/v1/partners" }],
  ["/v1/sellers:list", {}],
  ["/checkout/sellers", {}],
  ["/../sellers", {}],
])("the path %s of the sellers is an option only if a sandbox accepts it", (path, options) => {
  const assumptions = assumptionsOf([aResult({ endpoint: "sellers.list", path })]);

  expect(assumptions.sandboxOptions()).toEqual(options);
  expect(() => createGateway(options)).not.toThrow();
});

const posted = (status: string) => aDelivery({ status, rawStatus: status });

test.each<[string, Event, Event]>([
  ["a failure before a success", aDelivery({}, { type: "failed", status: 500 }), aDelivery()],
  ["a payment before its refund", posted("approved"), posted("refunded")],
])(
  "a log that is not in order of time shows neither copies nor a wrong order: %s",
  (_what, earlier, later) => {
    const assumptions = assumptionsLog();

    assumptions(later, NOON + 60_000);
    assumptions(earlier, NOON);

    expect(assumptions.sandboxOptions()).toEqual({});
    expect(assumptions.report()).toContain("\nNot in order of time, and not counted: 1 ");
  },
);

test.each([[["approved", "chargedback", "approved"]], [["chargedback", "approved"]]])(
  "a dispute that the shop wins is no copy and no wrong order: %j",
  (statuses) => {
    const { postbacks } = assumptionsOf(statuses.map(posted)).sandboxOptions();

    expect(postbacks?.duplicates).toBeUndefined();
    expect(postbacks?.reorder).not.toBe(true);
  },
);

test("a delivery while the callback is still running shows neither a retry nor a pause", () => {
  const assumptions = assumptionsLog();

  assumptions(aDelivery({}, { type: "busy", status: 503 }), NOON + 11_000);
  assumptions(aDelivery(), NOON + 40_000);
  assumptions(aDelivery({}, { type: "duplicate" }), NOON + 41_000);

  expect(assumptions.sandboxOptions()).toEqual({});
});

test("a handler alone shows that a part of a payment was given back", () => {
  const assumptions = assumptionsOf([aDelivery(), aDelivery({ status: "refunded", amount: 500 })]);

  expect(assumptions.sandboxOptions()).toMatchObject({ postbacks: { partialRefunds: true } });
});

test("a log of another program puts no text in place of a number, and no long key in the memory", () => {
  const text = "Maria Silva 529.982.247-25";
  const assumptions = assumptionsOf([
    aResult({ envelopeStatus: text }),
    aDelivery({ status: "cancelled", rawStatus: text }),
  ]);
  const endless = { status: "unrecognized", rawStatus: "x".repeat(5_000) };
  for (const status of [500, 200]) assumptions(aDelivery(endless, { status }));

  expect(JSON.stringify(assumptions) + assumptions.report()).not.toMatch(/Maria|529|x{9}/);
  expect(assumptions.toJSON()).not.toHaveProperty("postback-retries");
});

test("a result from the store is an event, and shows nothing about the service", async () => {
  const assumptions = assumptionsLog();
  const seen: Event[] = [];
  const onEvent = (event: Event) => {
    seen.push(event);
    assumptions(event);
  };
  const idempotency = memoryStore();
  const { payments } = await startMerchant([created()], { idempotency, onEvent });

  await payments.transactions.createPix(aPix());
  await payments.transactions.createPix(aPix());

  expect(seen.at(-1)).toMatchObject({
    type: "result",
    replayed: true,
    status: "pending",
    externalRef: "order-1",
  });
  expect(assumptions.toJSON()["envelope-status"]).toEqual({ 201: 1 });
});

test("the last thousand transactions are remembered, no more", () => {
  const assumptions = assumptionsLog();
  for (let id = 1; id <= 1_001; id += 1) assumptions(aResult({ transactionId: id, status: "pending" }));
  const cancel = (id: number) => assumptions(aDelivery({ id, status: "cancelled", rawStatus: "cancelled" }));

  cancel(1);
  expect(assumptions.sandboxOptions()).not.toHaveProperty("pixCancelledAs");
  cancel(1_001);
  expect(assumptions.sandboxOptions()).toHaveProperty("pixCancelledAs", "cancelled");
});

test("pauses that all differ fill neither the report nor the memory", () => {
  const assumptions = assumptionsLog();
  for (let seconds = 1; seconds <= 100; seconds += 1) {
    assumptions(aDelivery({ id: seconds }, { type: "failed", status: 500 }), NOON);
    assumptions(aDelivery({ id: seconds }), NOON + seconds * 1_000);
  }

  const pauses = assumptions.toJSON()["postback-retries (ms)"] ?? {};
  expect(Object.keys(pauses)).toHaveLength(21);
  expect(pauses["other"]).toBe(80);
});

const PERSONAL = /Ana|loja\.example|52998224725|11999990000|order-1|4021|1990|203\.0/;

test.each([SECRET, PUBLIC, OPAQUE_TOKEN, JWT, NUMBER, "sk_test_9f8e7d6c5b4a", "Ana Exemplo", "52998224725"])(
  "the log shows nothing of customers, orders and keys, not even if the service sends %j in every field",
  async (text) => {
    const assumptions = assumptionsLog();
    const everywhere = { acquirerType: text, createdAt: text, refusedReason: text, metadata: text };
    const replies = [
      json(
        201,
        envelope(aPixData({ ...everywhere, status: text, fees: text }), { status: text, message: text }),
      ),
      json(201, envelope(aCardData({ ...everywhere, postBackUrl: POSTBACK, customer: { name: text } }))),
      json(400, { success: false, message: text, errors: [{ field: text, message: text }] }),
    ];
    const { payments } = await startMerchant(replies, { onEvent: assumptions });
    const post = (status: string) => assumptions(aDelivery({ status: "unrecognized", rawStatus: status }));

    await payments.transactions.createPix(aPix({ postbackUrl: POSTBACK }));
    await payments.transactions.createCard(aCardPayment());
    await payments.transactions.createPix(aPix()).catch(() => undefined);
    post(text);
    assumptions(aResult({ endpoint: "sellers.list", path: `/${NUMBER}`, auth: "none" }));
    assumptions(aResult({ envelopeStatus: Number(NUMBER) }));
    assumptions(aDelivery({ id: 4021, externalRef: "order-1" }));

    const shown = [assumptions, assumptions.report(), assumptions.toJSON(), assumptions.sandboxOptions()];
    const printed = inspect(shown, { depth: 10, showHidden: true }) + JSON.stringify(shown);
    expect(printed).not.toContain(text);
    expect(printed).not.toMatch(PERSONAL);
    expect(leaksIn(shown)).toEqual([]);
  },
);
