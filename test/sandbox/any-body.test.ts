import fc from "fast-check";
import { createGateway } from "payments-sdk/sandbox";
import { expect, test } from "vitest";
import { aCard, aCardPayment, aPix, bodyOf, having, merchantOf } from "./support/wire.ts";

const EVERY_FIELD = [
  "paymentMethod",
  "amount",
  "customer",
  "customer.name",
  "customer.email",
  "customer.phone",
  "customer.document",
  "customer.document.type",
  "customer.document.number",
  "customer.externalRef",
  "externalRef",
  "postbackUrl",
  "traceable",
  "items",
  "items.0",
  "items.0.title",
  "items.0.unitPrice",
  "items.0.quantity",
  "items.0.tangible",
  "items.0.product_image",
  "ip",
  "metadata",
  "installments",
  "pix",
  "card",
];

const anyName = fc.oneof(
  fc.string(),
  fc.constantFrom("__proto__", "constructor", "toString", "amount", "customer"),
);
const anyJson = fc.jsonValue({ noUnicodeString: false, maxDepth: 4 });
const anyObject = fc.dictionary(anyName, anyJson, { noNullPrototype: true });

/** Exactly the shape of the specification, with problems to show. */
async function expectValidationError(response: Response) {
  const body = await bodyOf(response);
  expect(Object.keys(body).sort()).toEqual(["errors", "message", "success"]);
  expect(body).toMatchObject({ success: false, message: "Validation Error" });
  expect(body.errors.length).toBeGreaterThan(0);
  for (const problem of body.errors) {
    expect(problem).toStrictEqual({ field: expect.stringMatching(/./), message: expect.stringMatching(/./) });
  }
}

test("any JSON as a transaction is answered 400, never thrown at", async () => {
  const gateway = createGateway();
  await fc.assert(
    fc.asyncProperty(fc.oneof(anyJson, anyObject), async (body) => {
      const response = await merchantOf(gateway).create(JSON.stringify(body));

      expect(response.status).toBe(400);
      await expectValidationError(response);
    }),
    { numRuns: 300 },
  );
  expect(gateway.transactions).toEqual([]);
});

test("any value in any one field is answered 201 or 400, and 400 charges nobody", async () => {
  const gateway = createGateway();
  const { create, token } = merchantOf(gateway);
  const hash = await token();
  let created = 0;

  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.constantFrom(...EVERY_FIELD), anyJson, async (isCard, field, value) => {
      const response = await create(having(isCard ? aCardPayment(hash) : aPix(), field, value));

      expect([201, 400]).toContain(response.status);
      if (response.status === 201) created += 1;
      else await expectValidationError(response);
      expect(gateway.transactions).toHaveLength(created);
    }),
    { numRuns: 500 },
  );
});

test("any card is answered 200 or 400", async () => {
  const { tokenize } = merchantOf(createGateway());
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...Object.keys(aCard())), anyJson, async (field, value) => {
      const response = await tokenize(aCard({ [field]: value }));

      expect([200, 400]).toContain(response.status);
      if (response.status === 400) await expectValidationError(response);
    }),
  );
});

test("any Authorization but the right one is answered 401", async () => {
  const { baseUrl, fetch } = createGateway();
  await fc.assert(
    fc.asyncProperty(fc.stringMatching(/^[ -~]*$/), fc.boolean(), async (text, encoded) => {
      const authorization = encoded ? `Basic ${btoa(text)}` : text;

      const response = await fetch(`${baseUrl}/api/v1/company`, { headers: { authorization } });

      expect(response.status).toBe(401);
    }),
  );
});
