import { createGateway } from "payments-sdk/sandbox";
import { describe, expect, test } from "vitest";
import { aCardPayment, aPix, CNPJ, fieldsOf, merchantOf, without, withValue } from "../support/wire.ts";

const WITH_LIMITS = { company: { limits: { transactionMinAmount: 500, transactionMaxAmount: 5000 } } };

test("one response reports all problems of a body, with dotted paths", async () => {
  const { create } = merchantOf(createGateway());
  const [item] = aPix()["items"] as object[];
  const customer = { name: "", email: "a@b.example", phone: 5, document: { type: "cpf", number: "529" } };
  const items = [item, { ...item, unitPrice: 1.5, tangible: "no" }];

  const response = await create(aPix({ amount: 0, customer, items, metadata: {}, card: { hash: "x" } }));

  expect(await fieldsOf(response)).toEqual([
    ...["amount", "customer.name", "customer.phone", "customer.document.number"],
    ...["items.1.unitPrice", "items.1.tangible", "metadata", "card"],
  ]);
});

describe("required fields", () => {
  test.each([
    ...["customer.phone", "externalRef", "postbackUrl", "traceable", "items", "ip", "metadata"],
    "pix.expiresInDays",
  ])("a pix without %s is invalid with pixFields 'endpoint' and valid by default", async (field) => {
    const body = without(aPix(), field);
    const byList = await merchantOf(createGateway({ pixFields: "endpoint" })).create(body);
    const byGuide = await merchantOf(createGateway({ pixFields: "guide" })).create(body);
    const byDefault = await merchantOf(createGateway()).create(body);

    expect([byList.status, byGuide.status, byDefault.status]).toEqual([400, 201, 201]);
    expect(await fieldsOf(byList)).toEqual([field]);
  });

  test("a card payment needs a card and the document of its customer", async () => {
    const { create } = merchantOf(createGateway());
    const body = without(without(aCardPayment(""), "card"), "customer.document");

    const fields = ["card.hash", "customer.document.type"];
    expect(await fieldsOf(await create(body))).toEqual(expect.arrayContaining(fields));
  });
});

describe("types and values on a pix", () => {
  // test/system/openapi tries many values of the fields about which the document can tell.
  test.each<[field: string, value: unknown, valid: boolean]>([
    ["customer.document.type", "rg", false],
    ["customer.document.number", "529.982.247-25", false], // digits only
    ["customer.document.number", "5299822472", false],
    ["customer.document", { type: "cnpj", number: "12345678000195" }, true],
    ["customer.document", { type: "cnpj", number: "52998224725" }, false],
    ["metadata", "not JSON", false],
    ["metadata", '"text"', true],
    ["coupon", "X", true], // not in the specification
  ])("%s = %j is valid: %s", async (field, value, valid) => {
    const { create } = merchantOf(createGateway());

    const response = await create(withValue(aPix(), field, value));

    expect(response.status).toBe(valid ? 201 : 400);
    if (!valid) expect((await fieldsOf(response)).every((path) => path.startsWith(field))).toBe(true);
  });
});

describe("a cnpj with letters", () => {
  const LETTERS = { type: "cnpj", number: "12ABC34501DE35" };
  test.each([
    [false, LETTERS, 400], // the specification says digits only
    [true, LETTERS, 201],
    [true, CNPJ, 201],
    [true, { type: "cnpj", number: "12abc34501de35" }, 400],
    [true, { type: "cnpj", number: "12ABC34501DEXY" }, 400], // check digits are digits
  ])("with alphanumericCnpj %s, %j returns %i", async (alphanumericCnpj, document, status) => {
    const { create } = merchantOf(createGateway({ alphanumericCnpj }));

    const response = await create(withValue(aPix(), "customer.document", document));

    expect(response.status).toBe(status);
  });
});

describe("company limits", () => {
  const INVALID = { success: false, errors: [{ field: "amount" }] };
  const REFUSED = {
    data: { status: "refused", refusedReason: "Amount outside the limits of the company", fees: 0 },
  };
  test.each<["validation" | "refused" | undefined, "pix" | "card", object, readonly unknown[]]>([
    [undefined, "pix", INVALID, []],
    [undefined, "card", REFUSED, [499, "outside_limits", 5001, "outside_limits"]],
    ["validation", "pix", INVALID, []],
    ["validation", "card", INVALID, []],
    ["refused", "pix", REFUSED, [0, undefined, 0, undefined]], // the amount only on a refused card
    ["refused", "card", REFUSED, [499, "outside_limits", 5001, "outside_limits"]],
  ])(
    "with outsideLimits %s, a %s outside the limits returns %j",
    async (outsideLimits, method, body, facts) => {
      const gateway = createGateway({ ...WITH_LIMITS, ...(outsideLimits && { outsideLimits }) });
      const { create, token } = merchantOf(gateway);
      const pay = async (amount: number) =>
        create(method === "pix" ? aPix({ amount }) : aCardPayment(await token(), { amount }));

      const within = [await pay(500), await pay(5000)];
      const outside = [await pay(499), await pay(5001)];

      expect(within.map(({ status }) => status)).toEqual([201, 201]);
      for (const response of outside) {
        expect(response.status).toBe(body === REFUSED ? 201 : 400);
        expect(await response.json()).toMatchObject(body);
      }
      const [first, second, ...others] = gateway.transactions;
      expect([first?.status, second?.status]).not.toContain("refused");
      expect(others.flatMap(({ refusedAmount, scenario }) => [refusedAmount, scenario])).toEqual(facts);
      expect(others.flatMap(({ pix }) => pix ?? [])).toEqual([]);
    },
  );

  test.each(["pix", "credit_card"])(
    "a company without %s refuses it with 400 on paymentMethod",
    async (method) => {
      const company = { paymentMethods: { [method]: false } };
      const { create, token } = merchantOf(createGateway({ company }));

      const response = await create(method === "pix" ? aPix() : aCardPayment(await token()));

      expect(await fieldsOf(response)).toEqual(["paymentMethod"]);
    },
  );
});

test.each(["pending", "suspended", "inactive"] as const)(
  "suspendedPays: false refuses a company that is %s",
  async (status) => {
    const create = (options: object) => merchantOf(createGateway(options)).create(aPix());

    const strict = await create({ company: { status }, suspendedPays: false });
    const others = [await create({ company: { status } }), await create({ suspendedPays: false })];

    expect(await fieldsOf(strict)).toEqual(["paymentMethod"]);
    expect(others.map((response) => response.status)).toEqual([201, 201]);
  },
);

test.each(["", "{", "null", "[]", '"pix"'])("the body %j returns 400 on `body`", async (body) => {
  const { create } = merchantOf(createGateway());

  const response = await create(body);

  expect(response.status).toBe(400);
  expect(await response.json()).toStrictEqual({
    success: false,
    message: "Validation Error",
    errors: [{ field: "body", message: "Must be a JSON object" }],
  });
});
