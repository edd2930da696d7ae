import { memoryStore, type OrderRecord, type PaymentsStore } from "payments-sdk/idempotency";
import { ConfigurationError, createStatusHandler, type StatusHandlerOptions } from "payments-sdk/postbacks";
import { describe, expect, test, vi } from "vitest";
import {
  aPostback,
  aTransaction,
  createdAs,
  ID,
  LEASE,
  NOT_CREATED,
  ORDER,
  REF,
  UNKNOWN,
} from "../../idempotency/support/orders.ts";
import { thrownBy } from "../../support/merchant.ts";
import { inFakeTime, serve } from "../support/receiver.ts";
import { aSigner, URL_OF_SHOP } from "../support/signing.ts";

const signer = aSigner();
const urlOf = (externalRef = REF) => signer.statusUrl("https://loja.example/status", { externalRef });

type Get = StatusHandlerOptions["store"]["get"];

/** A handler with a store of one function. */
const handlerOf = (get: Get) => createStatusHandler({ signer, store: { get } });

/** The response about an order, to its page. */
async function responseAbout(store: StatusHandlerOptions["store"], init: RequestInit = {}, url?: string) {
  return createStatusHandler({ signer, store }).fetch(new Request(url ?? (await urlOf()), init));
}

const statusIn = async (store: StatusHandlerOptions["store"]) => {
  const response = await responseAbout(store);
  expect(response.status).toBe(200);
  return (await response.json()).status;
};

type Step = (store: PaymentsStore) => unknown;
const claim: Step = (store) => store.claim(ORDER, LEASE);
const created: Step = async (store) => [await claim(store), await store.recordOutcome(ORDER, createdAs())];
const lost: Step = async (store) => [await claim(store), await store.recordOutcome(ORDER, UNKNOWN)];
const postback =
  (...args: Parameters<typeof aPostback>): Step =>
  (store) =>
    store.recordPostback(REF, aPostback(...args));
const paidPartly = postback("approved", { amount: 500 });

describe("the status of an order is", () => {
  test.each<[string, string, readonly Step[]]>([
    ["pending", "while its request is in flight", [claim]],
    ["pending", "after a lost response", [lost]],
    ["pending", "if its request was not sent", [claim, (store) => store.recordOutcome(ORDER, NOT_CREATED)]],
    ["pending", "before the payment", [created]],
    ["approved", "after the payment", [created, postback("approved")]],
    ["approved", "also if the response to its request was lost", [claim, postback("approved")]],
    ["pending", "after a payment over another amount", [created, paidPartly]],
    ["pending", "also before the response", [claim, paidPartly, created]],
    ["pending", "also if the response was lost", [claim, paidPartly]],
    ["approved", "once the right amount is paid", [created, paidPartly, postback("approved")]],
    ["approved", "also if the response was lost", [claim, paidPartly, postback("approved")]],
    [
      "approved",
      "once a person has found it paid",
      [lost, paidPartly, (store) => store.resolve(REF, { transactionId: ID, status: "approved" })],
    ],
    ["refunded", "after a refund", [created, postback("approved"), postback("refunded")]],
    ["expired", "after its expiry", [created, postback("expired")]],
    ["refused", "after a refusal", [created, postback("refused")]],
    ["pending", "if the customer gets another pix after its expiry", [created, postback("expired"), claim]],
  ])("%s %s", async (status, _when, steps) => {
    const store = memoryStore();
    for (const step of steps) await step(store);

    expect(await statusIn(store)).toBe(status);
  });

  const transaction = aTransaction({ pix: { expirationDate: "2020-01-01T00:00:00" } as never });
  const record = { ...ORDER, attempt: 1, since: "", earlierIds: [], possibleDuplicates: [] };
  test.each<[string, string, Partial<OrderRecord> & Pick<OrderRecord, "state">]>([
    ["pending", "a pix that is past its expiry, and may be paid", { state: "created", transaction }],
    ["expired", "a free order whose pix is past its expiry", { state: "free", transaction }],
    ["pending", "a free order of which nothing else is known", { state: "free" }],
    [
      "pending",
      "a transaction of which only the id is known",
      { state: "created", transactionId: "9".repeat(30) },
    ],
    [
      "pending",
      "a status that the specification lacks",
      { state: "created", transaction: { ...transaction, status: "unrecognized" } },
    ],
  ])("%s for %s, in any store", async (status, _what, state) => {
    expect(await statusIn({ get: async () => ({ ...record, ...state }) })).toBe(status);
  });
});

test("a response has the status and the expiry, nothing else of the order, and may be read by every origin but not kept", async () => {
  const pix = { qrcodeText: "0002", expirationDate: "2026-11-22T23:59:59-03:00" };
  const order = {
    ...ORDER,
    paymentMethod: "pix",
    state: "created",
    transaction: aTransaction({ pix }),
  } as never;

  const response = await responseAbout({ get: async () => order });

  expect(await response.json()).toEqual({ status: "pending", expiresAt: "2026-11-23T02:59:59.000Z" });
  expect(Object.fromEntries(response.headers)).toEqual({
    "access-control-allow-origin": "*",
    "access-control-expose-headers": "date",
    "cache-control": "no-store",
    "content-type": "application/json",
    date: expect.stringMatching(/ GMT$/),
    "referrer-policy": "no-referrer",
  });
});

describe("a request is answered with 404, and nothing is read, ", () => {
  test.each<[string, (url: string) => string | Promise<string>, RequestInit?]>([
    ["without a token", (url) => url.replace(/\?.*/, "")],
    ["with a changed token", (url) => url.replace(/\.[^.]+\./, ".e30.")],
    ["with two tokens", (url) => `${url}&${url.replace(/.*\?/, "")}`],
    [
      "with the token of another key",
      () => aSigner({ kid: "k1", secret: "x".repeat(32) }).statusUrl(URL_OF_SHOP, { externalRef: REF }),
    ],
    [
      "with the token of a postback",
      async () =>
        (await signer.sign(URL_OF_SHOP, { externalRef: REF, amount: 1990 })).replace("pbsig", "stsig"),
    ],
    ["by POST", (url) => url, { method: "POST", body: "{}" }],
  ])("%s", async (_what, change, init) => {
    const get = vi.fn<Get>();

    const response = await responseAbout({ get }, init, await change(await urlOf()));

    expect([response.status, await response.json()]).toEqual([404, { error: "not_found" }]);
    expect(get).not.toHaveBeenCalled();
  });
});

test("an order without a record is a 404", async () => {
  const response = await responseAbout(memoryStore());

  expect(response.status).toBe(404);
  expect(response.headers.get("date")).toMatch(/ GMT$/);
});

test.each<[string, Get]>([
  ["rejects", () => Promise.reject(new Error("connect ECONNREFUSED postgres://shop:c4nary@db"))],
  ["throws", () => { throw new Error("c4nary"); }], // biome-ignore format: one row
  ["returns something else", async () => ({ transaction: null, state: "created" }) as never],
])("if the store %s, the response is 503 without its error", async (_what, get) => {
  const response = await responseAbout({ get });

  expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
  expect(response.headers.get("date")).toMatch(/ GMT$/);
  expect(await response.text()).toBe('{"error":"store_failed"}');
});

test("if the store hangs, the response is 503 after 5 seconds", async () => {
  const url = await urlOf();
  const trusting = { verifyStatusUrl: async () => ({ externalRef: REF }) }; // verification runs in real time
  const handler = createStatusHandler({ signer: trusting, store: { get: () => new Promise(() => {}) } });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const begin = performance.now();

  const { status } = await inFakeTime(handler.fetch(new Request(url)));

  expect([status, Math.round((performance.now() - begin) / 1_000)]).toEqual([503, 5]);
  vi.useRealTimers();
});

test("100 requests are 100 reads of the store, and nothing else", async () => {
  const used: PropertyKey[] = [];
  const store = memoryStore();
  await created(store);
  const counting = new Proxy(store, {
    get: (target, name) => [used.push(name), Reflect.get(target, name)][1],
  });
  const handler = createStatusHandler({ signer, store: counting });
  const url = await urlOf();
  used.length = 0; // the options were checked

  await Promise.all(Array.from({ length: 100 }, () => handler.fetch(new Request(url))));

  expect(used).toEqual(Array(100).fill("get"));
});

test("node: GET, HEAD and OPTIONS are answered as a browser expects, at any mount path", async () => {
  const { node } = handlerOf(async () => ({ ...ORDER, state: "claimed" }) as never);
  const baseUrl = await serve((request, response) => {
    const mounted = Object.assign(request, { originalUrl: request.url, url: "/" }); // as Express does
    void node(mounted, response);
  });
  const url = baseUrl + (await signer.statusUrl("/shop/status", { externalRef: REF }));
  const call = async (method: string) => {
    const response = await fetch(url, { method });
    return [response.status, await response.text(), response.headers.get("allow")];
  };

  expect(await call("GET")).toEqual([200, '{"status":"pending"}', null]);
  expect(await call("HEAD")).toEqual([200, "", null]);
  expect(await call("OPTIONS")).toEqual([204, "", "GET, HEAD, OPTIONS"]);
});

test.each([
  ["no options", undefined, "options must be an object"],
  ["no signer", { store: memoryStore() }, "signer must be a PostbackUrlSigner"],
  ["no store", { signer }, "store must be the idempotency store"],
  ["a store of postbacks alone", { signer, store: { claimPostback() {} } }, "store must be the idempotency"],
  ["an unknown option", { signer, store: memoryStore(), cors: "*" }, "cors is not an option"],
])("createStatusHandler refuses %s", (_what, options, message) => {
  const error = thrownBy(() => createStatusHandler(options as StatusHandlerOptions));

  expect(error).toBeInstanceOf(ConfigurationError);
  expect(error.message).toContain(message);
});
