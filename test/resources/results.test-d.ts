import type {
  Company,
  PaymentsClient,
  PaymentsPromise,
  Seller,
  SellerRevenue,
  ServiceStatus,
  Transaction,
} from "payments-sdk";
import type { Postback } from "payments-sdk/postbacks";
import { expectTypeOf, test } from "vitest";
import type { IsJson, WithoutRaw } from "../support/type-checks.ts";

declare const payments: PaymentsClient;

test("every result except its raw is JSON-serialisable", () => {
  expectTypeOf<IsJson<WithoutRaw<Transaction>>>().toEqualTypeOf<true>();
  expectTypeOf<IsJson<WithoutRaw<Company>>>().toEqualTypeOf<true>();
  expectTypeOf<IsJson<WithoutRaw<ServiceStatus>>>().toEqualTypeOf<true>();
  expectTypeOf<IsJson<WithoutRaw<Seller>>>().toEqualTypeOf<true>();
  expectTypeOf<IsJson<WithoutRaw<SellerRevenue>>>().toEqualTypeOf<true>();
  expectTypeOf<IsJson<WithoutRaw<Postback>>>().toEqualTypeOf<true>();
});

test("await resolves with the result, and then returns a plain promise", () => {
  expectTypeOf<Awaited<PaymentsPromise<Company>>>().toEqualTypeOf<Company>();
  expectTypeOf(payments.company.retrieve().then(({ id }) => id)).toEqualTypeOf<Promise<number>>();
});
