import { expect, test } from "vitest";
import { Integer } from "../../src/data/read-fields.ts";

test.each<[unknown, number]>([
  [1990, 1990],
  ["1990", 1990],
  ["-5", -5],
  ["007", 7],
  [-0, 0],
  ["-0", 0],
  ["9007199254740991", 9_007_199_254_740_991],
])("%j is the whole number %d", (value, integer) => {
  expect(Integer.parse(value)).toBe(integer);
});

test.each([
  ["9007199254740992"], // 2^53
  ["12345678901234567890"],
  [2 ** 53],
  [19.9],
  ["19.90"],
  ["1e3"],
  [" 1990"],
  ["+1"],
  [""],
  [true],
  [null],
  [[1990]],
])("%j is not a whole number", (value) => {
  expect(Integer.safeParse(value).success).toBe(false);
});
