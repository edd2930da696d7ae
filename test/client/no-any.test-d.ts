import type * as sdk from "payments-sdk";
import type * as idempotency from "payments-sdk/idempotency";
import type * as node from "payments-sdk/node";
import type * as postbacks from "payments-sdk/postbacks";
import { expectTypeOf, test } from "vitest";
import type { AnyIn } from "../support/type-checks.ts";

type AnyInEach<Exports> = { [Key in keyof Exports]: AnyIn<Exports[Key], Key & string> }[keyof Exports];

test("no export contains any", () => {
  // The base class of the errors is abstract, so its instance type is checked instead.
  expectTypeOf<AnyInEach<Omit<typeof sdk, "PaymentsError">>>().toBeNever();
  expectTypeOf<AnyIn<sdk.PaymentsError>>().toBeNever();
  expectTypeOf<AnyInEach<typeof postbacks>>().toBeNever();
  expectTypeOf<AnyInEach<typeof idempotency>>().toBeNever();
});

test("no type that only callers use contains any", () => {
  expectTypeOf<AnyIn<sdk.PaymentsEvent>>().toBeNever();
  expectTypeOf<AnyIn<node.NodeTransportOptions>>().toBeNever();
  expectTypeOf<typeof node.nodeTransport>().returns.toExtend<sdk.FetchLike>();
});
