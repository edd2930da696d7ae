import { decodeJwt, decodeProtectedHeader } from "jose";
import { createGateway } from "payments-sdk/sandbox";
import { describe, expect, test } from "vitest";
import { aCard, aCardPayment, fieldsOf, merchantOf, without } from "./support/wire.ts";

const NOON = Date.parse("2026-12-04T12:00:00.000Z");
const FIVE_MINUTES = 300_000;

test("the token is plain text in JWT format, with a life of 5 minutes", async () => {
  const { tokenize } = merchantOf(createGateway({ now: NOON }));

  const response = await tokenize();

  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toMatch(/^text\/plain/);
  const token = await response.text();
  expect(token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  expect(decodeProtectedHeader(token)).toMatchObject({ typ: "JWT" });
  expect(decodeJwt(token)).toMatchObject({ iat: NOON / 1000, exp: NOON / 1000 + 300 });
});

test("nothing of the card is in the token", async () => {
  // One seed: an id of chance may hold any four digits.
  const tokenOf = (card: object) => merchantOf(createGateway({ now: NOON, seed: 1 })).token(aCard(card));

  const payload = JSON.stringify(decodeJwt(await tokenOf({ cvv: "987" })));
  const ofAnother = JSON.stringify(
    decodeJwt(await tokenOf({ number: "5555555555554444", holderName: "BIA" })),
  );

  expect(payload).not.toContain("4111");
  expect(payload).not.toContain("ANA");
  expect(payload).not.toContain("2040");
  expect(payload).toBe(ofAnother);
});

test("two tokens of one card differ", async () => {
  const { token } = merchantOf(createGateway({ now: NOON }));

  const tokens = [await token(), await token()];

  expect(tokens[0]).not.toBe(tokens[1]);
});

describe("age", () => {
  test.each([
    [0, 201],
    [FIVE_MINUTES - 1, 201],
    [FIVE_MINUTES, 201],
    [FIVE_MINUTES + 1, 400], // older than 5 minutes
  ])("a token that is %i ms old gets %i", async (age, status) => {
    const gateway = createGateway({ now: NOON });
    const { create, token } = merchantOf(gateway);
    const hash = await token();
    gateway.clock.advance(age);

    const response = await create(aCardPayment(hash));

    expect(response.status).toBe(status);
  });

  test("an expired token is a problem of card.hash that says so", async () => {
    const gateway = createGateway();
    const { create, token } = merchantOf(gateway);
    const hash = await token();
    gateway.clock.advance(FIVE_MINUTES + 1);

    const response = await create(aCardPayment(hash));

    expect(await response.json()).toMatchObject({
      errors: [{ field: "card.hash", message: expect.stringMatching(/expired/) }],
    });
  });
});

test("a token can be used again", async () => {
  const gateway = createGateway();
  const { create, token } = merchantOf(gateway);
  const hash = await token();

  const statuses = [(await create(aCardPayment(hash))).status, (await create(aCardPayment(hash))).status];

  expect(statuses).toEqual([201, 201]);
  expect(gateway.transactions).toHaveLength(2);
});

test("a token of another account is unknown", async () => {
  const other = createGateway({ secretKey: "sk_other", publicKey: "pk_other" });
  const hash = await merchantOf(other).token();

  const response = await merchantOf(createGateway()).create(aCardPayment(hash));

  expect(response.status).toBe(400);
  expect(await fieldsOf(response)).toEqual(["card.hash"]);
});

test.each(["made-up", "", 7, null, {}])("card.hash %j is a problem, next to all others", async (hash) => {
  const { create } = merchantOf(createGateway());

  const response = await create({ ...aCardPayment(""), card: { hash }, amount: 0 });

  expect(await fieldsOf(response)).toEqual(["amount", "card.hash"]);
});

describe("the body of a tokenization", () => {
  test.each(["number", "holderName", "expirationMonth", "expirationYear", "cvv"])(
    "needs %s",
    async (field) => {
      const { tokenize } = merchantOf(createGateway());

      const response = await tokenize(without(aCard(), field));

      expect(response.status).toBe(400);
      expect(await fieldsOf(response)).toEqual([field]);
    },
  );

  test.each<[field: string, value: unknown, valid: boolean]>([
    ["number", 4111111111111111, false],
    ["number", "4111 1111 1111 1111", false],
    ["number", "41111111111", false], // 11 digits
    ["number", "411111111111", true],
    ["number", "4111111111111111111", true],
    ["number", "41111111111111111111", false], // 20 digits
    ["holderName", "", false],
    ["expirationMonth", "1", false], // MM
    ["expirationMonth", "00", false],
    ["expirationMonth", "13", false],
    ["expirationMonth", 12, false],
    ["expirationYear", "40", false], // YYYY
    ["expirationYear", 2040, false],
    ["cvv", "12", false],
    ["cvv", "1234", true],
    ["cvv", "12345", false],
    ["cvv", 123, false],
  ])("%s = %j is valid: %s", async (field, value, valid) => {
    const { tokenize } = merchantOf(createGateway());

    const response = await tokenize(aCard({ [field]: value }));

    expect(response.status).toBe(valid ? 200 : 400);
    if (!valid) expect(await fieldsOf(response)).toEqual([field]);
  });

  test("has all its problems in one answer", async () => {
    const { tokenize } = merchantOf(createGateway());

    const response = await tokenize({ number: "1", cvv: "x" });

    expect(await fieldsOf(response)).toEqual([
      "number",
      "holderName",
      "expirationMonth",
      "expirationYear",
      "cvv",
    ]);
  });
});
