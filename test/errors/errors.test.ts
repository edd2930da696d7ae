import {
  AbortedError,
  ConfigurationError,
  IdempotencyConflictError,
  InvalidPostbackError,
  isPaymentsError,
  OutcomePendingError,
  PaymentsError,
  TimeoutError,
} from "payments-sdk";
import { describe, expect, test } from "vitest";

const NOT_SENT = { outcome: "not_sent", endpoint: "transactions.create" } as const;
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
    actor: "network",
    timeoutMs: 5,
  });
});

describe("isPaymentsError", () => {
  test("is true for errors of this package", () => {
    expect(isPaymentsError(new AbortedError({ outcome: "unknown" }))).toBe(true);
  });

  test("is true for errors of another copy of the package, unlike instanceof", () => {
    const error: unknown = Object.assign(new Error(), { [Symbol.for("payments-sdk.error")]: true });

    expect(isPaymentsError(error)).toBe(true);
    expect(error).not.toBeInstanceOf(PaymentsError);
  });

  test.each([[new Error("x")], [{ code: "timed_out" }], ["text"], [null], [undefined]])(
    "is false for %o",
    (value) => {
      expect(isPaymentsError(value)).toBe(false);
    },
  );
});
