import { describe, expect, test } from "vitest";
import { json, startServer, text } from "../support/http-server.ts";
import { aCard, failureOf, tokenizerAt } from "../support/merchant.ts";

async function failureWith(body: unknown, status = 400) {
  const { baseUrl } = await startServer(json(status, body));
  return failureOf(tokenizerAt(baseUrl).tokenize(aCard()));
}

describe("an issue of the service has the name of the card's input", () => {
  test.each([
    ["number", "number"],
    ["card.number", "number"],
    ["data.card.holderName", "holderName"],
    ["holder_name", "holderName"],
    ["expiration-month", "expirationMonth"],
    ["EXPIRATIONYEAR", "expirationYear"],
    ["card.CVV", "cvv"],
    ["publicKey", "publicKey"], // not an input of a card form
    ["card", "card"],
    ["number.length", "number.length"],
    ["", ""],
  ])("%j: %j", async (field, input) => {
    const error = await failureWith({ success: false, errors: [{ field, message: "is wrong" }] });

    expect(error).toMatchObject({
      code: "validation_failed",
      actor: "customer",
      issues: [{ field: input, message: "is wrong" }],
    });
  });
});

test("the message of a 401 mentions only the public key, because a page has no other", async () => {
  const { baseUrl } = await startServer(text(401, ""));

  const error = await failureOf(tokenizerAt(baseUrl).tokenize(aCard()));

  expect(error).toMatchObject({ code: "authentication_failed", actor: "merchant" });
  expect(error.message).toContain("publicKey");
  expect(error.message).not.toMatch(/secret|sk_|Basic/i);
});
