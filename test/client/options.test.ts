import { CardTokenizer, ConfigurationError, PaymentsClient, type PaymentsClientOptions } from "payments-sdk";
import { memoryStore } from "payments-sdk/idempotency";
import { describe, expect, test } from "vitest";
import { startServer } from "../support/http-server.ts";
import { aCard, aPix, failureOf, merchantAt, thrownBy, tokenizerAt } from "../support/merchant.ts";
import { created, healthy } from "../support/service-answers.ts";

const client = (options: object) => () => new PaymentsClient(options as PaymentsClientOptions);
const tokenizer = (options: object) => () => new CardTokenizer(options as PaymentsClientOptions);

describe("the base URL", () => {
  test.each([
    ["https://pay.example"],
    ["https://pay.example/"],
    ["https://pay.example:8443/gateway/tenant"],
    ["https://pay.example/api/v10"], // another version is another path
    ["https://pay.example/api/v1x/"],
    ["http://localhost:3000"],
    ["http://shop.localhost"],
    ["http://127.0.0.1:3000"],
    ["http://127.8.9.10"],
    ["http://[::1]:3000"],
    ["HTTPS://PAY.EXAMPLE"],
  ])("may be %s", (baseUrl) => {
    expect(client({ baseUrl })()).toBeInstanceOf(PaymentsClient);
  });

  test.each([
    ["pay.example", "must be an absolute URL"],
    ["/api", "must be an absolute URL"],
    ["https://", "must be an absolute URL"],
    [7, "must be an absolute URL"],
    [new URL("https://pay.example"), "must be an absolute URL"],
    ["ftp://pay.example", "must start with https://"],
    ["file:///etc/passwd", "must start with https://"],
    ["https://secret-user@pay.example", "must have no user, password, query or fragment"],
    ["https://:secret-word@pay.example", "must have no user, password, query or fragment"],
    ["https://pay.example?secret=1", "must have no user, password, query or fragment"],
    ["https://pay.example#secret", "must have no user, password, query or fragment"],
    ["https://pay.example/api/v1", "must end before /api/v1"],
    ["https://pay.example/api/v1/", "must end before /api/v1"],
    ["https://pay.example/x/api/v1/transactions", "must end before /api/v1"],
    ["http://pay.example", "is http, which would send the keys unprotected"],
    ["http://10.0.0.1", "is http, which would send the keys unprotected"],
    ["http://localhost.evil.example", "is http, which would send the keys unprotected"],
    ["http://127.0.0.1.evil.example", "is http, which would send the keys unprotected"],
  ])("must not be %s", (baseUrl, message) => {
    for (const construct of [client({ baseUrl }), tokenizer({ baseUrl })]) {
      const error = thrownBy(construct);

      expect(error).toBeInstanceOf(ConfigurationError);
      expect(error.message).toContain(message);
      expect(error.message).not.toMatch(/secret|evil|passwd/);
    }
  });

  test("may be http anywhere for those who allow it", () => {
    const options = { baseUrl: "http://10.0.0.1", allowInsecureHttp: true };

    expect(client(options)()).toBeInstanceOf(PaymentsClient);
    expect(tokenizer(options)()).toBeInstanceOf(CardTokenizer);
  });

  test.each(["", "/", "/gateway", "/gateway/", "/gateway//"])(
    "with the path %j comes before every path",
    async (path) => {
      const { baseUrl, arrivals } = await startServer(healthy);
      const { payments } = merchantAt(baseUrl + path);

      await payments.status.retrieve();

      expect(arrivals[0]?.url).toBe(`${path.replace(/\/+$/, "")}/api/v1/status`);
    },
  );
});

describe("an option that cannot work is refused at once", () => {
  test.each<[object, string]>([
    [{ timeout: 0 }, "timeout must be a number of milliseconds above zero"],
    [{ timeout: -1 }, "timeout must be"],
    [{ timeout: Number.NaN }, "timeout must be"],
    [{ timeout: Number.POSITIVE_INFINITY }, "timeout must be"],
    [{ timeout: 2 ** 31 }, "timeout must be"], // a timer that long fires at once
    [{ timeout: "30" }, "timeout must be"],
    [{ timeout: null }, "timeout must be"],
    [{ maxRetries: -1 }, "maxRetries must be a whole number, zero or more"],
    [{ maxRetries: 1.5 }, "maxRetries must be"],
    [{ maxRetries: Number.POSITIVE_INFINITY }, "maxRetries must be"],
    [{ maxRetries: "2" }, "maxRetries must be"],
    [{ fetch: "node-fetch" }, "fetch must be a function"],
    [{ fetch: null }, "fetch must be a function"],
    [{ onEvent: console }, "onEvent must be a function"],
    [{ headers: { "x a": "1" } }, "headers must be headers that HTTP allows"],
    [{ headers: 7 }, "headers must be headers that HTTP allows"],
  ])("%o", (options, message) => {
    for (const construct of [client(options), tokenizer(options)]) {
      const error = thrownBy(construct);

      expect(error).toBeInstanceOf(ConfigurationError);
      expect(error.message).toContain(message);
    }
  });

  test.each<[object, string]>([
    [{ postbackUrl: "/postbacks" }, "postbackUrl must be an absolute URL"],
    [{ postbackUrl: "ftp://loja.example" }, "postbackUrl must be an absolute URL"],
    [{ postbackUrl: "https://" }, "postbackUrl must be an absolute URL"],
    [{ postbackUrl: 7 }, "postbackUrl must be an absolute URL"],
    [{ sellersPath: "sellers" }, "sellersPath must be a path that starts with a slash"],
    [{ sellersPath: "/sellers?page=2" }, "sellersPath must be"],
    [{ sellersPath: "/" }, "sellersPath must be"],
    [{ sellersAuth: "bearer" }, 'sellersAuth must be "basic" or "none"'],
  ])("%o, of the client", (options, message) => {
    const error = thrownBy(client({ baseUrl: "https://pay.example", ...options }));

    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error.message).toContain(message);
  });

  test.each<[string, () => unknown]>([
    ["null", client(null as unknown as object)],
    ["a text", client("sk_mine_7" as unknown as object)],
    ["nothing, to a tokenizer", tokenizer(undefined as unknown as object)],
  ])("options that are none: %s", (_what, construct) => {
    const error = thrownBy(construct);

    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error.message).toContain("options must be an object");
    expect(error.message).not.toContain("mine");
  });
});

describe("an option that nobody reads", () => {
  test.each<[object, string]>([
    [{ baseURL: "x" }, "baseURL is not an option (did you mean baseUrl?)"],
    [{ secret_key: "x" }, "secret_key is not an option (did you mean secretKey?)"],
    [{ timeOut: 5 }, "timeOut is not an option (did you mean timeout?)"],
    [{ maxRetry: 5 }, "maxRetry is not an option (did you mean maxRetries?)"],
    [{ [`sk_mine_7`]: "x" }, "[redacted] is not an option."],
    [{ colour: "blue" }, "colour is not an option. Nothing was sent"],
  ])("%o is refused with the nearest name", (options, message) => {
    const error = thrownBy(client(options));

    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error.message).toContain(message);
  });

  test("a secret key is no option of a tokenizer, and is not repeated", () => {
    const error = thrownBy(tokenizer({ secretKey: "sk_mine_7" }));

    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error.message).toContain("secretKey is not an option");
    expect(error.message).not.toContain("sk_mine_7");
  });
});

describe("an option of a call that cannot work stops it before it is sent", () => {
  test.each<[object, string, string]>([
    [{ timeout: 0 }, "options.timeout", "must be a number of milliseconds above zero, at most 2147483647"],
    [{ timeout: "5" }, "options.timeout", "must be a number of milliseconds above zero, at most 2147483647"],
    [{ signal: {} }, "options.signal", "must be an AbortSignal"],
    [{ headers: 7 }, "options.headers", "must be headers that HTTP allows"],
    [{ timeOut: 5 }, "options.timeOut", "is not an option (did you mean timeout?)"],
  ])("%o", async (options, field, message) => {
    const { baseUrl, arrivals } = await startServer(created());
    const { payments } = merchantAt(baseUrl);

    const create = await failureOf(payments.transactions.createPix(aPix(), options as object));
    const read = await failureOf(payments.company.retrieve(options as object));
    const token = await failureOf(tokenizerAt(baseUrl).tokenize(aCard(), options as object));

    expect(create).toMatchObject({
      code: "invalid_request",
      outcome: "not_sent",
      issues: [{ field, message }],
    });
    for (const error of [read, token]) {
      expect(error).toMatchObject({
        code: "invalid_request",
        outcome: "not_applicable",
        issues: [{ field, message }],
      });
    }
    expect(arrivals).toHaveLength(0);
  });

  test.each([-1, "5", 2_147_483_648, Number.NaN])("{ wait: %j } of a create", async (wait) => {
    const { baseUrl, arrivals } = await startServer(created());
    const { payments } = merchantAt(baseUrl, { idempotency: memoryStore() });

    const error = await failureOf(payments.transactions.createPix(aPix(), { wait: wait as number }));

    const message = "must be a number of milliseconds, zero or more, at most 2147483647";
    expect(error).toMatchObject({ code: "invalid_request", outcome: "not_sent" });
    expect(error).toMatchObject({ issues: [{ field: "options.wait", message }] });
    expect(arrivals).toHaveLength(0);
  });

  test("{ wait } of a client without a store", async () => {
    const { payments } = merchantAt("https://pay.example");

    const error = await failureOf(payments.transactions.createPix(aPix(), { wait: 5 }));

    const issue = { field: "options.wait", message: "needs a client with `idempotency`" };
    expect(error).toMatchObject({ outcome: "not_sent", issues: [issue] });
  });

  test.each<[string, unknown]>([
    ["null", null],
    ["a text", "fast"],
    ["a function", () => undefined],
  ])("options that are none: %s", async (_what, options) => {
    const { payments } = merchantAt("https://pay.example");

    const error = await failureOf(payments.transactions.createPix(aPix(), options as object));

    expect(error).toMatchObject({ issues: [{ field: "options", message: "must be an object" }] });
  });

  test("options that cannot be read", async () => {
    const { payments } = merchantAt("https://pay.example");
    const options = Object.defineProperty({}, "timeout", { get: () => JSON.parse("{"), enumerable: true });

    const create = await failureOf(payments.transactions.createPix(aPix(), options));
    const read = await failureOf(payments.company.retrieve(options));

    expect(create).toMatchObject({ code: "invalid_request", outcome: "not_sent" });
    expect(read).toMatchObject({ code: "invalid_request", outcome: "not_applicable" });
  });

  test("headers are read once, so that a getter with a second answer changes nothing", async () => {
    const { baseUrl, arrivals } = await startServer(healthy);
    const { payments } = merchantAt(baseUrl);
    const answers: unknown[] = [{ "x-a": "1" }, { "x a": "1" }];
    const options = {
      get headers() {
        return answers.shift() as HeadersInit;
      },
    };

    await payments.status.retrieve(options);

    expect(arrivals[0]?.headers).toHaveProperty("x-a", "1");
  });

  test("a name that is a whole text is cut off", async () => {
    const { payments } = merchantAt("https://pay.example");

    const error = await failureOf(payments.status.retrieve({ ["x".repeat(500)]: 1 } as object));

    expect(error).toMatchObject({
      issues: [{ field: `options.${"x".repeat(64)}...`, message: "is not an option" }],
    });
  });

  test("extraBody is an option of creates only", async () => {
    const { payments } = merchantAt("https://pay.example");

    const error = await failureOf(payments.company.retrieve({ extraBody: {} } as object));

    expect(error).toMatchObject({ issues: [{ field: "options.extraBody" }] });
  });
});
