import fc from "fast-check";
import { type InstallmentPlanOptions, InvalidRequestError, installmentPlan } from "payments-sdk";
import { describe, expect, test } from "vitest";
import { thrownBy } from "../support/merchant.ts";

const numbersOf = (amount: number, options: InstallmentPlanOptions) =>
  installmentPlan(amount, options).map(({ installments }) => installments);

test("without interest, the first installment has the remaining cents", () => {
  expect(installmentPlan(10_000, { max: 3 })).toEqual([
    { installments: 1, each: 10_000, first: 10_000, total: 10_000, interest: 0 },
    { installments: 2, each: 5_000, first: 5_000, total: 10_000, interest: 0 },
    { installments: 3, each: 3_333, first: 3_334, total: 10_000, interest: 0 },
  ]);
});

/** From published tables of the Price factors, such as 0.0888488 for 1 % and 12 installments. */
test.each([
  [100_000, 0.01, 12, 8_885],
  [100_000, 0.02, 12, 9_456],
  [1_000_000, 0.03, 5, 218_355],
  [100_000, 0.015, 24, 4_992],
  [100_000, 0.0199, 10, 11_127],
  [9_000, 0.0199, 6, 1_606],
  [105, 0.1, 2, 61], // 60.5 cents: half a cent is rounded up
])(
  "%i cents with %d interest per month in %i installments are %i cents each",
  (amount, monthlyRate, max, each) => {
    expect(installmentPlan(amount, { max, monthlyRate }).at(-1)).toEqual({
      installments: max,
      each,
      first: each,
      total: each * max,
      interest: each * max - amount,
    });
  },
);

test("installments up to freeUntil have no interest", () => {
  const plan = installmentPlan(9_000, { max: 5, freeUntil: 3, monthlyRate: 0.0199 });

  expect(plan.map(({ total }) => total)).toEqual([9_000, 9_000, 9_000, 9_452, 9_545]);
});

test("interest is never negative: each installment is rounded up if the total were below the amount", () => {
  const [, , third] = installmentPlan(100, { max: 3, monthlyRate: 1e-7 }); // 33.33333400000022 cents

  expect(third).toEqual({ installments: 3, each: 34, first: 34, total: 102, interest: 2 });
});

test.each([
  [10_000, { max: 6, minInstallment: 2_500 }, [1, 2, 3, 4]],
  [10_000, { max: 6, minInstallment: 2_501 }, [1, 2, 3]],
  [10_000, { max: 6, minInstallment: 10_001 }, [1]],
  [2, { max: 3 }, [1, 2]], // an installment has at least one cent
])("%i cents with %o can be paid in %j installments", (amount, options, numbers) => {
  expect(numbersOf(amount, options)).toEqual(numbers);
});

test("all plans add up, and their interest is never negative", () => {
  const count = fc.integer({ min: 1, max: 48 });
  const amounts = fc.integer({ min: 1, max: 10 ** 9 });
  const rates = fc.integer({ min: 0, max: 2_000 }).map((hundredths) => hundredths / 10_000);
  fc.assert(
    fc.property(amounts, rates, count, count, (amount, monthlyRate, max, freeUntil) => {
      for (const entry of installmentPlan(amount, { max, monthlyRate, freeUntil })) {
        const { installments, each, first, total, interest } = entry;
        const isFree = monthlyRate === 0 || installments <= freeUntil;
        expect(first + each * (installments - 1)).toBe(total);
        expect(total - amount).toBe(interest);
        expect(interest).toBeGreaterThanOrEqual(0);
        if (isFree) expect(interest).toBe(0);
        expect(first - each).toBeLessThan(isFree ? installments : 1);
      }
    }),
  );
});

test.each([
  [1.5e-7, 1_000_000_000_000, 2, 500_000_112_500],
  [0.1 * 0.2, 1_000_000_000_000_000, 120, 22_048_096_885_833], // 0.020000000000000004
  [5e-324, 9_007_199_254_740_990, 2, 4_503_599_627_370_495], // the smallest number
])("the rate %d is the decimal number that JavaScript shows", (monthlyRate, amount, max, each) => {
  expect(installmentPlan(amount, { max, monthlyRate }).at(-1)?.each).toBe(each);
});

describe("refuses, and names every problem:", () => {
  const RATE = "must be a fraction per month, from 0 to 0.2: 1.99 % is 0.0199";
  const NUMBER = "must be a whole number from 1 to 120";
  const CENTS = "must be a whole number of cents, one or more";

  test.each([
    ["a percentage", 1_000, { max: 3, monthlyRate: 1.99 }, { monthlyRate: RATE }],
    ["a negative rate", 1_000, { max: 3, monthlyRate: -0.01 }, { monthlyRate: RATE }],
    ["a rate that is text", 1_000, { max: 3, monthlyRate: "0.0199" }, { monthlyRate: RATE }],
    ["a rate that is not a number", 1_000, { max: 3, monthlyRate: Number.NaN }, { monthlyRate: RATE }],
    ["too many installments", 1_000, { max: 121 }, { max: NUMBER }],
    ["no options", 1_000, undefined, { max: NUMBER }],
    ["reais", 19.9, { max: 3 }, { amount: CENTS }],
    ["an unsafe amount", 2 ** 53, { max: 3 }, { amount: CENTS }],
    [
      "everything",
      0,
      { max: 0, freeUntil: 1.5, minInstallment: 0, monthlyRate: null, monthlyrate: 0.01 },
      {
        monthlyrate: "is not an option (did you mean monthlyRate?)",
        amount: CENTS,
        max: NUMBER,
        monthlyRate: RATE,
        freeUntil: NUMBER,
        minInstallment: CENTS,
      },
    ],
    [
      "a total beyond 2^53 - 1",
      9_007_199_254_740_991,
      { max: 2, monthlyRate: 0.01 },
      { amount: "is too large for this interest" },
    ],
  ])("%s", (_what, amount, options, issues) => {
    const error = thrownBy(() => installmentPlan(amount, options as InstallmentPlanOptions));

    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error).toMatchObject({
      outcome: "not_applicable",
      issues: Object.entries(issues).map(([field, message]) => ({ field, message })),
    });
  });
});
