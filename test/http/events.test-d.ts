import type { PaymentsError, PaymentsEvent, TransactionStatus } from "payments-sdk";
import { expectTypeOf, test } from "vitest";

declare const event: PaymentsEvent;

test("a switch over the type of an event is exhaustive and narrows it", () => {
  switch (event.type) {
    case "request":
      expectTypeOf(event.path).toEqualTypeOf<string>();
      break;
    case "response":
      expectTypeOf(event.status).toEqualTypeOf<number>();
      break;
    case "retry":
      expectTypeOf(event.delayMs).toEqualTypeOf<number>();
      expectTypeOf(event.status).toEqualTypeOf<number | undefined>();
      break;
    case "result":
      expectTypeOf(event.status).toEqualTypeOf<TransactionStatus | undefined>();
      break;
    case "error":
      expectTypeOf(event.error).toEqualTypeOf<PaymentsError>();
      break;
    case "drift":
    case "warning":
      expectTypeOf(event.field).toEqualTypeOf<string>();
      break;
    default:
      expectTypeOf(event).toBeNever();
  }
});
