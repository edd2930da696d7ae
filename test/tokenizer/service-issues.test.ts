import { describe, expect, test } from "vitest";
import { json, startServer, text } from "../support/http-server.ts";
import { aCard, failureOf, tokenizerAt } from "../support/merchant.ts";

async function refused(body: unknown, status = 400) {
  const { baseUrl } = await startServer(json(status, body));
  return failureOf(tokenizerAt(baseUrl).tokenize(aCard()));
}

describe("a complaint of the service names the input that it belongs to", () => {
  test.each([
    ["number", "number"],
    ["card.number", "number"],
    ["data.card.holderName", "holderName"],
    ["holder_name", "holderName"],
    ["expiration-month", "expirationMonth"],
    ["EXPIRATIONYEAR", "expirationYear"],
    ["card.CVV", "cvv"],
    ["publicKey", "publicKey"], // no input of a card form
    ["card", "card"],
    ["number.length", "number.length"],
    ["", ""],
  ])("%j: %j", async (field, input) => {
    const error = await refused({ success: false, errors: [{ field, message: "is wrong" }] });

    expect(error).toMatchObject({
      code: "validation_failed",
      actor: "customer",
      issues: [{ field: input, message: "is wrong" }],
    });
  });
});

test("a refused key names the public key only: a page has no other", async () => {
  const { baseUrl } = await startServer(text(401, ""));

  const error = await failureOf(tokenizerAt(baseUrl).tokenize(aCard()));

  expect(error).toMatchObject({ code: "authentication_failed", actor: "merchant" });
  expect(error.message).toContain("publicKey");
  expect(error.message).not.toMatch(/secret|sk_|Basic/i);
});
