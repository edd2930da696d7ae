import { formatBRL, InvalidRequestError, parseBRL, toCents } from "payments-sdk";
import { describe, expect, test } from "vitest";
import { thrownBy } from "../support/merchant.ts";

/** `Intl` writes a no-break space after the currency symbol; a plain space is easier to read in the tables. */
const plain = (text: string) => text.replaceAll("\u00a0", " ");

describe("parseBRL reads reais as Brazilians write them", () => {
  test.each([
    ["1.234,56", 123_456],
    ["19,99", 1_999],
    ["0,01", 1],
    ["1.234", 123_400], // a point separates thousands
    ["1.234.567,89", 123_456_789],
    ["R$\u00a019,90", 1_990],
    ["90.071.992.547.409,91", 9_007_199_254_740_991],
  ])("%j is %i cents", (text, cents) => {
    expect(parseBRL(text)).toBe(cents);
  });

  // Reais have a decimal comma; the last text is beyond 2^53 - 1 cents.
  const NO_REAIS = "19.99 12.34,5 1,5 1,234.56 1234.567,00 10, -1,00 1e3 ١٢ R$ 90.071.992.547.409,92".split(
    " ",
  );

  test.each([...NO_REAIS, "", 19.99])("%j throws", (text) => {
    const error = thrownBy(() => parseBRL(text as string));

    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error).toMatchObject({ outcome: "not_applicable", issues: [{ field: "amount" }] });
  });
});

describe("formatBRL formats cents as reais", () => {
  test.each([
    [123_456, "R$ 1.234,56"],
    [50, "R$ 0,50"],
    [-1_999, "-R$ 19,99"],
    [100_000_000, "R$ 1.000.000,00"],
    [9_007_199_254_740_991, "R$ 90.071.992.547.409,91"], // a division by 100 would round it
  ])("%i cents are %j", (cents, text) => {
    expect(plain(formatBRL(cents))).toBe(text);
  });

  test.each([19.99, Number.NaN, Infinity, 2 ** 53, "1999", null, undefined, {}])("%j throws", (cents) => {
    expect(thrownBy(() => formatBRL(cents as number))).toBeInstanceOf(InvalidRequestError);
  });
});

describe("toCents converts the decimal reais of the revenue endpoint to cents", () => {
  test.each([
    [19.99, 1_999], // 19.99 * 100 is 1998.9999999999998
    [1_234.56, 123_456],
    [1e-7, 0], // a number that prints with an exponent
    [1.005, 101], // half a cent is rounded away from zero, unlike 1.005 * 100
    [-1.005, -101],
    [-19.99, -1_999], // more was refunded than paid
    [-1e-7, 0],
    [-0, 0],
    [0.1 + 0.2, 30], // 0.30000000000000004
    [90_071_992_547_409.9, 9_007_199_254_740_990],
  ])("%d reais are %i cents", (reais, cents) => {
    expect(toCents(reais)).toBe(cents);
  });

  const NO_NUMBER = "must be a number of reais";
  const TOO_LARGE = "is too large to be exact";

  test.each([
    ...[Number.NaN, Infinity, "19.99", null, undefined].map((reais) => [reais, NO_NUMBER]),
    ...[-1e21, -1e15, 1e21, 1e15].map((reais) => [reais, TOO_LARGE]),
  ])("%j throws: it %s", (reais, message) => {
    const issues = [{ field: "amount", message }];

    expect(thrownBy(() => toCents(reais as number))).toMatchObject({ code: "invalid_request", issues });
  });
});
