import { inspect } from "node:util";
import { type InvalidRequestError, PaymentsClient, type RequestParams } from "payments-sdk";
import { memoryStore } from "payments-sdk/idempotency";
import { beforeEach, describe, expect, test, vi } from "vitest";
import {
  closedBaseUrl,
  closeSilently,
  html,
  json,
  type Reply,
  resetAfterReading,
  resetAtOnce,
  resetInBody,
  startServer,
  text,
} from "../support/http-server.ts";
import { failureOf, merchantAt, PUBLIC_KEY, SECRET_KEY } from "../support/merchant.ts";
import { startMerchant } from "../support/start-merchant.ts";
import { TRANSPORTS } from "../support/transports.ts";

const REFUND = { method: "POST", path: "/api/v1/refunds", body: { id: 4021 } } as const;
const LOOKUP = { method: "GET", path: "/api/v1/transactions/4021" } as const;
/** Its data is not what JSON contains. */
class HiddenAmount {
  readonly #amount = 100;
  get amount() {
    return this.#amount;
  }
}
const RETRIES = { maxRetries: 3 };
const RETRIED = text(503, "", { "retry-after": "0" });

/** A body that ends with its connection. */
const withoutEnd =
  (body: string, type = "text/plain"): Reply =>
  async ({ request, requestRead }) => {
    await requestRead;
    request.socket.end(`HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\nconnection: close\r\n\r\n${body}`);
  };

beforeEach(() => void vi.spyOn(Math, "random").mockReturnValue(-0.9)); // a twentieth of the usual delays

const CHARGED = { data: { id: 7, status: "approved" } };
const WITHOUT_END = withoutEnd("12", "application/json");

describe.each(TRANSPORTS)("over $name", ({ merchantAt, startMerchant }) => {
  test.each(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const)(
    "%s is sent with its query and the keys",
    async (method) => {
      const { payments, arrivals } = await startMerchant(json(200, { ok: true }));

      const query = { q: "a b&c", page: 2, all: true, id: [1, 2], none: undefined };
      const value = await payments.request({ method, path: "/api/v1/x", query });

      expect(value).toEqual(method === "HEAD" ? "" : { ok: true });
      expect(arrivals).toMatchObject([
        { method, url: "/api/v1/x?q=a%20b%26c&page=2&all=true&id=1&id=2", body: "" },
      ]);
      const { authorization, accept } = arrivals[0]?.headers ?? {};
      expect(authorization).toBe(`Basic ${btoa(`${SECRET_KEY}:${PUBLIC_KEY}`)}`);
      expect(accept).toBe("application/json, text/plain, */*");
      expect(arrivals[0]?.headers).not.toHaveProperty("content-type");
    },
  );

  describe.each<[string, RequestParams]>([
    ["POST", REFUND],
    ["POST without a body", { method: "POST", path: "/api/v1/x" }],
    ["DELETE", { ...REFUND, method: "DELETE" }],
  ])("%s is sent once, and its outcome is that of a create call, if", (_what, params) => {
    test.each<[string, Reply, object]>([
      ["the connection is reset", resetAtOnce, { code: "connection_failed", outcome: "unknown" }],
      ["it is reset in the body", resetInBody(200, '{"id":1'), { outcome: "unknown" }],
      ["the status is 503", RETRIED, { code: "server_error", outcome: "unknown" }],
      ["the status is 400", json(400, { message: "no" }), { code: "validation_failed", outcome: "rejected" }],
      ["a 400 shows a transaction", json(400, CHARGED), { outcome: "created", transactionId: 7 }],
      ["it is redirected", text(302, "", { location: "/y" }), { code: "redirected", outcome: "unknown" }],
      ["a 200 has success: false", json(200, { success: false }), { code: "api_error", outcome: "unknown" }],
      ["a 200 is half a JSON", text(200, '{"id":1'), { code: "unexpected_response", outcome: "unknown" }],
      ["a 200 is called JSON", json(200, undefined), { code: "unexpected_response", outcome: "unknown" }],
      ["a 200 is a part of a text in quotes", text(200, '"refun'), { code: "unexpected_response" }],
      ["a 200 does not show where its text ends", withoutEnd("refun"), { code: "unexpected_response" }],
      ["a 200 does not show where its number ends", WITHOUT_END, { code: "unexpected_response" }],
      ["a 200 is a page", html(200, "<html></html>"), { code: "unexpected_response", outcome: "unknown" }],
    ])("%s", async (_case, reply, expected) => {
      const { payments, arrivals } = await startMerchant([reply, json(200, {})], RETRIES);

      const error = await failureOf(payments.request(params));

      expect(error).toMatchObject({ ...expected, endpoint: "request" });
      expect(arrivals).toHaveLength(1);
    });

    test("its kept connection breaks", async () => {
      const replies = [json(200, {}), closeSilently, json(200, {})];
      const { payments, arrivals } = await startMerchant(replies, RETRIES);
      await payments.request(LOOKUP);
      await new Promise((resolve) => setTimeout(resolve, 30));

      const error = await failureOf(payments.request(params));

      expect(error).toMatchObject({ outcome: "unknown" });
      expect(arrivals).toHaveLength(2);
    });
  });

  test("it is not_sent if no server listens, even without a body", async () => {
    const { payments } = merchantAt(await closedBaseUrl());

    const error = await failureOf(payments.request({ method: "DELETE", path: "/api/v1/x" }));

    expect(error).toMatchObject({ code: "connection_failed", outcome: "not_sent" });
  });

  test.each<[string, RequestParams]>([
    ["GET", LOOKUP],
    ["HEAD", { ...LOOKUP, method: "HEAD" }],
    ["POST with charges: false", { ...REFUND, charges: false }],
    ["DELETE with charges: false", { method: "DELETE", path: "/api/v1/x", charges: false }],
  ])("%s is retried, and has no outcome", async (_what, params) => {
    const recovers = await startMerchant([RETRIED, resetAfterReading, text(200, "ok")], RETRIES);
    const fails = await startMerchant(RETRIED, { maxRetries: 1 });

    const value = await recovers.payments.request(params);
    const error = await failureOf(fails.payments.request(params));

    expect(value).toBe(params.method === "HEAD" ? "" : "ok");
    expect(recovers.arrivals).toHaveLength(3);
    expect(new Set(recovers.arrivals.map(({ body }) => body)).size).toBe(1);
    expect(error).toMatchObject({ code: "server_error", outcome: "not_applicable", endpoint: "request" });
    expect(fails.arrivals).toHaveLength(2);
  });
});

test("a request without a body that gets a 421 is sent once, even if a tool wraps the global fetch", async () => {
  const platformFetch = globalThis.fetch;
  vi.stubGlobal("fetch", (...args: Parameters<typeof fetch>) => platformFetch(new Request(...args)));
  const { payments, arrivals } = await startMerchant(text(421, ""));

  const error = await failureOf(payments.request({ method: "DELETE", path: "/api/v1/x" }));

  expect(error).toMatchObject({ code: "api_error", outcome: "unknown" });
  expect(arrivals).toMatchObject([{ method: "DELETE", body: "" }]);
});

test("a GET that may charge needs a fetch that does not repeat it", async () => {
  const { payments, baseUrl, arrivals } = await startMerchant(text(500, ""), RETRIES);
  const custom = merchantAt(baseUrl, { ...RETRIES, fetch: (url, init) => fetch(url, init) });

  const refused = await failureOf(payments.request({ ...LOOKUP, charges: true }));
  const sent = await failureOf(custom.payments.request({ ...LOOKUP, charges: true }));

  expect(refused).toMatchObject({ outcome: "not_sent", issues: [{ field: "charges" }] });
  expect(sent).toMatchObject({ code: "server_error", outcome: "unknown" });
  expect(arrivals).toHaveLength(1);
});

test.each<[string, Reply, unknown]>([
  ["JSON", json(200, [{ id: 1 }]), [{ id: 1 }]],
  ["JSON that is whole, even if its connection fails", resetInBody(200, '{"id":4021}'), { id: 4021 }],
  ["JSON without its content type", text(200, '{"id":1}'), { id: 1 }],
  ["a text", text(201, "created"), "created"],
  ["a text of digits", text(200, "0012345678901234567"), "0012345678901234567"],
  ["an empty 204", text(204, ""), ""],
])("the value is %s", async (_what, reply, value) => {
  const { payments } = await startMerchant(reply);

  const { data, response } = await payments.request(REFUND).withResponse();

  expect([data, response.status >= 200]).toEqual([value, true]);
});

test.each([
  ["`fetch` has followed a redirect", {}, { value: true }],
  ["the body has too many values", Array(250_001).fill(1), { value: false }],
])("a 200 proves nothing about the request if %s", async (message, body, redirected) => {
  const fetch = async () => Object.defineProperty(Response.json(body), "redirected", redirected);
  const { payments } = merchantAt("https://pay.example", { fetch });

  const error = await failureOf(payments.request(REFUND));

  expect(error).toMatchObject({ code: "unexpected_response", outcome: "unknown", issues: [{ message }] });
});

test('a client without keys can send auth: "none"; otherwise the keys are required', async () => {
  const { baseUrl, arrivals } = await startServer(json(200, 1), json(401, {}));
  const payments = new PaymentsClient({ baseUrl });

  expect(await payments.request({ ...LOOKUP, auth: "none", query: { publicKey: "pk_1" } })).toBe(1);
  const unauthorized = await failureOf(payments.request({ ...LOOKUP, auth: "none" }));
  const withoutKeys = await failureOf(payments.request(REFUND));

  expect(arrivals.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
  expect(unauthorized.message).toBe(
    'This call sends no key, yet the response is 401: check the base URL, or set `auth` to "basic".',
  );
  expect(withoutKeys).toMatchObject({ code: "configuration", outcome: "not_sent" });
});

test("all invalid parameters are reported together, before anything is sent", async () => {
  const { payments, arrivals } = await startMerchant(json(200, {}));
  const params = { method: "TRACE", path: "x", qurey: {}, query: { a: {} }, body: 1n, auth: "x", charges: 1 };

  const error = await failureOf(payments.request(params as never, { timeout: 0 }));
  const withoutAny = await failureOf(payments.request(null as never));

  expect(withoutAny).toMatchObject({ issues: [{ field: "" }, { field: "method" }, { field: "path" }] });
  expect(error).toMatchObject({ code: "invalid_request", outcome: "not_sent", endpoint: "request" });
  const { issues } = error as InvalidRequestError;
  const fields = ["auth", "body", "charges", "method", "options.timeout", "path", "query.a", "qurey"];
  expect(issues.map(({ field }) => field).sort()).toEqual(fields);
  expect(issues).toContainEqual({ field: "qurey", message: "is not an option (did you mean query?)" });
  expect(arrivals).toHaveLength(0);
});

const CYCLIC: Record<string, unknown> = { toJSON: () => "2026-11-23" };
CYCLIC["self"] = CYCLIC;

test.each<[object, string, string]>([
  [{ ...REFUND, query: { since: CYCLIC } }, "query.since", "not_sent"],
  [{ ...LOOKUP, body: {} }, "body", "not_applicable"],
  [{ ...LOOKUP, method: "HEAD", body: null }, "body", "not_applicable"],
  [{ ...LOOKUP, method: "CONNECT" }, "method", "not_sent"],
  [{ ...LOOKUP, method: "get" }, "method", "not_sent"],
  [{ ...REFUND, body: () => 1 }, "body", "not_sent"],
  [{ ...REFUND, charges: false, auth: "publicKey" }, "auth", "not_applicable"],
  [{ ...REFUND, body: new URLSearchParams({ amount: "100" }) }, "body", "not_sent"],
  [{ ...REFUND, body: { filter: new Map([["amount", 100]]) } }, "body.filter", "not_sent"],
  [{ ...REFUND, body: new HiddenAmount() }, "body", "not_sent"],
  [{ ...REFUND, body: { toJSON: () => new Set([1]) } }, "body", "not_sent"],
  [{ ...REFUND, body: { amount: Number.NaN } }, "body.amount", "not_sent"],
  [{ ...REFUND, body: { items: [Number.POSITIVE_INFINITY] } }, "body.0", "not_sent"],
  [{ ...REFUND, body: { at: new Date(Number.NaN) } }, "body.at", "not_sent"],
  [{ ...REFUND, query: new URLSearchParams({ page: "2" }) }, "query", "not_sent"],
  [{ ...REFUND, query: new Map([["page", 2]]) }, "query", "not_sent"],
  [{ ...REFUND, query: "a=1" }, "query", "not_sent"],
  [{ ...REFUND, query: { a: Number.NaN } }, "query.a", "not_sent"],
  [{ ...REFUND, query: { a: "\ud800" } }, "query.a", "not_sent"],
  [{ ...REFUND, query: { "a\ud800": 1 } }, "query.a\ud800", "not_sent"],
])("%o: %s", async (params, field, outcome) => {
  const error = await failureOf(merchantAt("https://pay.example").payments.request(params as RequestParams));

  expect(error).toMatchObject({ code: "invalid_request", outcome, issues: [{ field }] });
});

test.each<[string, unknown, string]>([
  ["an instance with data", Object.assign(new HiddenAmount(), { id: 7 }), '{"id":7}'],
  ["an object without a prototype", Object.assign(Object.create(null), { id: 7 }), '{"id":7}'],
  [
    "a date",
    { at: new Date(0), none: null, empty: {} },
    '{"at":"1970-01-01T00:00:00.000Z","none":null,"empty":{}}',
  ],
])("the body may contain %s", async (_what, body, sent) => {
  const { payments, arrivals } = await startMerchant(json(200, {}));

  await payments.request({ ...REFUND, body });

  expect(arrivals[0]?.body).toBe(sent);
});

test("the options of create calls and reads are unknown", async () => {
  const { payments } = merchantAt("https://pay.example");

  for (const options of [{ extraBody: {} }, { wait: 1 }, { replaceLost: true }, { extraQuery: {} }]) {
    const error = await failureOf(payments.request(REFUND, options as object));
    expect(error).toMatchObject({ issues: [{ field: `options.${Object.keys(options)[0]}` }] });
  }
});

test("the body is read once, when the call is made", async () => {
  const { payments, arrivals } = await startMerchant(json(200, {}));
  const ids = [1, 2];
  const body = {
    amount: 5,
    get id() {
      return ids.shift();
    },
  };

  const call = payments.request({ ...REFUND, body });
  body.amount = 6;
  await call;

  expect(arrivals[0]?.body).toBe('{"amount":5,"id":1}');
  expect(arrivals[0]?.headers["content-type"]).toBe("application/json");
});

test("the idempotency store is not used", async () => {
  const { payments, arrivals } = await startMerchant(json(200, {}), { idempotency: memoryStore() });
  const body = { externalRef: "order-1" };

  await payments.request({ ...REFUND, body });
  await payments.request({ ...REFUND, body });

  expect(arrivals).toHaveLength(2);
});

test("events have the endpoint request, and not the body", async () => {
  const { payments, events } = await startMerchant([RETRIED, text(409, "no")], { maxRetries: 1 });

  await failureOf(payments.request(LOOKUP));
  await failureOf(payments.request({ ...REFUND, body: { secret: "body-7f3a" } }));

  const types = [
    "request",
    "response",
    "retry",
    "request",
    "response",
    "error",
    "request",
    "response",
    "error",
  ];
  expect(events).toMatchObject(types.map((type) => ({ type, endpoint: "request" })));
  expect(events[0]).toMatchObject({ method: "GET", path: LOOKUP.path });
  expect(inspect([events, JSON.stringify(events)], { depth: 9 })).not.toContain("body-7f3a");
});

test.each<[string, object, string]>([
  ["a card number under any name", { card: "5555 4444 3333 1111" }, "5555 4444 3333 1111"],
  ["a card number with other spaces", { card: "5555\u00a04444  3333 1111" }, "1111"],
  ["a security code", { ccv: "9173" }, "9173"],
  ["a text of JSON", { payload: JSON.stringify({ cvv: "9173" }) }, "9173"],
  ["a key", { settings: { apiKey: "k-4f9c" } }, "k-4f9c"],
  ["an address that is called back", { webhook_uri: "https://loja.example/w/4f9c" }, "/w/4f9c"],
])("what a response repeats of the request is redacted: %s", async (_what, body, secret) => {
  const message = JSON.stringify(body);
  const { payments, events } = await startMerchant(json(400, { message, errors: [{ field: "a", message }] }));

  const error = await failureOf(payments.request({ ...REFUND, body }));

  expect(inspect([error, events, JSON.stringify(error)], { depth: 9 })).not.toContain(secret);
});

test("a card number is redacted in another notation, and an id of as many digits is not", async () => {
  const { payments } = await startMerchant(json(400, { message: "5555444433331111 since 1700000000000" }));

  const body = { card: "5555 4444 3333 1111", since: 1_700_000_000_000 };
  const error = await failureOf(payments.request({ ...REFUND, body }));

  expect(error.message).toContain("[redacted] since 1700000000000");
});

test.each([
  ["many secrets", JSON.stringify({ hash: Array.from({ length: 200_000 }, (_, index) => `hash-${index}`) })],
  ["a text of deeply nested JSON", `${"[".repeat(100_000)}${"]".repeat(100_000)}`],
])("a body may contain %s", async (_what, payload) => {
  const { payments, arrivals } = await startMerchant(json(200, {}));

  await payments.request({ ...REFUND, body: { payload } });

  expect(arrivals).toHaveLength(1);
});
