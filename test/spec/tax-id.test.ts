import { isCnpj, isCpf } from "payments-sdk";
import { describe, expect, test } from "vitest";

// The alphanumeric CNPJ is the example of Receita Federal; the other numbers are examples in wide use.
describe("a document number is valid if its check digits are right", () => {
  test.each([
    ["529.982.247-25", true],
    ["111 444 777 35", true],
    ["12345678909", true],
    ["52998224752", false],
    ["52998224717", false], // only the first check digit is wrong
    ["11111111111", false], // never issued, although the arithmetic is right
    ["529982247250", false],
    ["５２９９８２２４７２５", false], // not ASCII digits
    ["", false],
  ])("cpf %s: %s", (text, valid) => {
    expect(isCpf(text)).toBe(valid);
  });

  test.each([
    ["11.222.333/0001-81", true],
    ["00.000.000/0001-91", true],
    ["12.ABC.345/01DE-35", true],
    ["12abc34501de35", true],
    ["12.ABC.345/01DE-34", false],
    ["11.222.333/0001-73", false], // only the first check digit is wrong
    ["12.ABC.345/01DE-3S", false], // check digits are digits
    ["12.ıBC.345/01DE-35", false], // upper-cased, it becomes an I
    ["00000000000000", false],
    ["529.982.247-25", false],
  ])("cnpj %s: %s", (text, valid) => {
    expect(isCnpj(text)).toBe(valid);
  });
});

/** What people paste from documents, chats and spreadsheets between the digits. */
const PASTED = [
  ..."\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d\u00ad\u200b\u200c\u200d\u2060\ufeff\u00a0\u202f\u2009\u202a\u202c\t",
];

test.each(PASTED)("a dash, space or invisible character that was pasted is ignored: %j", (character) => {
  const between = (number: string) => [...number].join(character);

  expect(isCpf(`${character}529.982.247${character}25${character}`)).toBe(true);
  expect(isCpf(between("52998224725"))).toBe(true);
  expect(isCnpj(between("12ABC34501DE35"))).toBe(true);
});
