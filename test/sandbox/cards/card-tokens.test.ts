import { decodeJwt, decodeProtectedHeader } from "jose";
import { createGateway } from "payments-sdk/sandbox";
import { expect, test } from "vitest";
import { aCard, aCardPayment, fieldsOf, merchantOf, NOON } from "../support/wire.ts";

const FIVE_MINUTES = 300_000;

test("a token is plain text in JWT format, expires after 5 minutes and contains no card data", async () => {
  // The same seed: a random id can contain any four digits.
  const tokenize = (card = {}) => merchantOf(createGateway({ now: NOON, seed: 1 })).tokenize(aCard(card));

  const response = await tokenize();

  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toMatch(/^text\/plain/);
  const token = await response.text();
  expect(token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  expect(decodeProtectedHeader(token)).toMatchObject({ typ: "JWT" });
  expect(decodeJwt(token)).toMatchObject({ iat: NOON / 1000, exp: NOON / 1000 + 300 });
  const other = await tokenize({
    number: "5555555555554444",
    holderName: "BIA",
    expirationYear: "2041",
    cvv: "987",
  });
  expect(await other.text()).toBe(token);
});

test("a token can be used again, but only for 5 minutes", async () => {
  const gateway = createGateway({ now: NOON });
  const { create, token } = merchantOf(gateway);
  const hash = await token();

  const statuses = [(await create(aCardPayment(hash))).status];
  gateway.clock.advance(FIVE_MINUTES);
  statuses.push((await create(aCardPayment(hash))).status);
  gateway.clock.advance(1);
  const expired = await create(aCardPayment(hash));

  expect([...statuses, expired.status]).toEqual([201, 201, 400]);
  expect(await expired.json()).toMatchObject({
    errors: [{ field: "card.hash", message: expect.stringMatching(/expired/) }],
  });
});

const elsewhere = createGateway({ secretKey: "sk_other", publicKey: "pk_other" });

test.each([
  ["invented", async () => "made-up"],
  ["empty", async () => ""],
  ["null", async () => null],
  ["of another account", () => merchantOf(elsewhere).token()],
])("a card.hash that is %s is reported together with all other problems", async (_what, make) => {
  const { create } = merchantOf(createGateway());

  const response = await create({ ...aCardPayment(""), card: { hash: await make() }, amount: 0 });

  expect(await fieldsOf(response)).toEqual(["amount", "card.hash"]);
});

test("a card requires all five fields, and one response reports every problem", async () => {
  const { tokenize } = merchantOf(createGateway());
  const all = ["number", "holderName", "expirationMonth", "expirationYear", "cvv"];

  expect(await fieldsOf(await tokenize({}))).toEqual(all);
});
