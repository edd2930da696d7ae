import { describe, expect, test } from "vitest";
import { Integer } from "../../src/schemas/integer.ts";

describe("a whole number of the service", () => {
  test.each<[unknown, number]>([
    [0, 0],
    [1990, 1990],
    [-5, -5],
    ["1990", 1990],
    ["-5", -5],
    ["007", 7],
    [-0, 0],
    ["-0", 0],
    [2 ** 53 - 1, 9_007_199_254_740_991],
    ["9007199254740991", 9_007_199_254_740_991],
  ])("%j is %d", (value, read) => {
    expect(Integer.parse(value)).toBe(read);
  });

  test.each([
    ["9007199254740992"], // 2^53
    ["9999999999999999"],
    ["12345678901234567890"],
    [2 ** 53],
    [19.9],
    ["19.90"],
    ["1e3"],
    ["0x10"],
    ["1_000"],
    [" 1990"],
    ["1990 "],
    ["+1"],
    [""],
    ["--1"],
    [Number.NaN],
    [Number.POSITIVE_INFINITY],
    [true],
    [null],
    [undefined],
    [[1990]],
    [{ value: 1990 }],
  ])("%j is none", (value) => {
    expect(Integer.safeParse(value).success).toBe(false);
  });
});
