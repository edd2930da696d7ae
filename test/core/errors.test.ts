import {
  AbortedError,
  CardRefusedError,
  CardTokenExpiredError,
  ConfigurationError,
  EnvironmentMismatchError,
  IdempotencyConflictError,
  InvalidPostbackError,
  InvalidRequestError,
  isPaymentsError,
  OutcomePendingError,
  PaymentsError,
  TimeoutError,
  UntrustedPostbackError,
} from "payments-sdk";
import { describe, expect, test } from "vitest";

const CREATE = { endpoint: "transactions.create", externalRef: "order-1" } as const;
const ISSUE = { field: "amount", message: "is wrong" };

describe("an error says by itself", () => {
  test.each<[PaymentsError, string, string, string, string, string]>([
    [
      new ConfigurationError("x"),
      "ConfigurationError",
      "configuration",
      "not_sent",
      "merchant",
      "nobody was charged",
    ],
    [
      new InvalidRequestError([ISSUE]),
      "InvalidRequestError",
      "invalid_request",
      "not_sent",
      "merchant",
      "amount is wrong",
    ],
    [
      new CardTokenExpiredError(new Date(0)),
      "CardTokenExpiredError",
      "card_token_expired",
      "not_sent",
      "customer",
      "Make a new one",
    ],
    [
      new IdempotencyConflictError({ outcome: "not_sent", ...CREATE }),
      "IdempotencyConflictError",
      "idempotency_conflict",
      "not_sent",
      "merchant",
      "use a new reference",
    ],
    [
      new OutcomePendingError({ outcome: "unknown", ...CREATE }),
      "OutcomePendingError",
      "outcome_pending",
      "unknown",
      "merchant",
      "is unresolved",
    ],
    [
      new EnvironmentMismatchError("sandbox", undefined, { outcome: "not_applicable" }),
      "EnvironmentMismatchError",
      "environment_mismatch",
      "not_applicable",
      "merchant",
      "Expected the sandbox environment",
    ],
    [
      new InvalidPostbackError([ISSUE], "{}"),
      "InvalidPostbackError",
      "invalid_postback",
      "not_applicable",
      "service",
      "amount is wrong",
    ],
    [
      new UntrustedPostbackError("bad_signature"),
      "UntrustedPostbackError",
      "untrusted_postback",
      "not_applicable",
      "service",
      "bad_signature",
    ],
  ])("%s", (error, name, code, outcome, actor, advice) => {
    expect(error).toMatchObject({ name, code, outcome, actor });
    expect(error.message).toContain(advice);
    expect(error.toJSON()).toMatchObject({ name, code, outcome, actor, message: error.message });
    expect(error).toBeInstanceOf(PaymentsError);
    expect(String(error)).toBe(`${name}: ${error.message}`);
    expect(error.stack).toContain("errors.test.ts");
  });

  test("its plain form has its own fields too, and none of those that it has not", () => {
    expect(new InvalidPostbackError([ISSUE], "{}").toJSON()).toMatchObject({ issues: [ISSUE] });
    expect(new UntrustedPostbackError("expired").toJSON()).toMatchObject({ reason: "expired" });
    expect(new TimeoutError(5, { outcome: "unknown" }).toJSON()).toStrictEqual({
      name: "TimeoutError",
      code: "timed_out",
      message: expect.any(String),
      outcome: "unknown",
      actor: "network",
      timeoutMs: 5,
    });
  });

  test("what came as a postback is at hand, but not in a log", () => {
    const error = new InvalidPostbackError([ISSUE], "somebody else's text");

    expect(error.raw).toBe("somebody else's text");
    expect(JSON.stringify(error)).not.toContain("somebody else");
  });
});

test("a declined card asks for another one, and does not warn of a second charge", () => {
  const refused = { id: 7, paymentMethod: "credit_card", status: "refused", refusedReason: "Limit" } as const;

  const error = new CardRefusedError(
    { ...refused, amount: 1, customer: { document: {} }, raw: undefined },
    { outcome: "created" },
  );

  expect(error.message).toBe(
    "The card was declined (Limit) and nothing was taken from it. Ask the buyer for another card, or for pix: it is the same order.",
  );
});

describe("isPaymentsError", () => {
  test("knows the errors of this package", () => {
    expect(isPaymentsError(new AbortedError({ outcome: "unknown" }))).toBe(true);
  });

  test("knows those of another copy of it, which instanceof does not", () => {
    const brand = Symbol.for("payments-sdk.error");
    class OtherCopysError extends Error {
      get [brand](): true {
        return true;
      }
    }
    const error: unknown = new OtherCopysError();

    expect(isPaymentsError(error)).toBe(true);
    expect(error).not.toBeInstanceOf(PaymentsError);
  });

  test.each([[new Error("x")], [new TypeError("x")], [{ code: "timed_out" }], ["text"], [null], [undefined]])(
    "does not take %o for one",
    (value) => {
      expect(isPaymentsError(value)).toBe(false);
    },
  );
});
