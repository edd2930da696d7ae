import {
  AbortedError,
  assertNotRefused,
  type CardTransaction,
  IdempotencyConflictError,
  IdempotencyStoreError,
  isPaymentsError,
  OutcomePendingError,
  type PaymentsError,
  TimeoutError,
} from "payments-sdk";
import { expect, test } from "vitest";
import { thrownBy } from "../support/merchant.ts";

const NOT_SENT = { outcome: "not_sent", endpoint: "transactions.create" } as const;
const A_REFUSED_CARD = {
  ...{ id: 1, status: "refused", refusedReason: "Insufficient limit", amount: 1990 },
  ...{ paymentMethod: "credit_card", customer: { document: {} }, raw: {} },
} as const satisfies CardTransaction;
test.each<[PaymentsError, boolean]>([
  [new TimeoutError(5, { outcome: "not_sent" }), false],
  [new TimeoutError(5, { outcome: "rejected" }), false],
  [new TimeoutError(5, { outcome: "unknown" }), true],
  [new TimeoutError(5, { outcome: "created" }), true],
  [new TimeoutError(5, { outcome: "not_applicable" }), false],
  [thrownBy(() => assertNotRefused(A_REFUSED_CARD)), false], // its outcome is `created`
  [new IdempotencyConflictError(NOT_SENT), true],
  [new OutcomePendingError({ outcome: "not_applicable" }), true], // as resolve() throws it
  [new IdempotencyStoreError("x", NOT_SENT), true],
])(
  "mayHaveCharged is false only if the customer was not charged for the order: %s: %s",
  (error, expected) => {
    expect(error).toMatchObject({ mayHaveCharged: expected });
  },
);

const BRANDED = { [Symbol.for("payments-sdk.error")]: true };

test.each<[string, unknown, boolean]>([
  ["an error of this package", new AbortedError({ outcome: "unknown" }), true],
  ["an error of another copy of it", Object.assign(new Error(), { ...BRANDED, mayHaveCharged: true }), true],
  ["another error", new Error("x"), false],
  ["an object", { code: "timed_out", mayHaveCharged: true, ...BRANDED }, false],
  ["null", null, false],
])(
  "isPaymentsError accepts errors of this package and of other copies of it only: %s",
  (_what, value, expected) => {
    expect(isPaymentsError(value)).toBe(expected);
  },
);
