import creditCardType from "credit-card-type";
import {
  type CardBrand,
  cardBrand,
  formatCardNumber,
  formatExpiry,
  isExpired,
  isLuhnValid,
  parseExpiry,
  securityCodeLength,
} from "payments-sdk/browser";
import { describe, expect, test } from "vitest";

describe("the first digits determine the brand", () => {
  test.each<[string, CardBrand | undefined]>([
    ["", undefined],
    ["x", undefined],
    ["4111x", undefined],
    ["4111-1111-1111-1111", "visa"],
    ["４１１１", "visa"],
    ["2", undefined],
    ["23", "mastercard"], // no other brand
    ["3782 822463 10005", "amex"],
    ["300", "diners"],
    ["3841 39", "diners"],
    ["3841001111222233334", "hipercard"],
    ["4011 78", "elo"], // inside the range of Visa
    ["5090 0", undefined],
    ["5090 00", "elo"], // inside the range of Maestro
    ["6500 31", "elo"], // inside the range of Discover
    ["6500 52", undefined], // Troy
    ["5031433215406351", "mastercard"], // issued in Latin America
    ["5031755734530604", "mastercard"],
    ["5078 60", "aura"],
    ["6370 95", undefined], // Hiper, which is not Hipercard
    ["6011 1111 1111 1117", undefined], // Discover
    ["6240008631401148", undefined], // UnionPay
  ])("%s: %s", (input, brand) => {
    expect(cardBrand(input)).toBe(brand);
  });
});

const NAMES: Readonly<Record<string, CardBrand>> = {
  visa: "visa",
  mastercard: "mastercard",
  elo: "elo",
  hipercard: "hipercard",
  "american-express": "amex",
  "diners-club": "diners",
};

/** The prefixes of Braintree's table and their neighbours, which reveal a range that is off by one. */
const edges = Object.keys(NAMES)
  .flatMap((type) => creditCardType.getTypeInfo(type).patterns.flat())
  .flatMap((edge) => [edge - 1, edge, edge + 1].map(String));

function expectedBrand(number: string): CardBrand | undefined {
  const brand = NAMES[creditCardType(number)[0]?.type ?? ""];
  return brand === undefined && number.startsWith("5") ? "maestro" : brand; // its table also has all of 6 as Maestro
}

/**
 * Braintree's table lacks Aura, an Elo, and the older numbers of Hipercard, and assigns numbers of Elo, Mastercard and
 * Visa to local brands, which ours does not have.
 */
function isDisputed(number: string): boolean {
  const type = creditCardType(number)[0]?.type;
  return /^(3841[046]0|636369|503143|503175|5078)/.test(number) || type === "troy" || type === "naranja";
}

test("at the edges of every range, the brand is that of Braintree's table", () => {
  const numbers = edges.map((edge) => edge.padEnd(16, "0")).filter((number) => !isDisputed(number));

  expect(numbers.length).toBeGreaterThan(100);
  expect(numbers.filter((number) => cardBrand(number) !== expectedBrand(number))).toEqual([]);
});

test.each([
  ["amex", 4],
  ["visa", 3],
  [undefined, undefined],
] as const)("the security code of %s has %s digits", (brand, length) => {
  expect(securityCodeLength(brand)).toBe(length);
});

describe("a number is grouped as on its card", () => {
  test.each([
    ["", ""],
    ["x", ""],
    ["4111", "4111"], // no space at the end
    ["４１１１１", "4111 1"],
    ["4111111111111111", "4111 1111 1111 1111"],
    ["378282246310005", "3782 822463 10005"], // Amex
    ["30569309025904", "3056 930902 5904"], // Diners
    ["3841001111222233334", "3841 0011 1122 2233 334"], // Hipercard with nineteen
    [" card 4111-1111.1111/1111 ", "4111 1111 1111 1111"],
    ["12345678901234567890123", "1234 5678 9012 3456 789"], // at most nineteen digits
  ])("%j: %j", (typed, formatted) => {
    expect(formatCardNumber(typed)).toBe(formatted);
    expect(formatCardNumber(formatted)).toBe(formatted);
  });
});

describe("a number is valid if its check digit is right", () => {
  test.each([
    ["4111 1111 1111 1111", true],
    ["3782-822463-10005", true],
    ["４１１１ １１１１ １１１１ １１１１", true],
    ["4111111111111112", false],
    ["4024007153763191", false], // nevertheless a published test card
    ["0", false], // one digit has no check digit
    ["", false],
    ["4111x1111", false],
  ])("%j: %s", (number, isValid) => {
    expect(isLuhnValid(number)).toBe(isValid);
  });
});

describe("an expiry date is formatted while it is typed", () => {
  test.each([
    ["1", "1"],
    ["4", "04/"],
    ["04", "04"], // the slash was deleted
    ["1/", "01/"],
    ["1239", "12/39"],
    ["1339", "13/39"], // wrong, and for the buyer to correct
    ["03/203", "03/203"], // on the way to 2039
    ["03/2039", "03/39"],
    ["2039-03", "03/39"],
    ["０３／３９", "03/39"],
    ["12/399", "12/39"],
    ["52/39", "52/39"], // the 1 of 12/39 was replaced: not May 2023
    ["39-03", "39/03"], // year first? Two digits do not show it
    ["2039-03-31", "03/39"],
    ["203903", "03/39"],
    ["x", ""],
  ])("%j: %j", (typed, formatted) => {
    expect(formatExpiry(typed)).toBe(formatted);
    expect(formatExpiry(formatted)).toBe(formatted);
  });
});

describe("an expiry date is read in many formats", () => {
  const formats = ["03/31", "3/31", "03/2031", "03 / 31", " 03/31 ", "03.31", "0331", "032031"];
  const yearFirst = ["2031-03", "2031-03-31", "203103", "０３／３１"];

  test.each<[string, string | undefined, string | undefined]>([
    ...[...formats, ...yearFirst].map((typed): [string, string, string] => [typed, "03", "2031"]),
    ["1/05", "01", "2005"], // in the past; the service decides
    ["10/2099", "10", "2099"],
    ["1231", "12", "2031"],
  ])("%j: %s, %s", (typed, expirationMonth, expirationYear) => {
    expect(parseExpiry(typed)).toEqual({ expirationMonth, expirationYear });
  });

  // "331" and "39-03" could be read in two ways.
  test.each(["", "03/", "00/31", "13/31", "331", "20313", "39-03", "03/1931", "03/31x"])(
    "but not %j",
    (typed) => {
      expect(parseExpiry(typed)).toBeUndefined();
    },
  );
});

test.each([
  ["2026-12-01T11:59:59Z", false], // still November twelve hours behind UTC
  ["2026-12-01T12:00:00Z", true],
])("a card of November 2026 at %s has expired: %s", (now, hasExpired) => {
  expect(isExpired({ expirationMonth: "11", expirationYear: "2026" }, new Date(now))).toBe(hasExpired);
});
