import creditCardType from "credit-card-type";
import { type CardBrand, cardBrand } from "payments-sdk/browser";
import { describe, expect, test } from "vitest";

describe("the first digits determine the brand", () => {
  test.each<[string, CardBrand | undefined]>([
    ["4", "visa"],
    ["4111-1111-1111-1111", "visa"],
    ["４１１１", "visa"],
    ["5555 5555 5555 4444", "mastercard"],
    ["2", undefined],
    ["23", "mastercard"], // no other brand
    ["3782 822463 10005", "amex"],
    ["300", "diners"],
    ["3056 9309 0259 04", "diners"],
    ["6062 82", "hipercard"],
    ["3841 39", "diners"],
    ["4011 78", "elo"], // inside the range of Visa
    ["5090 00", "elo"], // inside the range of Aura
    ["6500 31", "elo"], // inside the range of Discover
    ["6500 34", undefined],
    ["6500 52", undefined], // Troy
    ["5078 60", "aura"],
    ["6370 95", undefined], // Hiper, which is not Hipercard
    ["6011 1111 1111 1117", undefined], // Discover
    ["3530 1113 3330 0000", undefined], // JCB
  ])("%s: %s", (input, brand) => {
    expect(cardBrand(input)).toBe(brand);
  });
});

describe("while the number is typed", () => {
  test("the brand can change from Visa to Elo", () => {
    const typed = ["4", "40", "401", "4011", "4011 7", "4011 78"];

    expect(typed.map(cardBrand)).toEqual(["visa", "visa", "visa", "visa", "visa", "elo"]);
  });

  test("a number that starts with 50 has no brand before six digits", () => {
    const typed = ["5", "50", "509", "5090", "5090 0", "5090 00"];

    expect(typed.map(cardBrand)).toEqual([undefined, undefined, undefined, undefined, undefined, "elo"]);
  });
});

test.each([[""], [" "], ["x"], ["4111x"]])("%j has no brand", (input) => {
  expect(cardBrand(input)).toBeUndefined();
});

const NAMES: Readonly<Record<string, CardBrand>> = {
  visa: "visa",
  mastercard: "mastercard",
  elo: "elo",
  hipercard: "hipercard",
  "american-express": "amex",
  "diners-club": "diners",
};

/** The prefixes of the table and their neighbours, which reveal a range that is off by one. */
const edges = Object.keys(NAMES)
  .flatMap((type) => creditCardType.getTypeInfo(type).patterns.flat())
  .flatMap((edge) => [edge - 1, edge, edge + 1].map(String));

function expectedBrand(number: string): CardBrand | undefined {
  const brand = NAMES[creditCardType(number)[0]?.type ?? ""];
  return brand === undefined && number.startsWith("50") ? "aura" : brand; // which Braintree's table does not have
}

/** Local brands to which Braintree's table assigns numbers of Elo, Mastercard and Visa; ours does not have them. */
const LOCAL_BRANDS: ReadonlySet<string | undefined> = new Set(["troy", "naranja"]);

/** Braintree's table also lacks the older numbers of Hipercard. */
function isDisputed(number: string): boolean {
  return /^3841[046]0/.test(number) || LOCAL_BRANDS.has(creditCardType(number)[0]?.type);
}

test("at the edges of every range, the brand is that of Braintree's table", () => {
  const numbers = edges.map((edge) => edge.padEnd(16, "0")).filter((number) => !isDisputed(number));

  expect(numbers.length).toBeGreaterThan(100);
  expect(numbers.filter((number) => cardBrand(number) !== expectedBrand(number))).toEqual([]);
});
