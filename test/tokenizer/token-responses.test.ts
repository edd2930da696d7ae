import { CardToken, CardTokenizer, type PaymentsEvent } from "payments-sdk";
import { describe, expect, test } from "vitest";
import { startServer, text } from "../support/http-server.ts";
import { aCard, eventsOf, failureOf, PUBLIC_KEY, thrownBy, tokenizerAt } from "../support/merchant.ts";
import { aJwt } from "../support/tokens.ts";

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
    [
      "more digits than a number can represent",
      "123456789012345678901234567890",
      "123456789012345678901234567890",
    ],
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
    ["a list", '["tok_1"]', "JSON"],
    ["null", "null", "JSON"],
    ["undefined", "undefined", "JSON"],
    ["a number", "200", "JSON"],
    ["a negative fraction", "-1.5", "JSON"],
    ["an empty body", "", "empty"],
    ["an empty quoted string", '""', "empty"],
    ["a quoted HTML page", '"<html>"', "JSON"],
    ["a quoted JSON literal", '"null"', "JSON"],
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

test("withResponse resolves with the token and the response", async () => {
  const { baseUrl } = await startServer(text(200, "tok_1", { "x-request-id": "r1" }));

  const { data, response } = await tokenizerAt(baseUrl).tokenize(aCard()).withResponse();

  expect(data.value).toBe("tok_1");
  expect(response).toMatchObject({ status: 200, requestId: "r1" });
});
