import { CardTokenizer, ConfigurationError, PaymentsClient, type PaymentsClientOptions } from "payments-sdk";
import { memoryStore } from "payments-sdk/idempotency";
import { describe, expect, test, vi } from "vitest";
import { startServer } from "../support/http-server.ts";
import { aCard, aPix, failureOf, merchantAt, thrownBy, tokenizerAt } from "../support/merchant.ts";
import { created, healthy } from "../support/service-responses.ts";
import { startMerchant } from "../support/start-merchant.ts";

const client = (options: unknown) => () => new PaymentsClient(options as PaymentsClientOptions);
const tokenizer = (options: unknown) => () => new CardTokenizer(options as PaymentsClientOptions);

/** The messages of client and tokenizer for invalid options. */
function messagesFor(options: object): string[] {
  return [client(options), tokenizer(options)].map((construct) => {
    const error = thrownBy(construct);
    expect(error).toBeInstanceOf(ConfigurationError);
    return error.message;
  });
}

describe("the base URL", () => {
  test.each([
    ["https://pay.example:8443/gateway/tenant"],
    ["https://pay.example/api/v10"], // another version of the API
    ["http://localhost:3000"],
    ["http://127.8.9.10"],
    ["HTTPS://PAY.EXAMPLE"],
  ])("may be %s", (baseUrl) => {
    expect(client({ baseUrl })()).toBeInstanceOf(PaymentsClient);
  });

  test.each([
    ["pay.example", "must be an absolute URL"],
    [7, "must be an absolute URL"],
    [new URL("https://pay.example"), "must be an absolute URL"],
    ["file:///etc/passwd", "must start with https://"],
    ["https://secret-user@pay.example", "must not have a user, password, query or fragment"],
    ["https://:secret-word@pay.example", "must not have a user, password, query or fragment"],
    ["https://pay.example?secret=1", "must not have a user, password, query or fragment"],
    ["https://pay.example/api/v1/", "must end before /api/v1"],
    ["https://pay.example/x/api/v1/transactions", "must end before /api/v1"],
    ["http://10.0.0.1", "is http, which would send the keys unencrypted"],
    ["http://localhost.evil.example", "is http, which would send the keys unencrypted"],
    ["http://127.0.0.1.evil.example", "is http, which would send the keys unencrypted"],
  ])("must not be %s", (baseUrl, message) => {
    for (const thrown of messagesFor({ baseUrl })) {
      expect(thrown).toContain(message);
      expect(thrown).not.toMatch(/secret|evil|passwd/);
    }
  });

  test("may be http anywhere with allowInsecureHttp", () => {
    const options = { baseUrl: "http://10.0.0.1", allowInsecureHttp: true };

    expect(client(options)()).toBeInstanceOf(PaymentsClient);
    expect(tokenizer(options)()).toBeInstanceOf(CardTokenizer);
  });

  test.each(["", "/", "/gateway", "/gateway//"])(
    "with the path %j is the prefix of every path",
    async (path) => {
      const { baseUrl, arrivals } = await startServer(healthy);

      await merchantAt(baseUrl + path).payments.status.retrieve();

      expect(arrivals[0]?.url).toBe(`${path.replace(/\/+$/, "")}/api/v1/status`);
    },
  );
});

describe("the constructor throws for an invalid option", () => {
  test.each<[object, string]>([
    [{ timeout: 0 }, "timeout must be a number of milliseconds above zero"],
    [{ timeout: Number.NaN }, "timeout must be"],
    [{ timeout: 2 ** 31 }, "timeout must be"], // a longer timer would fire at once
    [{ timeout: null }, "timeout must be"],
    [{ maxRetries: -1 }, "maxRetries must be a whole number, zero or more"],
    [{ maxRetries: Number.POSITIVE_INFINITY }, "maxRetries must be"],
    [{ fetch: null }, "fetch must be a function"],
    [{ onEvent: console }, "onEvent must be a function"],
    [{ headers: { "x a": "1" } }, "headers must be valid HTTP headers"],
  ])("%o", (options, message) => {
    for (const thrown of messagesFor(options)) expect(thrown).toContain(message);
  });

  test.each<[object, string]>([
    [{ postbackUrl: "/postbacks" }, "postbackUrl must be an absolute http or https URL"],
    [{ postbackUrl: " " }, "postbackUrl must be an absolute http or https URL"],
    [{ postbackUrl: "ftp://loja.example" }, "postbackUrl must be an absolute http or https URL"],
    [{ postbackSigner: { sign: "x" } }, "postbackSigner must be a PostbackUrlSigner."],
    [{ idempotency: null }, "idempotency must be a store"],
    [{ idempotency: { claim: () => {}, renew: () => {} } }, "idempotency must be a store"],
    [{ idempotency: memoryStore }, "idempotency must be a store"],
    [{ sellersPath: "sellers" }, "sellersPath must be a path that starts with a slash"],
    [{ sellersPath: "/sellers?page=2" }, "sellersPath must be"],
    [{ sellersPath: "/" }, "sellersPath must be"],
    [{ sellersAuth: "bearer" }, 'sellersAuth must be "basic" or "none"'],
    [{ baseURL: "x" }, "baseURL is not an option (did you mean baseUrl?)"],
    [{ sk_mine_7: "x" }, "[redacted] is not an option."],
    [{ colour: "blue" }, "colour is not an option. Nothing was sent"],
  ])("%o, of the client", (options, message) => {
    const error = thrownBy(client(options));

    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error.message).toContain(message);
  });

  test.each<[string, () => unknown, string]>([
    ["null", client(null), "options must be an object"],
    ["a string", client("sk_mine_7"), "options must be an object"],
    ["undefined, for a tokenizer", tokenizer(undefined), "options must be an object"],
    ["a secret key for a tokenizer", tokenizer({ secretKey: "sk_mine_7" }), "secretKey is not an option"],
  ])("%s, without repeating it", (_what, construct, expected) => {
    const { message } = thrownBy(construct);

    expect(message).toContain(expected);
    expect(message).not.toContain("mine");
  });
});

describe("an invalid option of a call fails it before it is sent", () => {
  test.each<[unknown, string, string]>([
    [{ timeout: 0 }, "options.timeout", "must be a number of milliseconds above zero, at most 2147483647"],
    [{ signal: {} }, "options.signal", "must be an AbortSignal"],
    [{ headers: 7 }, "options.headers", "must be valid HTTP headers"],
    [{ headers: { "x-a": "1\r\nx-b: 2" } }, "options.headers", "must be valid HTTP headers"],
    [{ timeOut: 5 }, "options.timeOut", "is not an option (did you mean timeout?)"],
    [{ ["x".repeat(500)]: 1 }, `options.${"x".repeat(64)}...`, "is not an option"],
    [null, "options", "must be an object"],
    [() => undefined, "options", "must be an object"],
  ])("%o", async (options, field, message) => {
    const { payments, arrivals, baseUrl } = await startMerchant(created());

    const create = await failureOf(payments.transactions.createPix(aPix(), options as object));
    const read = await failureOf(payments.company.retrieve(options as object));
    const token = await failureOf(tokenizerAt(baseUrl).tokenize(aCard(), options as object));

    const expected = { code: "invalid_request", issues: [{ field, message }] };
    expect(create).toMatchObject({ ...expected, outcome: "not_sent" });
    expect(read).toMatchObject({ ...expected, outcome: "not_applicable" });
    expect(token).toMatchObject({ ...expected, outcome: "not_applicable" });
    expect(arrivals).toHaveLength(0);
  });

  test("options that cannot be read", async () => {
    const { payments } = merchantAt("https://pay.example");
    const options = Object.defineProperty({}, "timeout", { get: () => JSON.parse("{"), enumerable: true });

    const create = await failureOf(payments.transactions.createPix(aPix(), options));
    const read = await failureOf(payments.company.retrieve(options));

    expect(create).toMatchObject({ code: "invalid_request", outcome: "not_sent" });
    expect(read).toMatchObject({ code: "invalid_request", outcome: "not_applicable" });
  });

  const NO_WAIT = "must be a number of milliseconds, zero or more, at most 2147483647";

  test.each<[unknown, string]>([
    ...[-1, "5", 2_147_483_648, Number.NaN].map((wait): [unknown, string] => [wait, NO_WAIT]),
    [5, "needs a client with `idempotency`"],
  ])("{ wait: %j } of a create call", async (wait, message) => {
    const store = message === NO_WAIT ? { idempotency: memoryStore() } : {};
    const { payments } = merchantAt("https://pay.example", store);

    const error = await failureOf(payments.transactions.createPix(aPix(), { wait: wait as number }));

    expect(error).toMatchObject({ outcome: "not_sent", issues: [{ field: "options.wait", message }] });
  });

  test("headers are read once, so that a getter cannot change them after the check", async () => {
    const { baseUrl, arrivals } = await startServer(healthy);
    const values: unknown[] = [{ "x-a": "1" }, { "x a": "1" }];
    const options = {
      get headers() {
        return values.shift() as HeadersInit;
      },
    };

    await merchantAt(baseUrl).payments.status.retrieve(options);

    expect(arrivals[0]?.headers).toHaveProperty("x-a", "1");
  });
});

test.each([undefined, null, {}])(
  "if the global fetch is %j nothing is sent, the error names the option, and the order is not claimed",
  async (fetch) => {
    vi.stubGlobal("fetch", fetch);
    const store = memoryStore();
    const { payments } = merchantAt("https://pay.example", { idempotency: store });

    const errors = [
      await failureOf(payments.transactions.createPix(aPix())),
      await failureOf(payments.company.retrieve()),
    ];

    const message = expect.stringContaining("set `fetch`");
    expect(errors).toMatchObject([
      { code: "configuration", message, outcome: "not_sent" },
      { code: "configuration", message },
    ]);
    expect(await store.get("order-1")).toBeUndefined();
  },
);
