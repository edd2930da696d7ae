import { CardToken } from "payments-sdk";
import { describe, expect, test } from "vitest";
import { aCardPayment, aPix } from "../../support/merchant.ts";
import {
  bodyOf,
  issuesOfCard,
  issuesOfCreate,
  issuesOfPix,
  warningsOf,
} from "../../support/recording-client.ts";

const ITEM = { title: "Livro", unitPrice: 1990, quantity: 1, tangible: true };
const PIX = aPix({ items: [ITEM] });
const CARD = aCardPayment();
const MAX = Number.MAX_SAFE_INTEGER;

/** Parameters with one field replaced, at any depth. */
function withField(params: object, path: string, value: unknown): object {
  const [name = "", ...rest] = path.split(".");
  const inner = rest.length === 0 ? value : withField(Reflect.get(params, name), rest.join("."), value);
  return Array.isArray(params) ? params.with(Number(name), inner) : { ...params, [name]: inner };
}

/** Whether a field belongs to a card payment only. Other fields are tested on a pix. */
const isOfCard = (path: string) => /^(?:card|installments)/.test(path);

describe("a valid value is sent", () => {
  test.each<[field: string, value: unknown, sent?: unknown]>([
    ["amount", 1],
    ["amount", MAX],
    ["items.0.unitPrice", 0],
    ["items.0.product_image", "https://loja.example/livro.png"],
    ["items.0.product_image", ""],
    ["items", []],
    ["installments", 1, "1"],
    ["installments", "360"], // the specification shows no maximum
    ["pix", { expiresInDays: 31 }],
    ["pix", { expiresInDays: undefined }, {}],
    ["customer.name", " Zoë 💳 名前\u0000"], // the specification shows no lengths or formats
    ["customer.name", "x".repeat(10_000)],
    ["customer.email", "ána+loja@exämple.com"],
    ["externalRef", "x".repeat(1_000)],
    ["externalRef", "order \u2028 1"], // a separator, not a control character
    ["externalRef", " Cafe\u0301 \u202e💳 '; DROP TABLE orders;-- %00 "], // neither trimmed nor normalised
    ["card.hash", "tok_a1b2c3d4e5"],
    ["card.hash", new CardToken("tok_a1b2c3d4e5"), "tok_a1b2c3d4e5"],
    ["card.hash", { value: "tok_x", expiresAt: new Date(Date.now() + 300_000) }, "tok_x"], // of another copy
    ["card.hash", JSON.parse(JSON.stringify(new CardToken("tok_y"))), "tok_y"],
    ["card.hash", "12345678901"], // too short for a card number
    ["card.hash", "x".repeat(8_000)],
  ])("%s: %j", async (field, value, sent = value) => {
    const params = withField(isOfCard(field) ? CARD : PIX, field, value);

    const body = await bodyOf(isOfCard(field) ? "createCard" : "createPix", params);

    expect(field.split(".").reduce((at, name) => Reflect.get(Object(at), name), body as unknown)).toEqual(
      sent,
    );
  });

  test.each([
    ["cpf", "529.982.247-25", "52998224725", []],
    ["cpf", "\u200b529.982.247\u201325\ufeff", "52998224725", []], // pasted with an en dash
    ["cpf", "00000000000", "00000000000", ["is not a valid CPF: it may be mistyped"]],
    ["cpf", "529.982.247-52", "52998224752", ["is not a valid CPF: it may be mistyped"]],
    ["cnpj", "12.345.678\t0001-95", "12345678000195", []],
    ["cnpj", "12.345.678/0001-59", "12345678000159", ["is not a valid CNPJ: it may be mistyped"]],
    ["cnpj", "12.abc.345/01de-35", "12ABC34501DE35", ["has letters"]], // without \D, it would be another company
    ["cnpj", "12.ABC.345/01DE-53", "12ABC34501DE53", ["has letters", "is not a valid CNPJ"]],
  ])("a document number without its punctuation: %s %j as %j, with the warnings %j", async (...row) => {
    const [type, number, sent, messages] = row;
    const params = withField(PIX, "customer.document", { type, number });

    expect((await bodyOf("createPix", params))["customer"]).toMatchObject({
      document: { type, number: sent },
    });
    expect(await warningsOf("createPix", params)).toEqual(
      messages.map((message) => ({
        field: "customer.document.number",
        message: expect.stringContaining(message),
      })),
    );
  });

  test.each<[metadata: unknown, sent: string]>([
    [{ cart: 7, tags: ["a", null] }, '{"cart":7,"tags":["a",null]}'],
    [[{ cart: 7 }, "a"], '[{"cart":7},"a"]'],
    [{ toJSON: () => ({ own: 1 }) }, '{"own":1}'],
    [Object.assign(Object.create(null), { a: 1 }), '{"a":1}'],
    [JSON.parse('{"__proto__":{"a":1},"constructor":2}'), '{"__proto__":{"a":1},"constructor":2}'],
    ['{"cart":7}', '{"cart":7}'],
    [{ a: undefined, b: [undefined], onDone: () => 1 }, '{"b":[null]}'], // as JSON.stringify does
  ])("metadata as a JSON string: %o", async (metadata, sent) => {
    expect(await bodyOf("createPix", { ...PIX, metadata })).toMatchObject({ metadata: sent });
  });

  test.each(["cart 7", "", "{'a':1}"])("metadata that is not JSON with a warning: %j", async (metadata) => {
    const message = "is a string that is not JSON; it is sent unchanged";

    expect(await bodyOf("createPix", { ...PIX, metadata })).toMatchObject({ metadata });
    expect(await warningsOf("createPix", { ...PIX, metadata })).toEqual([{ field: "metadata", message }]);
  });
});

const CENTS = "must be a whole number of cents above zero, such as 1990 for R$ 19,90";
const UNIT_PRICE = "must be a whole number of cents";
const TOKEN = "must be a card token";
const CPF = "must have 11 digits";
const CNPJ = "must have 14 digits or, since July 2026, letters";
const HALF = "must not contain half of a surrogate pair";
const EMAIL = "must be an e-mail address";
const URL_RULE = "must be an absolute http or https URL without spaces, invisible characters or backslashes";
const STRINGS = ["customer.name", "customer.phone", "externalRef", "ip", "items.0.title"];

describe("an invalid value is not sent", () => {
  test.each<[field: string, value: unknown, message: string, at?: string]>([
    ...[19.9, 19.99 * 100, 0, -1990, 2 ** 53, Number.NaN, Infinity, "1990", 1990n, null].map(
      (amount): [string, unknown, string] => ["amount", amount, CENTS],
    ),
    ["items.0.unitPrice", 19.9, UNIT_PRICE],
    ["items.0.unitPrice", -1, "must not be negative"],
    ["items.0.unitPrice", undefined, "is required"],
    ["items.0.quantity", 0, "must be one or more"],
    ["items.0.quantity", 0.5, "must be a whole number"],
    ["items.0.tangible", "true", "must be true or false"],
    ["items.0", null, "must be an object"],
    ["items.0", undefined, "is required"],
    ["items", { 0: ITEM, length: 1 }, "must be an array"],
    ["traceable", 1, "must be true or false"],
    ...[0, -1, 1.5, "0", "+3", "3 ", "", "٣", null, ["3"]].map((value): [string, unknown, string] => [
      "installments",
      value,
      "must be a whole number, one or more",
    ]),
    ["pix.expiresInDays", 0, "must be one or more"],
    ["pix.expiresInDays", 0.5, "must be a whole number of days"],
    ...STRINGS.flatMap((field): [string, unknown, string][] => [
      [field, "", "must not be empty"],
      [field, "\u00a0\u2003\u2028", "must not be empty"],
      [field, 7, "must be a string"],
    ]),
    ["customer.email", "ana.loja.example", EMAIL],
    ["customer.email", "ana @loja.example", EMAIL],
    ["externalRef", "x".repeat(1_001), "must have at most 1000 characters"], // a postback could not be read
    ...["\u0000", "\n", "\u007f", "\u009f"].map((character): [string, unknown, string] => [
      "externalRef",
      `order-${character}1`,
      "must not contain control characters",
    ]),
    ["postbackUrl", "/postbacks", URL_RULE],
    ["postbackUrl", "ftp://loja.example", URL_RULE],
    ["postbackUrl", new URL("https://loja.example"), "must be a string"],
    ["customer.document", { type: "rg", number: "52998224725" }, 'must be "cpf" or "cnpj"', ".type"],
    ["customer.document", { type: "cpf", number: 52998224725 }, "must be a string", ".number"],
    ["customer.document", { type: "cpf", number: "12345678000195" }, CPF, ".number"],
    ["customer.document", { type: "cpf", number: "5299822472A" }, CPF, ".number"],
    ["customer.document", { type: "cpf", number: "５２９９８２２４７２５" }, CPF, ".number"], // not ASCII
    ["customer.document", { type: "cnpj", number: "52998224725" }, CNPJ, ".number"],
    ["customer.document", { type: "cnpj", number: "12.ıBC.345/01DE-35" }, CNPJ, ".number"], // upper-cased, an I
    ["customer.document", { type: "cnpj", number: "12ABC34501DEß" }, CNPJ, ".number"], // upper-cased, SS
    ["customer.document", "52998224725", "must be an object"],
    ["metadata", 7, "must be an object, or a string of JSON"],
    ["metadata", { total: 7n }, "cannot be written as JSON"],
    ["metadata", { toJSON: () => JSON.parse("{") }, "cannot be written as JSON"],
    ["metadata", { toJSON: () => undefined }, "cannot be written as JSON"],
    ["card.hash", "4111111111111111", `${TOKEN}, not a card number`],
    ["card.hash", "4111-1111-1111-1111", `${TOKEN}, not a card number`],
    ["card.hash", { value: "4111111111111111" }, `${TOKEN}, not a card number`],
    ["card.hash", "sk_live_1", `${TOKEN}, not a key`],
    ["card.hash", "pk_live_1", `${TOKEN}, not a key`],
    ["card.hash", "x".repeat(8_001), `${TOKEN}, of at most 8000 characters`],
    ...[
      "4111 1111 1111 1111",
      "<html>",
      '"tok_1"',
      "",
      4111111111111111,
      { token: "tok_1" },
      { value: 7 },
    ].map((hash): [string, unknown, string] => ["card.hash", hash, TOKEN]),
    ["card", "tok_a1b2c3d4e5", "must be an object"],
    ["card", null, "must be an object"],
    ["customer.name", "Ana \ud83d", HALF],
    ["externalRef", "\udcb3\ud83d", HALF],
    ["items.0.title", "\udfff", HALF],
    ["metadata", { list: ["\ud800"] }, HALF, ".list.0"],
    ["metadata", { "\ud800": 1 }, HALF, ".\ud800"],
  ])("%s: %o %s", async (field, value, message, at = "") => {
    const issues = isOfCard(field)
      ? await issuesOfCard(withField(CARD, field, value))
      : await issuesOfPix(withField(PIX, field, value));

    expect(issues).toEqual([{ field: field + at, message }]);
  });

  test("an invalid token does not hide other issues", async () => {
    const params = { ...CARD, card: { hash: { value: {} } }, installments: {}, amount: 0 };

    const issues = await issuesOfCard(params);

    expect(issues.map(({ field }) => field).sort()).toEqual(["amount", "card.hash", "installments"]);
  });
});

describe("metadata has at most 64,000 bytes", () => {
  const OVERHEAD = '{"text":""}'.length;

  test.each<[last: unknown, first: unknown]>([
    [{ text: "x".repeat(64_000 - OVERHEAD) }, { text: "x".repeat(64_001 - OVERHEAD) }],
    ["日".repeat(21_333), "日".repeat(21_334)],
    ["💳".repeat(16_000), "💳".repeat(16_001)],
  ])("(%#)", async (longest, tooLong) => {
    expect(await bodyOf("createPix", { ...PIX, metadata: longest })).toHaveProperty("metadata");
    expect(await issuesOfPix({ ...PIX, metadata: tooLong })).toEqual([
      { field: "metadata", message: "must be at most 64000 bytes" },
    ]);
  });
});

const OF_A_CARD = 'belongs to a card payment; use paymentMethod "credit_card" or createCard';
const OF_A_PIX = 'belongs to a pix; use paymentMethod "pix" or createPix';

describe("the payment method", () => {
  test.each<["createPix" | "createCard" | "create", object, unknown, string]>([
    ["createPix", PIX, "credit_card", 'must be "pix"'],
    ["createCard", CARD, "pix", 'must be "credit_card"'],
    ["createCard", CARD, "debit_card", 'must be "credit_card"'],
    ["create", PIX, undefined, 'must be "credit_card" or "pix"'],
    ["create", PIX, "boleto", 'must be "credit_card" or "pix"'],
    ["create", PIX, "__proto__", 'must be "credit_card" or "pix"'],
  ])(
    "is that of the method or of paymentMethod: %s %o %j",
    async (method, params, paymentMethod, message) => {
      const issues = await issuesOfCreate(method, { ...params, paymentMethod });

      expect(issues).toContainEqual({ field: "paymentMethod", message });
    },
  );

  test("if it is unknown, the fields of both methods are still checked", async () => {
    const issues = await issuesOfCreate("create", {
      ...CARD,
      ...{ paymentMethod: "debit_card", amount: 0, colour: "blue" },
    });

    expect(issues.map(({ field }) => field).sort()).toEqual(["amount", "colour", "paymentMethod"]);
  });

  test("decides which fields are refused, unless they are undefined", async () => {
    const pix = { card: { hash: "tok_a1b2c3d4e5" }, installments: 1 };

    expect(await issuesOfPix({ ...PIX, ...pix })).toEqual(
      Object.keys(pix).map((field) => ({ field, message: OF_A_CARD })),
    );
    expect(await issuesOfCard({ ...CARD, pix: {} })).toEqual([{ field: "pix", message: OF_A_PIX }]);
    expect(await bodyOf("createPix", { ...PIX, card: undefined })).not.toHaveProperty("card");
    expect(await bodyOf("createCard", { ...CARD, pix: undefined })).not.toHaveProperty("pix");
  });

  test("decides which fields are required", async () => {
    const inCustomer = ["name", "email", "phone", "document"].map((name) => `customer.${name}`);
    for (const field of [...Object.keys(CARD), ...inCustomer]) {
      const issues = await issuesOfCard(withField(CARD, field, undefined));
      expect(issues).toEqual([{ field, message: "is required" }]);
    }
    const { amount, customer, ...optional } = PIX;
    for (const field of ["amount", "customer"]) {
      expect(await issuesOfPix(withField(PIX, field, undefined))).toEqual([
        { field, message: "is required" },
      ]);
    }
    const none = Object.fromEntries(Object.keys(optional).map((name) => [name, undefined]));
    const body = await bodyOf("createPix", { amount, customer, ...none });
    expect(Object.keys(body)).toEqual(["paymentMethod", "amount", "customer"]);
  });
});
