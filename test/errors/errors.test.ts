import {
  AbortedError,
  assertNotRefused,
  type CardTransaction,
  ConfigurationError,
  IdempotencyConflictError,
  IdempotencyStoreError,
  InvalidPostbackError,
  isPaymentsError,
  OutcomePendingError,
  PaymentsError,
  TimeoutError,
} from "payments-sdk";
import { describe, expect, test } from "vitest";
import { thrownBy } from "../support/merchant.ts";

const NOT_SENT = { outcome: "not_sent", endpoint: "transactions.create" } as const;
const A_REFUSED_CARD = {
  ...{ id: 1, status: "refused", refusedReason: "Insufficient limit", amount: 1990 },
  ...{ paymentMethod: "credit_card", customer: { document: {} }, raw: {} },
} as const satisfies CardTransaction;
const ISSUE = { field: "amount", message: "is wrong" };

test.each<[PaymentsError, string, object, string]>([
  [new ConfigurationError("x"), "ConfigurationError", { outcome: "not_sent" }, "no one was charged"],
  [new IdempotencyConflictError(NOT_SENT), "IdempotencyConflictError", NOT_SENT, "use a new reference"],
  [
    new OutcomePendingError({ ...NOT_SENT, outcome: "unknown" }),
    "OutcomePendingError",
    { outcome: "unknown", state: "unresolved" },
    "is unresolved",
  ],
  [
    new InvalidPostbackError([ISSUE], "{}"),
    "InvalidPostbackError",
    { actor: "service", issues: [ISSUE] },
    "amount is wrong",
  ],
])("the message and the JSON of an error describe the next step: %s", (error, name, fields, advice) => {
  expect(error).toBeInstanceOf(PaymentsError);
  expect(error).toMatchObject({ name, ...fields });
  expect(error.message).toContain(advice);
  expect(error.toJSON()).toMatchObject({ name, code: error.code, message: error.message, ...fields });
  expect(String(error)).toBe(`${name}: ${error.message}`);
});

test("the JSON of an error has no fields that the error does not have", () => {
  expect(new TimeoutError(5, { outcome: "unknown" }).toJSON()).toStrictEqual({
    name: "TimeoutError",
    code: "timed_out",
    message: expect.any(String),
    outcome: "unknown",
    mayHaveCharged: true,
    actor: "network",
    timeoutMs: 5,
  });
});

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

describe("isPaymentsError", () => {
  const BRANDED = { [Symbol.for("payments-sdk.error")]: true };

  test("is true for errors of this package", () => {
    expect(isPaymentsError(new AbortedError({ outcome: "unknown" }))).toBe(true);
  });

  test("is true for errors of another copy of the package, unlike instanceof", () => {
    const error: unknown = Object.assign(new Error(), { ...BRANDED, mayHaveCharged: true });

    expect(isPaymentsError(error)).toBe(true);
    expect(error).not.toBeInstanceOf(PaymentsError);
  });

  test.each([
    [new Error("x")],
    [Object.assign(new Error("of a copy without mayHaveCharged"), BRANDED)],
    [{ code: "timed_out" }],
    ["text"],
    [null],
    [undefined],
  ])("is false for %o", (value) => {
    expect(isPaymentsError(value)).toBe(false);
  });
});
