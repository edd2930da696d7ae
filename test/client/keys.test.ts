import { CardTokenizer, ConfigurationError, PaymentsClient, type PaymentsClientOptions } from "payments-sdk";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { startServer } from "../support/http-server.ts";
import {
  aCard,
  aCardPayment,
  aPix,
  failureOf,
  merchantAt,
  PUBLIC_KEY,
  SECRET_KEY,
  thrownBy,
} from "../support/merchant.ts";
import { created } from "../support/service-answers.ts";

const BASE = { baseUrl: "https://pay.example" };

// Keys of the machine that runs the tests must not make them pass.
beforeEach(() => {
  for (const name of ["PAYMENTS_BASE_URL", "PAYMENTS_SECRET_KEY", "PAYMENTS_PUBLIC_KEY"])
    vi.stubEnv(name, undefined);
});
afterEach(() => vi.unstubAllEnvs());

describe("a key that cannot be one is refused at once, without being repeated", () => {
  test.each<[string, object, string]>([
    [
      "swapped",
      { secretKey: "pk_mine_7" },
      "secretKey starts with pk_: the two keys are swapped. It must start with sk_.",
    ],
    ["swapped", { publicKey: "sk_mine_7" }, "publicKey starts with sk_: the two keys are swapped"],
    ["without its prefix", { secretKey: "mine_7" }, "secretKey must start with sk_"],
    ["without its prefix", { publicKey: "mine_7" }, "publicKey must start with pk_"],
    ["in capitals", { secretKey: "SK_mine_7" }, "secretKey must start with sk_"],
    ["with a space before", { secretKey: " sk_mine_7" }, "secretKey must start with sk_"],
    ["with a colon", { secretKey: "sk_mine_7:x" }, "secretKey must have no spaces, colons"],
    ["with a colon", { publicKey: "pk_mine_7:x" }, "publicKey must have no spaces, colons"],
    ["with a line break", { secretKey: "sk_mine_7\n" }, "secretKey must have no spaces, colons"],
    ["with a space", { publicKey: "pk_mine 7" }, "publicKey must have no spaces, colons"],
    ["outside ASCII", { secretKey: "sk_mine_7é" }, "secretKey must have no spaces, colons"],
    ["only a prefix with a space", { secretKey: "sk_ " }, "secretKey must have no spaces, colons"],
    ["a number", { secretKey: 7 }, "secretKey must be a string"],
  ])("%s: %o", (_what, options, message) => {
    const error = thrownBy(() => new PaymentsClient({ ...BASE, ...options } as PaymentsClientOptions));

    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error).toMatchObject({ code: "configuration", outcome: "not_sent", actor: "merchant" });
    expect(error.message).toContain(message);
    expect(error.message).not.toContain("mine");
  });

  test("by the tokenizer too", () => {
    const error = thrownBy(() => new CardTokenizer({ ...BASE, publicKey: "sk_mine_7" }));

    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error.message).toContain("publicKey starts with sk_");
    expect(error.message).not.toContain("mine");
  });
});

describe("a missing key is told at the first call that needs it", () => {
  test.each<[string, PaymentsClientOptions, string]>([
    [
      "secretKey",
      { publicKey: PUBLIC_KEY },
      "There is no secret key: give `secretKey`, or set PAYMENTS_SECRET_KEY",
    ],
    [
      "publicKey",
      { secretKey: SECRET_KEY },
      "There is no public key: give `publicKey`, or set PAYMENTS_PUBLIC_KEY",
    ],
    ["secretKey, which is empty", { secretKey: "", publicKey: PUBLIC_KEY }, "There is no secret key"],
  ])("%s", async (_which, keys, message) => {
    const payments = new PaymentsClient({ ...BASE, ...keys });

    const error = await failureOf(payments.transactions.createCard(aCardPayment()));

    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error).toMatchObject({
      outcome: "not_sent",
      endpoint: "transactions.create",
      externalRef: "order-1",
    });
    expect(error.message).toContain(message);
  });

  test.each<[PaymentsClientOptions, string]>([
    [
      {},
      "There is no secret key, no public key, no base URL: give `secretKey`, `publicKey`, `baseUrl`, or set " +
        "PAYMENTS_SECRET_KEY, PAYMENTS_PUBLIC_KEY, PAYMENTS_BASE_URL.",
    ],
    [
      { publicKey: PUBLIC_KEY },
      "There is no secret key, no base URL: give `secretKey`, `baseUrl`, or set PAYMENTS_SECRET_KEY, PAYMENTS_BASE_URL.",
    ],
  ])("with all else that is missing: a client of %j", async (options, message) => {
    const payments = new PaymentsClient(options);

    const error = await failureOf(payments.company.retrieve());

    expect(error.message).toBe(message);
  });

  test("on a read it has no outcome", async () => {
    const payments = new PaymentsClient(BASE);

    const error = await failureOf(payments.company.retrieve());

    expect(error).toMatchObject({
      code: "configuration",
      outcome: "not_applicable",
      endpoint: "company.retrieve",
    });
  });

  test.each<[string, () => PromiseLike<unknown>]>([
    ["the client", () => new PaymentsClient(BASE).cardTokens.create(aCard())],
    ["the tokenizer", () => new CardTokenizer(BASE).tokenize(aCard())],
  ])("a tokenization by %s needs the public one only", async (_who, call) => {
    const error = await failureOf(call());

    expect(error).toMatchObject({ code: "configuration", endpoint: "cardTokens.create" });
    expect(error.message).toContain("There is no public key");
  });

  test("so a client without anything can be made, as a build without secrets does", async () => {
    const payments = new PaymentsClient();

    const error = await failureOf(payments.status.retrieve());

    expect(error).toMatchObject({
      code: "configuration",
      outcome: "not_applicable",
      endpoint: "status.retrieve",
    });
    expect(error.message).toContain(
      "There is no base URL: give `baseUrl`. PaymentsClient also reads PAYMENTS_BASE_URL",
    );
  });

  test("a create without a base URL was not sent", async () => {
    const payments = new PaymentsClient({ secretKey: SECRET_KEY, publicKey: PUBLIC_KEY });

    const error = await failureOf(payments.transactions.createPix(aPix()));

    expect(error).toMatchObject({ code: "configuration", outcome: "not_sent", externalRef: "order-1" });
  });
});

describe("the environment says what the options do not", () => {
  test("base URL and keys", async () => {
    const { baseUrl, arrivals } = await startServer(created());
    vi.stubEnv("PAYMENTS_BASE_URL", baseUrl);
    vi.stubEnv("PAYMENTS_SECRET_KEY", "sk_env");
    vi.stubEnv("PAYMENTS_PUBLIC_KEY", "pk_env");

    await new PaymentsClient().transactions.createPix(aPix());

    expect(arrivals[0]?.headers.authorization).toBe(`Basic ${btoa("sk_env:pk_env")}`);
  });

  test("options go first", async () => {
    const { baseUrl, arrivals } = await startServer(created());
    vi.stubEnv("PAYMENTS_BASE_URL", "https://other.example");
    vi.stubEnv("PAYMENTS_SECRET_KEY", "sk_env");
    vi.stubEnv("PAYMENTS_PUBLIC_KEY", "pk_env");
    const { payments } = merchantAt(baseUrl, { secretKey: "sk_option", publicKey: "pk_option" });

    await payments.transactions.createPix(aPix());

    expect(arrivals[0]?.headers.authorization).toBe(`Basic ${btoa("sk_option:pk_option")}`);
  });

  test("a variable that is empty is none", async () => {
    vi.stubEnv("PAYMENTS_SECRET_KEY", "");
    const { payments } = merchantAt("https://pay.example", { secretKey: undefined });

    const error = await failureOf(payments.company.retrieve());

    expect(error.message).toContain("There is no secret key");
  });

  test("a variable that is wrong is refused like an option", () => {
    vi.stubEnv("PAYMENTS_SECRET_KEY", "pk_env_7");

    const error = thrownBy(() => new PaymentsClient(BASE));

    expect(error.message).toContain("the two keys are swapped");
    expect(error.message).not.toContain("env_7");
  });

  test("where there is no environment, as in a browser, nothing is read", async () => {
    vi.stubGlobal("process", undefined);
    const payments = new PaymentsClient(BASE);
    vi.unstubAllGlobals();

    const error = await failureOf(payments.company.retrieve());

    expect(error.message).toContain("There is no secret key");
  });
});

describe("a secret key where window and document exist", () => {
  beforeEach(() => {
    vi.stubGlobal("window", {});
    vi.stubGlobal("document", {});
    return () => vi.unstubAllGlobals();
  });

  test("is refused: everybody could read it", () => {
    const error = thrownBy(
      () => new PaymentsClient({ ...BASE, secretKey: SECRET_KEY, publicKey: PUBLIC_KEY }),
    );

    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error.message).toContain("CardTokenizer");
    expect(error.message).not.toContain(SECRET_KEY);
  });

  test("is allowed to those who insist", () => {
    const options = { ...BASE, secretKey: SECRET_KEY, publicKey: PUBLIC_KEY, dangerouslyAllowBrowser: true };

    expect(new PaymentsClient(options)).toBeInstanceOf(PaymentsClient);
  });

  test("does not trouble a client with the public key only", () => {
    expect(new PaymentsClient({ ...BASE, publicKey: PUBLIC_KEY })).toBeInstanceOf(PaymentsClient);
  });

  test("is not looked for in a worker, which has no document", () => {
    vi.unstubAllGlobals();
    vi.stubGlobal("window", {});

    expect(new PaymentsClient({ ...BASE, secretKey: SECRET_KEY })).toBeInstanceOf(PaymentsClient);
  });
});
