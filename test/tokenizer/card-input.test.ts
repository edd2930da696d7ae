import type { CardParams } from "payments-sdk";
import { describe, expect, test } from "vitest";
import { aCard, failureOf, tokenizerAt } from "../support/merchant.ts";

/** A fetch that responds with a token and records the cards. */
function recordingFetch() {
  const sent: Record<string, unknown>[] = [];
  const fetch = async (_url: string, { body }: RequestInit) => {
    sent.push(JSON.parse(String(body)));
    return new Response("tok_1");
  };
  return { sent, fetch };
}

async function bodyOf(card: object): Promise<unknown> {
  const { sent, fetch } = recordingFetch();
  await tokenizerAt("https://pay.example", { fetch }).tokenize(aCard(card as Partial<CardParams>));
  return sent[0];
}

async function issuesOf(card: unknown): Promise<unknown> {
  const { sent, fetch } = recordingFetch();
  const error = await failureOf(tokenizerAt("https://pay.example", { fetch }).tokenize(card as CardParams));
  expect(error).toMatchObject({
    code: "invalid_request",
    outcome: "not_applicable",
    actor: "customer",
    endpoint: "cardTokens.create",
  });
  expect(sent).toHaveLength(0);
  return (error as unknown as { issues: unknown }).issues;
}

describe("a card as typed is sent in the service's format", () => {
  test.each<[object, object]>([
    [{ number: "4111 1111 1111 1111" }, { number: "4111111111111111" }],
    [{ number: "\u200b4111\u20131111\u22121111\u00a01111\ufeff" }, { number: "4111111111111111" }], // pasted
    [{ number: "4024007153763191" }, { number: "4024007153763191" }], // a published test card that fails Luhn
    [{ number: "123456789012" }, { number: "123456789012" }],
    [{ holderName: "  Ana Exemplo " }, { holderName: "Ana Exemplo" }],
    [{ expirationMonth: 1 }, { expirationMonth: "01" }],
    [{ expirationMonth: " 9 " }, { expirationMonth: "09" }],
    [{ expirationYear: 31 }, { expirationYear: "2031" }],
    [{ expirationYear: "05" }, { expirationYear: "2005" }], // in the past; the service decides
    [{ expirationYear: "2031" }, { expirationYear: "2031" }],
    [{ cvv: "0123", colour: undefined }, { cvv: "0123" }],
  ])("%j -> %j", async (typed, sent) => {
    expect(await bodyOf(typed)).toMatchObject(sent);
  });
});

describe("an invalid card is not sent", () => {
  test.each<[object, string, string]>([
    [{ number: "41111111111111111111" }, "number", "must have 12 to 19 digits"],
    [{ number: "4111x11111111111" }, "number", "must have 12 to 19 digits"],
    [{ number: 4111111111111111 }, "number", "must be a string"],
    [{ holderName: "" }, "holderName", "must not be empty"],
    [{ holderName: "4111 1111 1111 1111" }, "holderName", "must be a name, not a number"],
    [{ holderName: "4111\u20131111\u20131111\u20131111" }, "holderName", "must be a name, not a number"],
    [{ holderName: null }, "holderName", "must be a string"],
    [{ holderName: "ANA \ud800" }, "holderName", "must not contain half of a surrogate pair"],
    [{ expirationMonth: 0 }, "expirationMonth", "must be a month from 1 to 12"],
    [{ expirationMonth: 1.5 }, "expirationMonth", "must be a month from 1 to 12"],
    [{ expirationMonth: "12/40" }, "expirationMonth", "must be a month from 1 to 12"],
    [{ expirationYear: "20311" }, "expirationYear", "must be a year of two or four digits"],
    [{ expirationYear: undefined }, "expirationYear", "is required"],
    [{ cvv: "12" }, "cvv", "must have 3 or 4 digits"],
    [{ cvv: "12345" }, "cvv", "must have 3 or 4 digits"],
    [{ cvv: 123 }, "cvv", "must be a string"], // a leading zero would be lost
    [{ cardNumber: "4111" }, "cardNumber", "is not a field of the specification"],
    [{ holdername: "Ana" }, "holdername", "is not a known field (did you mean holderName?)"],
  ])("%j", async (typed, field, message) => {
    const issues = await issuesOf({ ...aCard(), ...typed });

    expect(issues).toEqual([{ field, message: expect.stringContaining(message) }]);
  });

  test("all issues are reported together", async () => {
    const issues = await issuesOf({ number: "1", cvv: "1" });

    expect(issues).toMatchObject([
      { field: "number" },
      { field: "holderName" },
      { field: "expirationMonth" },
      { field: "expirationYear" },
      { field: "cvv" },
    ]);
  });

  test("a field that cannot be read does not hide other issues", async () => {
    const get = () => {
      throw new Error("4111111111111111");
    };
    const throwing = (name: string) =>
      Object.defineProperty({ ...aCard(), cvv: "1" }, name, { enumerable: true, get });
    const CVV = { field: "cvv", message: "must have 3 or 4 digits" };

    expect(await issuesOf(throwing("number"))).toEqual([
      { field: "number", message: "could not be read" },
      CVV,
    ]);
    expect(await issuesOf(throwing("colour"))).toEqual([{ field: "", message: "could not be read" }, CVV]);
  });

  test.each([[undefined], [null], ["4111111111111111"], [[]]])("%j is not a card", async (card) => {
    expect(await issuesOf(card)).toMatchObject([{ field: "" }]);
  });
});
