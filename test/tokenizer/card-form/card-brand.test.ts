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
    ["5090 00", "elo"], // inside the range of Maestro
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

// Numbers that are published for tests, and prefixes padded with zeros.
describe("well-known numbers have their brand", () => {
  test.each<[CardBrand | undefined, string]>([
    [
      "visa",
      "4111111111111111 4012888888881881 4242424242424242 4222222222222 4024007153763191 4235647728025682",
    ],
    ["mastercard", "5555555555554444 5105105105105100 5454545454545454 5399999999999999 5155901222280001"],
    ["mastercard", "2221000000000009 2223003122003222 2223000048400011 2720990000000007 2720999999999996"],
    ["mastercard", "5031433215406351 5031755734530604"], // issued in Latin America
    ["amex", "378282246310005 371449635398431 378734493671000 340000000000009 375365153556885"],
    ["diners", "30569309025904 38520000023237 36148900647913 36227206271667 3056930009020004"],
    ["elo", "4011780000000000 4312740000000000 4389350000000000 4514160123456783 4573930000000000"],
    ["elo", "4576310000000000 5041750000000000 5066991111111118 5067230000009011 5067310000000010"],
    ["elo", "5067780000000000 5090000000000000 5099990000000000 6277800000000000 6362970000457013"],
    ["elo", "6363680000457013 6363690000000000 6500310000000000 6505070000000000 6509010000000000"],
    ["elo", "6516520000000001 6550000000000001 6550580000000000"],
    ["hipercard", "6062825624254001 6062826786276634 6062828888666688 3841001111222233334"],
    ["aura", "5078601870000127985 5078601912345600019"],
    ["maestro", "5018000000000009 5020000000000000 5038000000000000 5893000000000000 5641820000000005"],
    ["maestro", "6304000000000000 6759649826438453 6771798021000008 6799990100000000019"],
    [undefined, "6011111111111117 6011000990139424 6445644564456445"], // Discover
    [undefined, "3530111333300000 3566002020360505"], // JCB
    [undefined, "6240008631401148 6221260000000000"], // UnionPay
    [undefined, "6370950000000005 6031820000000000"], // Hiper, Banescard
  ])("%s: %s", (brand, numbers) => {
    for (const number of numbers.split(" ")) expect(cardBrand(number), number).toBe(brand);
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
  return brand === undefined && number.startsWith("5") ? "maestro" : brand; // its table also has all of 6 as Maestro
}

/** Local brands to which Braintree's table assigns numbers of Elo, Mastercard and Visa; ours does not have them. */
const LOCAL_BRANDS: ReadonlySet<string | undefined> = new Set(["troy", "naranja"]);

/** Braintree's table also lacks Aura, an Elo, and the older numbers of Hipercard. */
function isDisputed(number: string): boolean {
  return (
    /^(3841[046]0|636369|503143|503175|5078)/.test(number) ||
    LOCAL_BRANDS.has(creditCardType(number)[0]?.type)
  );
}

test("at the edges of every range, the brand is that of Braintree's table", () => {
  const numbers = edges.map((edge) => edge.padEnd(16, "0")).filter((number) => !isDisputed(number));

  expect(numbers.length).toBeGreaterThan(100);
  expect(numbers.filter((number) => cardBrand(number) !== expectedBrand(number))).toEqual([]);
});
