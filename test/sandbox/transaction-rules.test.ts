import { createGateway } from "payments-sdk/sandbox";
import { describe, expect, test } from "vitest";
import {
  aCardPayment,
  aGuidePix,
  aPix,
  bodyOf,
  CNPJ,
  fieldsOf,
  having,
  merchantOf,
  without,
} from "./support/wire.ts";

const outOfRange = {
  setup: { company: { limits: { transactionMinAmount: 500, transactionMaxAmount: 5000 } } },
};

test("a 400 has exactly success, message and errors of field and message", async () => {
  const { create } = merchantOf(createGateway());

  const response = await create(having(aPix(), "amount", "1990"));

  expect(response.status).toBe(400);
  expect(response.headers.get("content-type")).toContain("application/json");
  expect(await response.json()).toStrictEqual({
    success: false,
    message: "Validation Error",
    errors: [{ field: "amount", message: expect.stringMatching(/cents/) }],
  });
});

test("all problems of a body come in one answer, with dotted paths", async () => {
  const { create } = merchantOf(createGateway());
  const body = aPix({
    amount: 0,
    customer: {
      name: "",
      email: "a@b.example",
      phone: 5,
      document: { type: "cpf", number: "529.982.247-25" },
    },
    items: [
      { title: "Livro", unitPrice: 1990, quantity: 1, tangible: true },
      { title: "Caneta", unitPrice: 1.5, quantity: "2", tangible: "no" },
    ],
    metadata: { cart: 7 },
    card: { hash: "x" },
  });

  const response = await create(body);

  expect(await fieldsOf(response)).toEqual([
    "amount",
    "customer.name",
    "customer.phone",
    "customer.document.number",
    "items.1.unitPrice",
    "items.1.quantity",
    "items.1.tangible",
    "metadata",
    "card",
  ]);
});

describe("required fields", () => {
  const always = ["amount", "customer", "customer.name", "customer.email"];
  const always2 = ["customer.document.type", "customer.document.number", "paymentMethod"];
  const byTheEndpoint = [
    "customer.phone",
    "externalRef",
    "postbackUrl",
    "traceable",
    "items",
    "ip",
    "metadata",
  ];
  const ofItems = ["items.0.title", "items.0.unitPrice", "items.0.quantity", "items.0.tangible"];

  test.each([...always, ...always2, ...byTheEndpoint, ...ofItems, "installments", "card.hash"])(
    "a card without %s is invalid",
    async (field) => {
      const { create, token } = merchantOf(createGateway());
      const body = without(aCardPayment(await token()), field);

      const response = await create(body);

      expect(response.status).toBe(400);
      expect(await fieldsOf(response)).toEqual([field]);
    },
  );

  test.each([...always, ...always2, ...byTheEndpoint, ...ofItems, "pix.expiresInDays"])(
    "a pix without %s is invalid where the endpoint's list counts",
    async (field) => {
      const { create } = merchantOf(createGateway({ pixFields: "endpoint" }));

      const response = await create(without(aPix(), field));

      expect(response.status).toBe(400);
      expect(await fieldsOf(response)).toEqual([field]);
    },
  );

  test.each([...byTheEndpoint, "pix", "pix.expiresInDays", "items.0.product_image"])(
    "a pix without %s is valid where the guide counts",
    async (field) => {
      const { create } = merchantOf(createGateway({ pixFields: "guide" }));

      const response = await create(without(aPix(), field));

      expect(response.status).toBe(201);
    },
  );

  test("the guide counts by default", async () => {
    const { create } = merchantOf(createGateway());

    const response = await create(aGuidePix());

    expect(response.status).toBe(201);
  });

  test.each([
    ["card", "card.hash"],
    ["customer.document", "customer.document.type"],
  ])("a card payment without the whole of %s names %s", async (missing, field) => {
    const { create, token } = merchantOf(createGateway());

    const response = await create(without(aCardPayment(await token()), missing));

    expect(await fieldsOf(response)).toContain(field);
  });
});

describe("types and values on a pix", () => {
  test.each<[field: string, value: unknown, valid: boolean]>([
    ["paymentMethod", "boleto", false],
    ["paymentMethod", "debit_card", false],
    ["paymentMethod", "PIX", false],
    ["paymentMethod", null, false],
    ["amount", 100, true],
    ["amount", 19.9, false], // reais, not cents
    ["amount", "1990", false],
    ["amount", 0, false],
    ["amount", -1, false],
    ["amount", 2 ** 53, false], // JSON would round it
    ["amount", null, false],
    ["customer", "Ana", false],
    ["customer", [], false],
    ["customer.name", "", false],
    ["customer.name", "   ", false],
    ["customer.email", 1, false],
    ["customer.phone", 11999990000, false],
    ["customer.document", "52998224725", false],
    ["customer.document.type", "rg", false],
    ["customer.document.type", "constructor", false],
    ["customer.document.number", "529.982.247-25", false], // digits only
    ["customer.document.number", "5299822472", false],
    ["customer.document.number", "529982247250", false],
    ["customer.document.number", 52998224725, false],
    ["customer.document", { type: "cnpj", number: "12345678000195" }, true],
    ["customer.document", { type: "cnpj", number: "52998224725" }, false],
    ["customer.document", { type: "cpf", number: "12345678000195" }, false],
    ["externalRef", 1, false],
    ["externalRef", null, false],
    ["postbackUrl", "/postbacks", false],
    ["postbackUrl", "ftp://loja.example", false],
    ["postbackUrl", "http://127.0.0.1:3000/postbacks", true],
    ["traceable", "true", false],
    ["traceable", false, true],
    ["items", {}, false],
    ["items", ["Livro"], false],
    ["items.0.title", 1, false],
    ["items.0.unitPrice", "1990", false],
    ["items.0.unitPrice", 0, true], // a gift
    ["items.0.unitPrice", -1, false],
    ["items.0.quantity", 0, false],
    ["items.0.quantity", 1.5, false],
    ["items.0.tangible", 1, false],
    ["items.0.product_image", "", true],
    ["items.0.product_image", null, false],
    ["ip", 2130706433, false],
    ["metadata", { cart: 7 }, false],
    ["metadata", "not JSON", false],
    ["metadata", '"text"', true],
    ["pix", 2, false],
    ["pix", {}, true],
    ["pix.expiresInDays", "2", false],
    ["pix.expiresInDays", 0, false],
    ["pix.expiresInDays", 1.5, false],
    ["pix.expiresInDays", 31, true], // reduced, not refused
  ])("%s = %j is valid: %s", async (field, value, valid) => {
    const { create } = merchantOf(createGateway());

    const response = await create(having(aPix(), field, value));

    expect(response.status).toBe(valid ? 201 : 400);
    if (!valid) expect((await fieldsOf(response)).every((path) => path.startsWith(field))).toBe(true);
  });

  test.each<[installments: unknown, valid: boolean]>([
    ["1", true],
    ["12", true],
    [1, false], // sent as a string
    ["0", false],
    ["01", false],
    ["1.5", false],
    ["", false],
    ["9007199254740993", false],
    [null, false],
  ])("installments %j on a card is valid: %s", async (installments, valid) => {
    const { create, token } = merchantOf(createGateway());

    const response = await create(aCardPayment(await token(), { installments }));

    expect(response.status).toBe(valid ? 201 : 400);
    if (!valid) expect(await fieldsOf(response)).toEqual(["installments"]);
  });
});

describe("the other method's field", () => {
  test.each([{ hash: "x" }, {}, null])("card = %j is not sent on a pix", async (card) => {
    const { create } = merchantOf(createGateway());

    const response = await create(aPix({ card }));

    expect(await fieldsOf(response)).toEqual(["card"]);
  });

  test.each([{ expiresInDays: 1 }, {}, null])("pix = %j is not sent on a card", async (pix) => {
    const { create, token } = merchantOf(createGateway());

    const response = await create(aCardPayment(await token(), { pix }));

    expect(await fieldsOf(response)).toEqual(["pix"]);
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
    [true, { type: "cpf", number: "ABC98224725" }, 400],
  ])("with alphanumericCnpj %s, %j gets %i", async (alphanumericCnpj, document, status) => {
    const { create } = merchantOf(createGateway({ alphanumericCnpj }));

    const response = await create(having(aPix(), "customer.document", document));

    expect(response.status).toBe(status);
  });
});

describe("company limits", () => {
  test.each([
    [499, 400],
    [500, 201],
    [5000, 201],
    [5001, 400],
  ])("a pix of %i cents with limits of 500 to 5000 gets %i", async (amount, status) => {
    const { create } = merchantOf(createGateway(outOfRange.setup));

    const response = await create(aPix({ amount }));

    expect(response.status).toBe(status);
    if (status === 400) expect(await fieldsOf(response)).toEqual(["amount"]);
  });

  test.each([
    [499, "refused"],
    [500, "approved"],
    [5000, "approved"],
    [5001, "refused"],
  ])("a card of %i cents with limits of 500 to 5000 is %s with 201", async (amount, status) => {
    const { create, token } = merchantOf(createGateway(outOfRange.setup));

    const response = await create(aCardPayment(await token(), { amount }));

    expect(response.status).toBe(201);
    expect((await bodyOf(response)).data.status).toBe(status);
  });

  test("a card outside the limits says so as its reason", async () => {
    const { create, token } = merchantOf(createGateway(outOfRange.setup));

    const response = await create(aCardPayment(await token(), { amount: 5001 }));

    expect((await bodyOf(response)).data).toMatchObject({
      status: "refused",
      refusedReason: "Amount outside the limits of the company",
      refusedAmount: 5001,
    });
  });

  test("with outsideLimits 'validation' a card outside the limits gets 400, too", async () => {
    const { create, token } = merchantOf(createGateway({ ...outOfRange.setup, outsideLimits: "validation" }));

    const response = await create(aCardPayment(await token(), { amount: 5001 }));

    expect(response.status).toBe(400);
    expect(await fieldsOf(response)).toEqual(["amount"]);
  });

  test.each(["pix", "credit_card"])(
    "a company without %s refuses it with 400 on paymentMethod",
    async (method) => {
      const { create, token } = merchantOf(
        createGateway({ company: { paymentMethods: { [method]: false } } }),
      );

      const response = await create(method === "pix" ? aPix() : aCardPayment(await token()));

      expect(await fieldsOf(response)).toEqual(["paymentMethod"]);
    },
  );
});

describe("bodies that are no request", () => {
  test.each(["", "{", "null", "[]", '"pix"', "1", "paymentMethod=pix"])(
    "%j gets 400 on `body`",
    async (body) => {
      const { create } = merchantOf(createGateway());

      const response = await create(body);

      expect(response.status).toBe(400);
      expect(await response.json()).toStrictEqual({
        success: false,
        message: "Validation Error",
        errors: [{ field: "body", message: "Must be a JSON object" }],
      });
    },
  );

  test("fields that the specification does not name are accepted", async () => {
    const { create } = merchantOf(createGateway());

    const response = await create(aPix({ coupon: "X", installments: 3 }));

    expect(response.status).toBe(201);
  });

  test("prototype keys stand for nothing", async () => {
    const { create } = merchantOf(createGateway());
    const hidden = JSON.stringify({ constructor: {}, toString: 1 }).replace(
      "{",
      `{"__proto__":${JSON.stringify(aPix())},`,
    );

    const response = await create(hidden);

    expect(await fieldsOf(response)).toEqual(["paymentMethod", "amount", "customer"]);
    expect(Object.hasOwn(Object.prototype, "amount")).toBe(false);
  });

  test("nothing exists after a 400", async () => {
    const gateway = createGateway();

    await merchantOf(gateway).create(aPix({ amount: 0 }));

    expect(gateway.transactions).toEqual([]);
  });
});
