import { expect, test } from "vitest";
import { aPix } from "../../support/merchant.ts";
import { bodyOf, issuesOfPix, warningsOf } from "../../support/recording-client.ts";

const withDocument = (document: unknown) => ({ ...aPix(), customer: { ...aPix().customer, document } });

const CPF = "must have 11 digits";
const CNPJ = "must have 14 digits or, since July 2026, letters";

test.each([
  ["cpf", "52998224725", "52998224725"],
  ["cpf", "529.982.247-25", "52998224725"],
  ["cpf", "00000000000", "00000000000"], // wrong check digits are not an error
  ["cnpj", "12.345.678/0001-95", "12345678000195"],
  ["cpf", "\u200b529.982.247\u201325\ufeff", "52998224725"], // pasted with an en dash and invisible characters
  ["cnpj", "12.345.678\t0001-95", "12345678000195"],
  ["cnpj", "12.ABC.345/01DE-35", "12ABC34501DE35"], // removing \D would make it another company
  ["cnpj", "12.abc.345/01de-35", "12ABC34501DE35"],
])("a document number is sent without its punctuation: %s %j as %j", async (type, number, sent) => {
  const body = await bodyOf("createPix", withDocument({ type, number }));

  expect(body["customer"]).toMatchObject({ document: { type, number: sent } });
});

test.each([
  ["cpf", "5299822472", CPF],
  ["cpf", "12345678000195", CPF], // a cnpj
  ["cpf", "5299822472A", CPF],
  ["cpf", "５２９９８２２４７２５", CPF], // not ASCII digits
  ["cnpj", "52998224725", CNPJ], // a cpf
  ["cnpj", "1234567800019", CNPJ],
  ["cnpj", "12.ıBC.345/01DE-35", CNPJ], // upper-cased, it becomes an I
  ["cnpj", "12ABC34501DEß", CNPJ], // upper-cased, it becomes SS
])("a document number of the wrong length for its type is not sent: %s %j", async (type, number, message) => {
  const params = withDocument({ type, number });

  const issues = await issuesOfPix(params);

  expect(issues).toEqual([{ field: "customer.document.number", message }]);
});

test.each<[string, unknown, string, string]>([
  ["another type", { type: "rg", number: "52998224725" }, ".type", 'must be "cpf" or "cnpj"'],
  ["a number that is not a string", { type: "cpf", number: 52998224725 }, ".number", "must be a string"],
  ["a string", "52998224725", "", "must be an object"],
  ["undefined", undefined, "", "is required"],
])("an invalid document is not sent: %s", async (_what, document, name, message) => {
  const issues = await issuesOfPix(withDocument(document));

  expect(issues).toEqual([{ field: `customer.document${name}`, message }]);
});

const LETTERS = "has letters: valid since July 2026, but the specification allows only digits";

test.each<["cpf" | "cnpj", string, string[]]>([
  ["cpf", "529.982.247-25", []],
  ["cpf", "529.982.247-52", ["is not a valid CPF: it may be mistyped"]],
  ["cnpj", "12.345.678/0001-95", []],
  ["cnpj", "12.345.678/0001-59", ["is not a valid CNPJ: it may be mistyped"]],
  ["cnpj", "12.ABC.345/01DE-35", [LETTERS]],
  ["cnpj", "12.ABC.345/01DE-53", [LETTERS, "is not a valid CNPJ: it may be mistyped"]],
])("the %s %s is sent with the warnings %j", async (type, number, messages) => {
  const warnings = await warningsOf("createPix", withDocument({ type, number }));

  expect(warnings).toEqual(messages.map((message) => ({ field: "customer.document.number", message })));
});
