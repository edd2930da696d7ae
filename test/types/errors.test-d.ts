import type * as sdk from "payments-sdk";
import {
  type AnyPaymentsError,
  isPaymentsError,
  type PaymentsError,
  type PaymentsErrorCode,
  type ValidationError,
} from "payments-sdk";
import { expectTypeOf, test } from "vitest";

/** Names of the exported error classes, except the abstract base. */
type ErrorName = {
  [Key in keyof typeof sdk]: (typeof sdk)[Key] extends abstract new (
    ...args: never[]
  ) => PaymentsError
    ? Key
    : never;
}[keyof typeof sdk];

type InstanceOf<Name extends ErrorName> = (typeof sdk)[Name] extends (abstract new (
  ...args: never[]
) => infer Instance extends PaymentsError)
  ? Instance
  : never;

test("the name of each error class is a literal", () => {
  // ApiError is also a base class, so its name and its code are open.
  type Literal = Exclude<ErrorName, "ApiError">;
  type Names = { [Name in Literal]: InstanceOf<Name> extends { readonly name: Name } ? true : Name };

  expectTypeOf<Names[Literal]>().toEqualTypeOf<true>();
});

test("the code of each error class is a literal", () => {
  expectTypeOf<{
    [Name in Exclude<ErrorName, "ApiError">]: InstanceOf<Name>["code"];
  }>().toEqualTypeOf<{
    ConfigurationError: "configuration";
    InvalidRequestError: "invalid_request";
    CardTokenExpiredError: "card_token_expired";
    ValidationError: "validation_failed";
    AuthenticationError: "authentication_failed";
    NotFoundError: "not_found";
    RateLimitError: "rate_limited";
    ServerError: "server_error";
    RedirectError: "redirected";
    ConnectionError: "connection_failed";
    TimeoutError: "timed_out";
    AbortedError: "aborted";
    UnexpectedResponseError: "unexpected_response";
    CardRefusedError: "card_refused";
    IdempotencyConflictError: "idempotency_conflict";
    OutcomePendingError: "outcome_pending";
    IdempotencyStoreError: "idempotency_store_failed";
    EnvironmentMismatchError: "environment_mismatch";
    InvalidPostbackError: "invalid_postback";
    UntrustedPostbackError: "untrusted_postback";
  }>();
});

test("every error code belongs to a class", () => {
  type Owned = InstanceOf<Exclude<ErrorName, "ApiError">>["code"] | "api_error";

  expectTypeOf<Owned>().toEqualTypeOf<PaymentsErrorCode>();
});

test("errors for a status are ApiErrors", () => {
  type Api = {
    [Name in ErrorName]: InstanceOf<Name> extends sdk.ApiError ? Name : never;
  }[ErrorName];

  expectTypeOf<Api>().toEqualTypeOf<
    | "ApiError"
    | "ValidationError"
    | "AuthenticationError"
    | "NotFoundError"
    | "RateLimitError"
    | "ServerError"
    | "RedirectError"
  >();
});

test("outcome and actor are closed lists", () => {
  expectTypeOf<PaymentsError["outcome"]>().toEqualTypeOf<
    "not_sent" | "rejected" | "unknown" | "created" | "not_applicable"
  >();
  expectTypeOf<PaymentsError["actor"]>().toEqualTypeOf<"merchant" | "customer" | "network" | "service">();
});

test("isPaymentsError narrows a caught value", () => {
  const caught: unknown = null;

  if (isPaymentsError(caught)) expectTypeOf(caught).toEqualTypeOf<AnyPaymentsError>();
  expectTypeOf(isPaymentsError).guards.toEqualTypeOf<AnyPaymentsError>();
  expectTypeOf<AnyPaymentsError>().toExtend<PaymentsError>();
  expectTypeOf<AnyPaymentsError["code"]>().toEqualTypeOf<PaymentsErrorCode>();
});

test("the code of an error identifies its class", () => {
  const caught: unknown = null;

  if (!isPaymentsError(caught)) return;
  if (caught.code === "rate_limited") expectTypeOf(caught.retryAfterMs).toEqualTypeOf<number | undefined>();
  if (caught.code === "validation_failed") expectTypeOf(caught).toEqualTypeOf<ValidationError>();
  if (caught.code === "api_error") expectTypeOf(caught.status).toEqualTypeOf<number>();
});
