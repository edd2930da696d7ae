import { CardToken } from "payments-sdk";
import { describe, expect, test } from "vitest";
import { aCardPayment } from "../../support/merchant.ts";
import { bodyOf, issuesOfCard } from "../../support/recording-client.ts";

const withCard = (card: unknown) => ({ ...aCardPayment(), card });

describe("card.hash is a card token", () => {
  test.each<[string, unknown, string]>([
    ["a string", "tok_a1b2c3d4e5", "tok_a1b2c3d4e5"],
    ["a CardToken", new CardToken("tok_a1b2c3d4e5"), "tok_a1b2c3d4e5"],
    [
      "a CardToken of another copy of the package",
      { value: "tok_x", expiresAt: new Date(Date.now() + 300_000) },
      "tok_x",
    ],
    ["a CardToken that was sent as JSON", JSON.parse(JSON.stringify(new CardToken("tok_y"))), "tok_y"],
    ["eleven digits, too few for a card number", "12345678901", "12345678901"],
  ])("%s is sent", async (_what, hash, sent) => {
    const body = await bodyOf("createCard", withCard({ hash }));

    expect(body["card"]).toEqual({ hash: sent });
  });

  test.each<[string, unknown, string]>([
    ["a card number", "4111111111111111", "must be a card token, not a card number"],
    ["a card number with dashes", "4111-1111-1111-1111", "must be a card token, not a card number"],
    ["a card number with spaces", "4111 1111 1111 1111", "must be a card token"],
    ["a card number with points", "4111.1111.1111.1111", "must be a card token, not a card number"],
    ["a secret key", "sk_live_1", "must be a card token, not a key"],
    ["a public key", "pk_live_1", "must be a card token, not a key"],
    ["an HTML page", "<html>", "must be a card token"],
    ["a token in quotes", '"tok_1"', "must be a card token"],
    ["an empty string", "", "must be a card token"],
    ["a number", 4111111111111111, "must be a card token"],
    ["an object without a value", { token: "tok_1" }, "must be a card token"],
    ["an object with a number", { value: 7 }, "must be a card token"],
    [
      "an object with a card number",
      { value: "4111111111111111" },
      "must be a card token, not a card number",
    ],
    ["undefined", undefined, "is required"],
  ])("%s is not sent", async (_what, hash, message) => {
    const issues = await issuesOfCard(withCard({ hash }));

    expect(issues).toEqual([{ field: "card.hash", message }]);
  });

  test("an invalid token does not hide other issues", async () => {
    const issues = await issuesOfCard({ ...withCard({ hash: { value: {} } }), installments: {}, amount: 0 });

    expect(issues.map(({ field }) => field).sort()).toEqual(["amount", "card.hash", "installments"]);
  });

  test.each<[string, unknown]>([
    ["a string", "tok_a1b2c3d4e5"],
    ["null", null],
  ])("a card that is %s is not sent", async (_what, card) => {
    const issues = await issuesOfCard(withCard(card));

    expect(issues).toEqual([{ field: "card", message: "must be an object" }]);
  });

  test("card data instead of a token is reported by field name", async () => {
    const issues = await issuesOfCard(withCard({ number: "4111111111111111", cvv: "123" }));

    expect(issues.map(({ field }) => field).sort()).toEqual(["card.cvv", "card.hash", "card.number"]);
    expect(JSON.stringify(issues)).not.toMatch(/4111|123/);
  });
});
