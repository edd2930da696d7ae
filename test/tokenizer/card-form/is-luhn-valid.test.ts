import fc from "fast-check";
import { isLuhnValid } from "payments-sdk/browser";
import { describe, expect, test } from "vitest";

describe("a number is valid if its check digit is right", () => {
  test.each([
    ["4111111111111111", true],
    ["4111 1111 1111 1111", true],
    ["3782-822463-10005", true],
    ["79927398713", true],
    ["00", true],
    ["4111111111111112", false],
    ["4024007153763191", false], // nevertheless a published test card
    ["0", false], // one digit has no check digit
    ["", false],
    ["4111x1111", false],
    ["４１１１ １１１１ １１１１ １１１１", true],
  ])("%j: %s", (number, isValid) => {
    expect(isLuhnValid(number)).toBe(isValid);
  });
});

const numbers = fc.stringMatching(/^\d{11,18}$/);

test("exactly one of ten last digits is valid", () => {
  fc.assert(
    fc.property(numbers, (prefix) => {
      const validDigits = [..."0123456789"].filter((last) => isLuhnValid(prefix + last));

      expect(validDigits).toHaveLength(1);
    }),
  );
});
