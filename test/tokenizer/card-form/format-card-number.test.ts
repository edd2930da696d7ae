import fc from "fast-check";
import { formatCardNumber } from "payments-sdk/browser";
import { describe, expect, test } from "vitest";

describe("a number is grouped as on its card", () => {
  test.each([
    ["4111111111111111", "4111 1111 1111 1111"],
    ["４１１１１", "4111 1"],
    ["378282246310005", "3782 822463 10005"], // Amex
    ["30569309025904", "3056 930902 5904"], // Diners
    ["3056930902590412", "3056 9309 0259 0412"], // Diners with sixteen digits
    ["3841001111222233334", "3841 0011 1122 2233 334"], // Hipercard with nineteen
    ["6304000000000000123", "6304 0000 0000 0000 123"],
  ])("%s: %s", (typed, formatted) => {
    expect(formatCardNumber(typed)).toBe(formatted);
  });
});

test("an incomplete number ends without a space", () => {
  const formatted = ["", "4", "4111", "41111", "3782", "37828", "3782822463", "37828224631"].map(
    formatCardNumber,
  );

  expect(formatted).toEqual(["", "4", "4111", "4111 1", "3782", "3782 8", "3782 822463", "3782 822463 1"]);
});

test.each([
  ["  4111-1111.1111/1111 ", "4111 1111 1111 1111"],
  ["card 4111", "4111"],
  ["x", ""],
  ["12345678901234567890123", "1234 5678 9012 3456 789"],
])("characters other than digits, and digits after the 19th, are removed: %j", (typed, formatted) => {
  expect(formatCardNumber(typed)).toBe(formatted);
});

test("a formatted number is unchanged by formatting", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[\d -]{0,30}$/)), (typed) => {
      const formatted = formatCardNumber(typed);

      expect(formatCardNumber(formatted)).toBe(formatted);
    }),
  );
});
