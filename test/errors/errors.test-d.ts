import {
  type AnyPaymentsError,
  isPaymentsError,
  type PaymentsError,
  type PaymentsErrorCode,
  type TransactionStatus,
  type ValidationError,
} from "payments-sdk";
import { expectTypeOf, test } from "vitest";

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
  if (caught.code === "pix_refused") expectTypeOf(caught.status).toEqualTypeOf<TransactionStatus>();
  if (caught.code === "api_error") expectTypeOf(caught.status).toEqualTypeOf<number>();
});
