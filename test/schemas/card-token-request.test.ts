import { InvalidRequestError } from "payments-sdk";
import { describe, expect, test } from "vitest";
import { aCard, failureOf } from "../support/merchant.ts";
import { recordingClient } from "../support/recording-client.ts";

/** The JSON that a card travels as. The recorded answer is JSON and no token, which ends the call. */
async function wireOfCard(card: unknown): Promise<Record<string, unknown>> {
  const { payments, sent } = recordingClient();
  const error = await failureOf(payments.cardTokens.create(card as never));
  if (error.code !== "unexpected_response") throw error;
  return JSON.parse(sent[0]?.body ?? "null");
}

async function issuesOf(card: unknown) {
  const { payments, sent } = recordingClient();
  const error = await failureOf(payments.cardTokens.create(card as never));
  if (!(error instanceof InvalidRequestError) || sent.length > 0) throw error;
  expect(error).toMatchObject({ actor: "customer", outcome: "not_applicable" });
  return error.issues;
}

describe("a card is sent as five strings", () => {
  test.each<[string, unknown, string, string]>([
    ["number", "4111 1111 1111 1111", "number", "4111111111111111"],
    ["number", "4111-1111-1111-1111", "number", "4111111111111111"],
    ["number", "4024007153763191", "number", "4024007153763191"], // fails Luhn, as published test cards do
    ["number", "501234567890", "number", "501234567890"], // twelve digits
    ["number", "6304000000000000123", "number", "6304000000000000123"], // nineteen digits
    ["holderName", "  ANA EXEMPLO ", "holderName", "ANA EXEMPLO"],
    ["holderName", "ANA 2", "holderName", "ANA 2"],
    ["expirationMonth", 1, "expirationMonth", "01"],
    ["expirationMonth", 12, "expirationMonth", "12"],
    ["expirationMonth", "1", "expirationMonth", "01"],
    ["expirationMonth", "01", "expirationMonth", "01"],
    ["expirationMonth", " 9 ", "expirationMonth", "09"],
    ["expirationYear", 31, "expirationYear", "2031"],
    ["expirationYear", 2031, "expirationYear", "2031"],
    ["expirationYear", "31", "expirationYear", "2031"],
    ["expirationYear", "2031", "expirationYear", "2031"],
    ["cvv", "012", "cvv", "012"],
    ["cvv", "0123", "cvv", "0123"],
  ])("%s %j: %s %j", async (input, value, field, sent) => {
    const body = await wireOfCard({ ...aCard(), [input]: value });

    expect(Object.keys(body)).toEqual(["number", "holderName", "expirationMonth", "expirationYear", "cvv"]);
    expect(body[field]).toBe(sent);
  });
});

describe("what is no card is not sent", () => {
  const DIGITS = "must have 12 to 19 digits";
  const MONTH = "must be a month from 1 to 12";
  const YEAR = "must be a year of two or four digits";

  test.each<[string, unknown, string]>([
    ["number", "41111111111", DIGITS],
    ["number", "41111111111111111111", DIGITS],
    ["number", "4111 1111 1111 111x", DIGITS],
    ["number", "", DIGITS],
    ["number", 4111111111111111, "must be a string"],
    ["number", undefined, "is required"],
    ["holderName", "", "must not be empty"],
    ["holderName", "   ", "must not be empty"],
    ["holderName", "4111 1111 1111 1111", "must be a name, not a number"],
    ["holderName", 7, "must be a string"],
    ["expirationMonth", 0, MONTH],
    ["expirationMonth", 13, MONTH],
    ["expirationMonth", 1.5, MONTH],
    ["expirationMonth", -1, MONTH],
    ["expirationMonth", "001", MONTH],
    ["expirationMonth", "May", MONTH],
    ["expirationMonth", null, MONTH],
    ["expirationMonth", undefined, "is required"],
    ["expirationYear", 1999, YEAR],
    ["expirationYear", 131, YEAR],
    ["expirationYear", 20311, YEAR],
    ["expirationYear", "3l", YEAR],
    ["expirationYear", Number.NaN, YEAR],
    ["cvv", "12", "must have 3 or 4 digits"],
    ["cvv", "12345", "must have 3 or 4 digits"],
    ["cvv", "12a", "must have 3 or 4 digits"],
    ["cvv", 123, "must be a string"], // it may start with a zero
    ["cvc", "123", "is not a known field (did you mean cvv?)"],
  ])("%s %j", async (field, value, message) => {
    const issues = await issuesOf({ ...aCard(), [field]: value });

    expect(issues).toEqual([{ field, message }]);
  });

  test.each<[string, unknown]>([
    ["null", null],
    ["nothing", undefined],
    ["a text", "4111111111111111"],
    ["an array", []],
  ])("%s", async (_what, card) => {
    const issues = await issuesOf(card);

    expect(issues).toEqual([{ field: "", message: "must be an object" }]);
  });

  test("half of a surrogate pair is no name", async () => {
    expect(await issuesOf({ ...aCard(), holderName: "ANA \ud800" })).toEqual([
      { field: "holderName", message: "must not contain half of a surrogate pair" },
    ]);
  });

  test("what cannot be read is an issue, and hides no other", async () => {
    const throwing = Object.defineProperty({ ...aCard(), cvv: "1" }, "number", {
      enumerable: true,
      get: () => {
        throw new Error("4111111111111111");
      },
    });

    expect(await issuesOf(throwing)).toEqual([
      { field: "number", message: "could not be read" },
      { field: "cvv", message: "must have 3 or 4 digits" },
    ]);
  });

  test("is told with all its problems, and without its values", async () => {
    const issues = await issuesOf({ number: "4111", holderName: "", expirationMonth: 13, cvv: "9" });

    expect(issues.map(({ field }) => field).sort()).toEqual([
      "cvv",
      "expirationMonth",
      "expirationYear",
      "holderName",
      "number",
    ]);
    expect(JSON.stringify(issues)).not.toContain("4111");
  });
});

test("an unknown name without a value is none", async () => {
  expect(await wireOfCard({ ...aCard(), colour: undefined })).not.toHaveProperty("colour");
});
