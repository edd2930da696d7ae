import creditCardType from "credit-card-type";
import fc from "fast-check";
import { type CardBrand, cardBrand } from "payments-sdk/browser";
import { describe, expect, test } from "vitest";

describe("the first digits tell the brand", () => {
  test.each<[string, CardBrand | undefined]>([
    ["4", "visa"],
    ["4111-1111-1111-1111", "visa"],
    ["5555 5555 5555 4444", "mastercard"],
    ["2", undefined],
    ["23", "mastercard"], // nobody else has it
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

describe("as it is typed", () => {
  test("a card that begins like a Visa turns into an Elo", () => {
    const typed = ["4", "40", "401", "4011", "4011 7", "4011 78"];

    expect(typed.map(cardBrand)).toEqual(["visa", "visa", "visa", "visa", "visa", "elo"]);
  });

  test("fifty is nobody's before six digits are there", () => {
    const typed = ["5", "50", "509", "5090", "5090 0", "5090 00"];

    expect(typed.map(cardBrand)).toEqual([undefined, undefined, undefined, undefined, undefined, "elo"]);
  });
});

test.each([[""], [" "], ["x"], ["4111x"], ["４１１１"]])("%j is of no brand", (input) => {
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

/** The table's own beginnings, and their neighbours: a range that is off by one shows there and nowhere else. */
const edges = Object.keys(NAMES)
  .flatMap((type) => creditCardType.getTypeInfo(type).patterns.flat())
  .flatMap((edge) => [edge - 1, edge, edge + 1].map(String));

const numbers = fc
  .tuple(fc.constantFrom("", "3841", "50", ...edges), fc.stringMatching(/^\d{16}$/))
  .map(([beginning, rest]) => (beginning + rest).slice(0, 16));

function secondOpinion(number: string): CardBrand | undefined {
  const brand = NAMES[creditCardType(number)[0]?.type ?? ""];
  return brand === undefined && number.startsWith("50") ? "aura" : brand; // which theirs does not have
}

/** Brands of one country that ours does not have, to which theirs gives numbers of Elo, Mastercard and Visa. */
const ELSEWHERE: ReadonlySet<string | undefined> = new Set(["troy", "naranja"]);

/** Theirs does not have Hipercard's older numbers either. */
function isDisputed(number: string): boolean {
  return /^3841[046]0/.test(number) || ELSEWHERE.has(creditCardType(number)[0]?.type);
}

test("at the edge of every range, Braintree's table says the same", () => {
  const numbers = edges.map((edge) => edge.padEnd(16, "0")).filter((number) => !isDisputed(number));

  expect(numbers.length).toBeGreaterThan(100);
  expect(numbers.filter((number) => cardBrand(number) !== secondOpinion(number))).toEqual([]);
});

test("in and around every range, Braintree's table says the same", () => {
  fc.assert(
    fc.property(numbers, (number) => {
      fc.pre(!isDisputed(number));

      expect(cardBrand(number)).toBe(secondOpinion(number));
    }),
    { numRuns: 500 },
  );
});
