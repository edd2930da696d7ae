import { isCnpj, isCpf } from "payments-sdk";
import { describe, expect, test } from "vitest";

// The alphanumeric CNPJ is the example of Receita Federal; the other numbers are examples in wide use.
describe("a document number is valid if its check digits are right", () => {
  test.each([
    ["529.982.247-25", true],
    ["111 444 777 35", true],
    ["12345678909", true],
    ["52998224752", false],
    ["52998224715", false], // the first check digit
    ["11111111111", false], // never issued, although the arithmetic is right
    ["5299822472", false],
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
    ["12.ABC.345/01DE-3S", false], // check digits are digits
    ["21.ABC.345/01DE-35", false],
    ["12.ıBC.345/01DE-35", false], // upper-cased, it becomes an I
    ["00000000000000", false],
    ["529.982.247-25", false],
  ])("cnpj %s: %s", (text, valid) => {
    expect(isCnpj(text)).toBe(valid);
  });
});
