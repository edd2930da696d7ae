import { CardTokenizer, ConfigurationError, PaymentsClient, type PaymentsClientOptions } from "payments-sdk";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { startServer } from "../support/http-server.ts";
import { aCard, aPix, failureOf, PUBLIC_KEY, SECRET_KEY, thrownBy } from "../support/merchant.ts";
import { created } from "../support/service-responses.ts";

const BASE = { baseUrl: "https://pay.example" };

// The environment of the machine that runs the tests must not make them pass.
beforeEach(() => {
  for (const name of ["PAYMENTS_BASE_URL", "PAYMENTS_SECRET_KEY", "PAYMENTS_PUBLIC_KEY"])
    vi.stubEnv(name, undefined);
});

describe("the constructor throws for an invalid key without repeating it", () => {
  const CHARACTERS = "must not contain spaces, colons";
  const SWAPPED = "the two keys are swapped";

  test.each<[string, object, string]>([
    ["swapped", { secretKey: "pk_mine_7" }, `secretKey starts with pk_: ${SWAPPED}. It must start with sk_.`],
    ["swapped", { publicKey: "sk_mine_7" }, `publicKey starts with sk_: ${SWAPPED}`],
    ["without its prefix", { secretKey: "mine_7" }, "secretKey must start with sk_"],
    ["without its prefix", { publicKey: "mine_7" }, "publicKey must start with pk_"],
    ["in capitals", { secretKey: "SK_mine_7" }, "secretKey must start with sk_"],
    ["with a colon", { secretKey: "sk_mine_7:x" }, `secretKey ${CHARACTERS}`],
    ["with a line break", { secretKey: "sk_mine_7\n" }, `secretKey ${CHARACTERS}`],
    ["with a space", { publicKey: "pk_mine 7" }, `publicKey ${CHARACTERS}`],
    ["outside ASCII", { secretKey: "sk_mine_7é" }, `secretKey ${CHARACTERS}`],
    ["a number", { secretKey: 7 }, "secretKey must be a string"],
  ])("%s: %o", (_what, options, message) => {
    const error = thrownBy(() => new PaymentsClient({ ...BASE, ...options } as PaymentsClientOptions));

    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error).toMatchObject({ code: "configuration", outcome: "not_sent", actor: "merchant" });
    expect(error.message).toContain(message);
    expect(error.message).not.toContain("mine");
  });
});

describe("a missing key is reported by the first call that needs it", () => {
  test.each<[PaymentsClientOptions, string]>([
    [{ ...BASE, publicKey: PUBLIC_KEY }, "The secret key is missing: set `secretKey`, or set PAYMENTS_SEC"],
    [{ ...BASE, secretKey: SECRET_KEY }, "The public key is missing: set `publicKey`, or set PAYMENTS_PUB"],
    [{ ...BASE, secretKey: "", publicKey: PUBLIC_KEY }, "The secret key"],
    [
      { publicKey: PUBLIC_KEY },
      "The secret key and the base URL are missing: set `secretKey`, `baseUrl`, or set PAYMENTS_SECRET_KEY, PAYMENTS_BASE_URL.",
    ],
    [{ secretKey: SECRET_KEY, publicKey: PUBLIC_KEY }, "The base URL is missing: set `baseUrl`"],
  ])("together with all other missing options: a client with %j", async (options, message) => {
    const payments = new PaymentsClient(options);

    const create = await failureOf(payments.transactions.createPix(aPix()));
    const read = await failureOf(payments.company.retrieve());

    expect(create).toMatchObject({ code: "configuration", outcome: "not_sent", externalRef: "order-1" });
    expect(read).toMatchObject({ code: "configuration", outcome: "not_applicable" });
    expect(create.message).toContain(message);
    expect(read.message).toContain(message);
  });

  const NO_KEY = "The public key is missing";
  const NO_URL = "The base URL is missing: set `baseUrl`. PaymentsClient also reads PAYMENTS_BASE_URL";

  test.each<[string, () => PromiseLike<unknown>, string]>([
    ["a tokenization needs a public key", () => new PaymentsClient(BASE).cardTokens.create(aCard()), NO_KEY],
    ["so does a tokenizer", () => new CardTokenizer(BASE).tokenize(aCard()), NO_KEY],
    ["the status call needs only a base URL", () => new PaymentsClient().status.retrieve(), NO_URL],
  ])("%s", async (_what, call, message) => {
    const error = await failureOf(call());

    expect(error).toMatchObject({ code: "configuration", message: expect.stringContaining(message) });
  });
});

describe("environment variables replace missing options", () => {
  const KEYS = { PAYMENTS_SECRET_KEY: "sk_env", PAYMENTS_PUBLIC_KEY: "pk_env" };
  const OPTIONS = { secretKey: "sk_option", publicKey: "pk_option" };

  test.each<[string, object, PaymentsClientOptions, string]>([
    ["and are read in the constructor", {}, {}, "sk_env:pk_env"],
    ["but options override them", { PAYMENTS_BASE_URL: "https://a.invalid" }, OPTIONS, "sk_option:pk_option"],
  ])("%s", async (_what, variables, options, credentials) => {
    const { baseUrl, arrivals } = await startServer(created());
    const all = { PAYMENTS_BASE_URL: baseUrl, ...KEYS, ...variables };
    for (const [name, value] of Object.entries(all)) vi.stubEnv(name, value);
    const payments = new PaymentsClient(options === OPTIONS ? { ...options, baseUrl } : options);

    await payments.transactions.createPix(aPix());

    expect(arrivals[0]?.headers.authorization).toBe(`Basic ${btoa(credentials)}`);
  });

  test.each<[string, () => unknown]>([
    ["an empty variable", () => vi.stubEnv("PAYMENTS_SECRET_KEY", "")],
    ["no environment, as in a browser,", () => vi.stubGlobal("process", undefined)],
  ])("%s is a missing option", async (_what, stub) => {
    stub();
    const payments = new PaymentsClient(BASE);
    vi.unstubAllGlobals();

    expect((await failureOf(payments.company.retrieve())).message).toContain("The secret key");
  });
});

describe("a secret key in a page", () => {
  const PAGE = { window: {}, document: {} };

  test("makes the constructor throw, because every visitor could read it", () => {
    for (const [name, value] of Object.entries(PAGE)) vi.stubGlobal(name, value);

    const error = thrownBy(() => new PaymentsClient({ ...BASE, secretKey: SECRET_KEY }));

    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error.message).toContain("CardTokenizer");
    expect(error.message).not.toContain(SECRET_KEY);
  });

  test.each<[string, PaymentsClientOptions, object]>([
    ["with dangerouslyAllowBrowser", { secretKey: SECRET_KEY, dangerouslyAllowBrowser: true }, PAGE],
    ["a client with a public key", { publicKey: PUBLIC_KEY }, PAGE],
    ["in a worker, which has no document", { secretKey: SECRET_KEY }, { window: {} }],
  ])("does not throw: %s", (_what, options, globals) => {
    vi.unstubAllGlobals();
    for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);

    expect(new PaymentsClient({ ...BASE, ...options })).toBeInstanceOf(PaymentsClient);
  });
});
