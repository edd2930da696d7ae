import { CardToken, CardTokenizer, type PaymentsEvent } from "payments-sdk";
import { describe, expect, test } from "vitest";
import { startServer, text } from "../support/http-server.ts";
import { aCard, eventsOf, failureOf, PUBLIC_KEY, thrownBy, tokenizerAt } from "../support/merchant.ts";
import { aJwt } from "../support/tokens.ts";

const JWT = aJwt({ sub: "card", iat: 100, exp: 400 });

async function answered(body: string) {
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
    ["an opaque word", "tok_4f9a-77", "tok_4f9a-77"],
    [
      "more digits than any number of JSON",
      "123456789012345678901234567890",
      "123456789012345678901234567890",
    ],
  ])("%s", async (_what, body, value) => {
    const { call, events } = await answered(body);

    const token = await call;

    expect(token).toBeInstanceOf(CardToken);
    expect(token.value).toBe(value);
    expect(eventsOf(events, "drift")).toEqual([]);
  });

  test.each([JSON.stringify(JWT), `"tok_1"`, `  "tok_1"\n`, `" tok_1 "`])(
    "unquoted where it came as JSON, with a drift: %s",
    async (body) => {
      const { call, events } = await answered(body);

      const token = await call;

      expect([JWT, "tok_1"]).toContain(token.value);
      expect(eventsOf(events, "drift")).toEqual([
        { type: "drift", endpoint: "cardTokens.create", field: "", message: "came quoted as JSON" },
      ]);
    },
  );
});

describe("never taken for a token", () => {
  test.each([
    ["a page", "<!DOCTYPE html><title>Sign in</title>", "a page"],
    ["an object", '{"token":"tok_1"}', "JSON"],
    ["a list", '["tok_1"]', "JSON"],
    ["null", "null", "JSON"],
    ["undefined", "undefined", "JSON"],
    ["a number", "200", "JSON"],
    ["a negative fraction", "-1.5", "JSON"],
    ["nothing", "", "empty"],
    ["an empty quoted text", '""', "empty"],
    ["a quoted page", '"<html>"', "JSON"],
    ["a quoted word of JSON", '"null"', "JSON"],
    ["an open quote", '"tok_1', "JSON"],
    ["a sentence", "Token generated: tok_1", "text"],
    ["letters beyond ASCII", "tokén", "text"],
    ["two lines", "tok_1\ntok_2", "text"],
  ])("%s", async (_what, body, description) => {
    const { call } = await answered(body);

    const error = await failureOf(call);

    expect(error).toMatchObject({
      code: "unexpected_response",
      outcome: "not_applicable",
      endpoint: "cardTokens.create",
      issues: [{ field: "", message: `the body is ${description}, not a token` }],
    });
    expect(error).not.toHaveProperty("transactionId");
  });

  test("an answer that is too long", async () => {
    const { call } = await answered("x".repeat(5_000_001));

    const error = await failureOf(call);

    expect(error).toMatchObject({ issues: [{ field: "", message: "the body is too long" }] });
  });
});

test("the tokenizer refuses a secret key without repeating it", () => {
  const error = thrownBy(() => new CardTokenizer({ baseUrl: "https://pay.example", publicKey: "sk_mine_7" }));

  expect(error).toMatchObject({ code: "configuration" });
  expect(error.message).not.toContain("mine");
});

test("the tokenizer reads no environment: a browser has none", async () => {
  const tokenizer = new CardTokenizer({ publicKey: PUBLIC_KEY });

  const error = await failureOf(tokenizer.tokenize(aCard()));

  expect(error).toMatchObject({ code: "configuration", endpoint: "cardTokens.create" });
  expect(error.message).toContain("There is no base URL");
});

test("a token comes with its answer", async () => {
  const { baseUrl } = await startServer(text(200, "tok_1", { "x-request-id": "r1" }));

  const { data, response } = await tokenizerAt(baseUrl).tokenize(aCard()).withResponse();

  expect(data.value).toBe("tok_1");
  expect(response).toMatchObject({ status: 200, requestId: "r1" });
});
