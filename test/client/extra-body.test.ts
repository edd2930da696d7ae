import { describe, expect, test } from "vitest";
import { startServer } from "../support/http-server.ts";
import { aCardPayment, aPix, failureOf, merchantAt } from "../support/merchant.ts";
import { aCardData, created } from "../support/service-answers.ts";

async function wireOf(extraBody: unknown, params = aPix({ pix: { expiresInDays: 2 } })) {
  const { baseUrl, arrivals } = await startServer(created());
  const { payments } = merchantAt(baseUrl);
  await payments.transactions.createPix(params, { extraBody: extraBody as Record<string, unknown> });
  return JSON.parse(arrivals[0]?.body ?? "null");
}

async function issuesOf(extraBody: unknown, params = aPix({ pix: { expiresInDays: 2 } })) {
  const { baseUrl, arrivals } = await startServer(created());
  const { payments } = merchantAt(baseUrl);
  const call = payments.transactions.createPix(params, { extraBody: extraBody as Record<string, unknown> });
  const error = await failureOf(call);
  expect(error).toMatchObject({ code: "invalid_request", outcome: "not_sent" });
  expect(arrivals).toHaveLength(0);
  return (error as unknown as { issues: unknown }).issues;
}

describe("fields that the SDK does not know yet are sent as they are", () => {
  test.each<[string, object]>([
    ["beside the known ones", { split: [{ seller: "s1", amount: 10 }], softDescriptor: "LOJA" }],
    ["null and false too", { nothing: null, never: false, zero: 0 }],
    ["inside a known object", { pix: { discountDays: 1 } }],
    ["inside the buyer", { customer: { birthdate: "1990-01-01", document: { issuer: "SSP" } } }],
    ["names of JavaScript's own", { constructor: "x", prototype: "y", toString: "z" }],
  ])("%s", async (_where, extraBody) => {
    const body = await wireOf(extraBody);

    expect(body).toMatchObject(extraBody);
    expect(body).toMatchObject({ paymentMethod: "pix", amount: 1990, pix: { expiresInDays: 2 } });
    expect(body.customer.document.number).toBe("52998224725");
  });

  test("nothing is added where there is nothing", async () => {
    expect(await wireOf({})).toEqual(await wireOf(undefined));
  });

  test("on a card payment as well", async () => {
    const { baseUrl, arrivals } = await startServer(created(aCardData()));
    const { payments } = merchantAt(baseUrl);

    await payments.transactions.createCard(aCardPayment(), { extraBody: { card: { brand: "visa" } } });

    expect(JSON.parse(arrivals[0]?.body ?? "").card).toEqual({ hash: "tok_a1b2c3d4e5", brand: "visa" });
  });
});

describe("they never replace what the SDK checked", () => {
  test.each<[string, object, string, string]>([
    ["a field", { amount: 1 }, "extraBody.amount", "is a field of its own: give it as a parameter"],
    [
      "a field that was not given",
      { ip: "::1" },
      "extraBody.ip",
      "is a field of its own: give it as a parameter",
    ],
    ["a field of the other method", { card: { hash: "x" } }, "extraBody.card", "belongs to the other method"],
    [
      "the method",
      { paymentMethod: "credit_card" },
      "extraBody.paymentMethod",
      "is a field of its own: give it as a parameter",
    ],
    [
      "a whole object",
      { customer: null },
      "extraBody.customer",
      "is a field of its own: give it as a parameter",
    ],
    ["a list", { items: [] }, "extraBody.items", "is a field of its own: give it as a parameter"],
    [
      "a field inside an object",
      { pix: { expiresInDays: 9 } },
      "extraBody.pix.expiresInDays",
      "is a field of its own: give it as a parameter",
    ],
    [
      "a field further inside",
      { customer: { document: { number: "1" } } },
      "extraBody.customer.document.number",
      "is a field of its own: give it as a parameter",
    ],
  ])("%s", async (_what, extraBody, field, message) => {
    expect(await issuesOf(extraBody)).toEqual([{ field, message }]);
  });

  test("a prototype is no field", async () => {
    expect(await issuesOf(JSON.parse('{"__proto__":{"amount":1}}'))).toEqual([
      { field: "extraBody.__proto__", message: "is not a name that can be sent" },
    ]);
    expect(await issuesOf(JSON.parse('{"customer":{"__proto__":{"name":"x"}}}'))).toEqual([
      { field: "extraBody.customer.__proto__", message: "is not a name that can be sent" },
    ]);
  });
});

describe("what cannot be sent", () => {
  const cycle: Record<string, unknown> = {};
  cycle["self"] = cycle;

  test.each<[string, unknown, string, string]>([
    ["a text", "split", "extraBody", "must be an object"],
    ["null", null, "extraBody", "must be an object"],
    ["a list", [1], "extraBody", "must be an object"],
    ["a cycle", { cycle }, "extraBody.cycle.self", "must not contain itself"],
    ["half of a letter", { name: "\ud800" }, "extraBody.name", "must not contain half of a surrogate pair"],
    ["a bigint", { total: 1n }, "extraBody", "cannot be written as JSON"],
    [
      "a toJSON that throws",
      { at: new Date(Number.NaN), x: { toJSON: () => JSON.parse("{") } },
      "extraBody",
      "cannot be written as JSON",
    ],
  ])("%s", async (_what, extraBody, field, message) => {
    expect(await issuesOf(extraBody)).toEqual([{ field, message }]);
  });

  test("a getter that throws", async () => {
    const extraBody = Object.defineProperty({}, "split", { enumerable: true, get: () => JSON.parse("{") });

    expect(await issuesOf(extraBody)).toEqual([{ field: "extraBody.split", message: "could not be read" }]);
  });

  test("its problems come together with those of the parameters", async () => {
    const issues = await issuesOf({ amount: 1, customer: 5 }, aPix({ amount: 0 }));

    expect(issues).toMatchObject([
      { field: "amount" },
      { field: "extraBody.amount" },
      { field: "extraBody.customer" },
    ]);
  });
});
