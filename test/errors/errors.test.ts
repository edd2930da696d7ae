import {
  AbortedError,
  CardRefusedError,
  ConfigurationError,
  EnvironmentMismatchError,
  IdempotencyConflictError,
  InvalidPostbackError,
  isPaymentsError,
  OutcomePendingError,
  PaymentsError,
  TimeoutError,
  UntrustedPostbackError,
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
    new EnvironmentMismatchError("sandbox", undefined, { outcome: "not_applicable" }),
    "EnvironmentMismatchError",
    { outcome: "not_applicable" },
    "Expected the sandbox environment",
  ],
  [
    new InvalidPostbackError([ISSUE], "{}"),
    "InvalidPostbackError",
    { actor: "service", issues: [ISSUE] },
    "amount is wrong",
  ],
  [
    new UntrustedPostbackError("expired"),
    "UntrustedPostbackError",
    { actor: "service", reason: "expired" },
    "expired",
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

test("an InvalidPostbackError has the raw postback, but not in its JSON", () => {
  const error = new InvalidPostbackError([ISSUE], "text of a third party");

  expect(error.raw).toBe("text of a third party");
  expect(JSON.stringify(error)).not.toContain("third party");
});

test("the error of a declined card suggests another card, and does not warn of a second charge", () => {
  const refused = { id: 7, paymentMethod: "credit_card", status: "refused", refusedReason: "Limit" } as const;

  const error = new CardRefusedError(
    { ...refused, amount: 1, customer: { document: {} }, raw: undefined },
    { outcome: "created" },
  );

  expect(error.message).toBe(
    "The card was declined (Limit) and was not charged. Ask the buyer for another card, or for pix: it is the same order.",
  );
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
