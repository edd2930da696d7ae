import fc from "fast-check";
import { isLuhnValid } from "payments-sdk/browser";
import { describe, expect, test } from "vitest";

describe("the check digit fits", () => {
  test.each([
    ["4111111111111111", true],
    ["4111 1111 1111 1111", true],
    ["3782-822463-10005", true],
    ["79927398713", true],
    ["00", true],
    ["4111111111111112", false],
    ["4024007153763191", false], // published as a test card all the same
    ["0", false], // one digit has none to check
    ["", false],
    ["4111x1111", false],
    ["４１１１", false],
  ])("%j: %s", (number, valid) => {
    expect(isLuhnValid(number)).toBe(valid);
  });
});

const numbers = fc.stringMatching(/^\d{11,18}$/);

test("of ten last digits, one fits", () => {
  fc.assert(
    fc.property(numbers, (beginning) => {
      const fitting = [..."0123456789"].filter((last) => isLuhnValid(beginning + last));

      expect(fitting).toHaveLength(1);
    }),
  );
});
