import { withOwn } from "../data/own-properties.ts";
import { unknownOptions } from "../errors/check-options.ts";
import { InvalidRequestError } from "../errors/usage-errors.ts";

/** The largest number of installments of a plan. The specification does not show a maximum. */
const MAX_INSTALLMENTS = 120;

/** The highest interest of a plan per month, as a fraction. A percentage by mistake, such as 1.99, is above it. */
const MAX_MONTHLY_RATE = 0.2;

/** Options of {@link installmentPlan}. */
export interface InstallmentPlanOptions {
  /** The largest number of installments, from 1 to 120. */
  max: number;
  /** Interest per month as a fraction, from 0 to 0.2: 0.0199 is 1.99 %. Default 0. */
  monthlyRate?: number | undefined;
  /** The largest number of installments without interest, from 1 to 120. Default 1. */
  freeUntil?: number | undefined;
  /** Cents. Numbers of installments with a lower `each` are left out. Default 1. */
  minInstallment?: number | undefined;
}

/** One way to pay an amount. All amounts are whole cents. */
export interface InstallmentOption {
  /** Number of installments. */
  readonly installments: number;
  /** Cents of each installment after the first one. */
  readonly each: number;
  /** Cents of the first installment: `each`, and without interest the remaining cents. */
  readonly first: number;
  /** Cents of all installments: `first + each * (installments - 1)`. */
  readonly total: number;
  /** Cents of interest: `total` minus the amount. */
  readonly interest: number;
}

const OPTION_NAMES = ["max", "monthlyRate", "freeUntil", "minInstallment"] as const;

const CENTS = "must be a whole number of cents, one or more";
const COUNT = `must be a whole number from 1 to ${MAX_INSTALLMENTS}`;
const RATE = `must be a fraction per month, from 0 to ${MAX_MONTHLY_RATE}: 1.99 % is 0.0199`;

/**
 * The installments that a shop offers for an amount, with the shop's interest: one entry for each number of installments
 * from 1 to `max`. A single payment is always offered.
 *
 * ```ts
 * installmentPlan(10_000, { max: 12, freeUntil: 3, monthlyRate: 0.0199, minInstallment: 1_000 });
 * // [..., { installments: 3, each: 3333, first: 3334, total: 10000, interest: 0 },
 * //  { installments: 4, each: 2626, first: 2626, total: 10504, interest: 504 }, ...]
 * ```
 *
 * - Without interest, `each` is rounded down, and `first` has the remaining cents.
 * - With interest, all installments are equal, and the first is due one month after the purchase (tabela Price). `each`
 *   is rounded half up; if the total were then below the amount, it is rounded up.
 *
 * The rate is calculated exactly, as the decimal number that JavaScript shows.
 *
 * If the buyer pays the interest, send `total` as `amount`, with `installments`. Compute the plan again on your server:
 * never trust an amount from the page. What the service itself adds is not in the specification: see "POST
 * /api/v1/transactions", `installments`.
 *
 * @param amount - Cents, one or more.
 * @throws {InvalidRequestError} if a parameter is not valid, or a total is above 2^53 - 1 cents; `issues` lists every
 *   problem.
 */
export function installmentPlan(amount: number, options: InstallmentPlanOptions): InstallmentOption[] {
  const own = withOwn(options, OPTION_NAMES);
  const { max, monthlyRate = 0, freeUntil = 1, minInstallment = 1 } = own;
  const issues = unknownOptions(own, OPTION_NAMES);
  const check = (isValid: boolean, field: string, message: string) => {
    if (!isValid) issues.push({ field, message });
  };
  check(isWhole(amount), "amount", CENTS);
  check(isWhole(max, MAX_INSTALLMENTS), "max", COUNT);
  // A comparison alone would convert a text.
  const isRate = typeof monthlyRate === "number" && monthlyRate >= 0 && monthlyRate <= MAX_MONTHLY_RATE;
  check(isRate, "monthlyRate", RATE);
  check(isWhole(freeUntil, MAX_INSTALLMENTS), "freeUntil", COUNT);
  check(isWhole(minInstallment), "minInstallment", CENTS);
  if (issues.length > 0) throw new InvalidRequestError(issues);

  const plan: InstallmentOption[] = [];
  for (let installments = 1; installments <= max; installments += 1) {
    const isFree = monthlyRate === 0 || installments <= freeUntil;
    const rest = isFree ? amount % installments : 0;
    const each = isFree
      ? (amount - rest) / installments
      : eachWithInterest(amount, monthlyRate, installments);
    const total = each * installments + rest;
    if (!isWhole(total)) {
      const issue = { field: "amount", message: "is too large for this interest" };
      throw new InvalidRequestError([issue]);
    }
    if (installments === 1 || each >= minInstallment)
      plan.push({ installments, each, first: each + rest, total, interest: total - amount });
  }
  return plan;
}

function isWhole(value: number, most = Number.MAX_SAFE_INTEGER): boolean {
  return Number.isInteger(value) && value >= 1 && value <= most;
}

/**
 * Tabela Price: `amount * rate * (1 + rate) ** count / ((1 + rate) ** count - 1)`, in whole numbers: a fraction of floats
 * would be a cent off for some amounts.
 */
function eachWithInterest(amount: number, monthlyRate: number, count: number): number {
  // As JavaScript shows it: 0.0199, 1e-7 or 1.5e-7.
  const [decimal = "", exponent = ""] = String(monthlyRate).split("e-");
  const [whole = "", places = ""] = decimal.split(".");
  const rate = BigInt(whole + places);
  const one = 10n ** BigInt(places.length + Number(exponent));
  const growth = (one + rate) ** BigInt(count);
  const above = BigInt(amount) * rate * growth;
  const below = one * (growth - one ** BigInt(count));
  const each = Number((2n * above + below) / (2n * below)); // rounded half up
  return each * count < amount ? each + 1 : each;
}
