import { CardToken, CardTokenizer, type PaymentsEvent } from "payments-sdk";
import { afterEach, describe, expect, test, vi } from "vitest";
import { json, startServer, text } from "../support/http-server.ts";
import { aCard, aJwt, eventsOf, failureOf, PUBLIC_KEY, thrownBy, tokenizerAt } from "../support/merchant.ts";

const JWT = aJwt({ sub: "card", iat: 100, exp: 400 });

async function tokenizeWith(body: string) {
  const events: PaymentsEvent[] = [];
  const { baseUrl } = await startServer(text(200, body));
  const call = tokenizerAt(baseUrl, { onEvent: (event: PaymentsEvent) => events.push(event) }).tokenize(
    aCard(),
  );
  return { call, events };
}

describe("a token is", () => {
  test.each([
    ["a JWT", JWT, JWT],
    ["a JWT with a line break after it", `${JWT}\r\n`, JWT],
    ["an opaque string", "tok_4f9a-77", "tok_4f9a-77"],
    ["more digits than a number can represent", "1".repeat(30), "1".repeat(30)],
  ])("%s", async (_what, body, value) => {
    const { call, events } = await tokenizeWith(body);

    const token = await call;

    expect(token).toBeInstanceOf(CardToken);
    expect(token.value).toBe(value);
    expect(eventsOf(events, "drift")).toEqual([]);
  });

  test.each([JSON.stringify(JWT), `"tok_1"`, `  "tok_1"\n`, `" tok_1 "`])(
    "unquoted if it was sent as JSON, with a drift event: %s",
    async (body) => {
      const { call, events } = await tokenizeWith(body);

      const token = await call;

      expect([JWT, "tok_1"]).toContain(token.value);
      expect(eventsOf(events, "drift")).toEqual([
        { type: "drift", endpoint: "cardTokens.create", field: "", message: "is quoted as JSON" },
      ]);
    },
  );
});

describe("a body that is not a token throws", () => {
  test.each([
    ["an HTML page", "<!DOCTYPE html><title>Sign in</title>", "a page"],
    ["an object", '{"token":"tok_1"}', "JSON"],
    ["null", "null", "JSON"],
    ["a negative fraction", "-1.5", "JSON"],
    ["an empty body", "", "empty"],
    ["an empty quoted string", '""', "empty"],
    ["a quoted HTML page", '"<html>"', "JSON"],
    ["an unclosed quote", '"tok_1', "JSON"],
    ["a sentence", "Token generated: tok_1", "text"],
    ["non-ASCII characters", "tokén", "text"],
    ["two lines", "tok_1\ntok_2", "text"],
  ])("%s", async (_what, body, description) => {
    const { call } = await tokenizeWith(body);

    const error = await failureOf(call);

    expect(error).toMatchObject({
      code: "unexpected_response",
      outcome: "not_applicable",
      endpoint: "cardTokens.create",
      issues: [{ field: "", message: `the body is ${description}, not a token` }],
    });
    expect(error).not.toHaveProperty("transactionId");
  });

  test("a body that is too long", async () => {
    const { call } = await tokenizeWith("x".repeat(5_000_001));

    const error = await failureOf(call);

    expect(error).toMatchObject({ issues: [{ field: "", message: "the body is too long" }] });
  });
});

test("the tokenizer throws for a secret key without repeating it", () => {
  const error = thrownBy(() => new CardTokenizer({ baseUrl: "https://pay.example", publicKey: "sk_mine_7" }));

  expect(error).toMatchObject({ code: "configuration" });
  expect(error.message).not.toContain("mine");
});

test("the tokenizer reads no environment variables, because a browser has none", async () => {
  const tokenizer = new CardTokenizer({ publicKey: PUBLIC_KEY });

  const error = await failureOf(tokenizer.tokenize(aCard()));

  expect(error).toMatchObject({ code: "configuration", endpoint: "cardTokens.create" });
  expect(error.message).toContain("The base URL is missing");
});

test("the message of a 401 mentions only the public key, because a page has no other", async () => {
  const { baseUrl } = await startServer(text(401, ""));

  const { message } = await failureOf(tokenizerAt(baseUrl).tokenize(aCard()));

  expect(message).toContain("publicKey");
  expect(message).not.toMatch(/secret|sk_|Basic/i);
});

describe("an issue of the service has the name of the card's input", () => {
  test.each([
    ["number", "number"],
    ["card.number", "number"],
    ["holder_name", "holderName"],
    ["expiration-month", "expirationMonth"],
    ["EXPIRATIONYEAR", "expirationYear"],
    ["card.CVV", "cvv"],
    ["publicKey", "publicKey"], // not an input of a card form
    ["card", "card"],
    ["number.length", "number.length"],
    ["", ""],
  ])("%j: %j", async (field, input) => {
    const body = { success: false, errors: [{ field, message: "is wrong" }] };
    const { baseUrl } = await startServer(json(400, body));

    const error = await failureOf(tokenizerAt(baseUrl).tokenize(aCard()));

    expect(error).toMatchObject({
      code: "validation_failed",
      actor: "customer",
      issues: [{ field: input, message: "is wrong" }],
    });
  });
});

afterEach(() => vi.unstubAllGlobals());

/** A port that `fetch` blocks, so that nothing is sent. The tests in Chromium cover real browsers. */
const BLOCKED = "http://127.0.0.1:9";

describe("in a runtime with only some of a browser's globals, the reason is network and nothing else is requested", () => {
  test.each<[string, object]>([
    ["a server", {}],
    ["a location without events", { location: new URL("https://shop.example"), addEventListener: undefined }],
    ["events and a navigator without onLine", { addEventListener: () => undefined, navigator: {} }],
    ["events without a navigator", { addEventListener: () => undefined, navigator: undefined }],
    ["a navigator without events", { navigator: { onLine: false }, addEventListener: undefined }],
  ])("%s", async (_what, globals) => {
    for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
    const fetch = vi.spyOn(globalThis, "fetch");

    const error = await failureOf(tokenizerAt(BLOCKED).tokenize(aCard()));

    expect(error).toMatchObject({ code: "connection_failed", reason: "network", actor: "network" });
    expect(error.toJSON()).toMatchObject({ reason: "network" });
    expect(fetch).toHaveBeenCalledTimes(1);
  });
});

test("a custom fetch is not called again to find the reason", async () => {
  vi.stubGlobal("navigator", { onLine: false });
  vi.stubGlobal("addEventListener", () => undefined);
  const fetch = vi.fn(() => Promise.reject(new TypeError("Failed to fetch")));

  const error = await failureOf(tokenizerAt("https://pay.example", { fetch }).tokenize(aCard()));

  expect(error).toMatchObject({ reason: "network" });
  expect(fetch).toHaveBeenCalledTimes(1);
});
