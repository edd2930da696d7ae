import type {
  CardToken,
  Company,
  PaymentsClient,
  PaymentsPromise,
  PixTransaction,
  Seller,
  SellerRevenue,
  ServiceStatus,
  Transaction,
  WithResponse,
} from "payments-sdk";
import type { Postback } from "payments-sdk/postbacks";
import { expectTypeOf, test } from "vitest";
import type { IsJson, WithoutRaw } from "./support/type-checks.ts";

declare const payments: PaymentsClient;

test("every result is JSON, but for its raw", () => {
  expectTypeOf<IsJson<WithoutRaw<Transaction>>>().toEqualTypeOf<true>();
  expectTypeOf<IsJson<WithoutRaw<Company>>>().toEqualTypeOf<true>();
  expectTypeOf<IsJson<WithoutRaw<ServiceStatus>>>().toEqualTypeOf<true>();
  expectTypeOf<IsJson<WithoutRaw<Seller>>>().toEqualTypeOf<true>();
  expectTypeOf<IsJson<WithoutRaw<SellerRevenue>>>().toEqualTypeOf<true>();
  expectTypeOf<IsJson<WithoutRaw<Postback>>>().toEqualTypeOf<true>();
});

test("and the check would see what is not", () => {
  expectTypeOf<IsJson<{ at: Date }>>().toEqualTypeOf<false>();
  expectTypeOf<IsJson<{ deep: { list: (() => string)[] } }>>().toEqualTypeOf<false>();
  expectTypeOf<IsJson<{ raw: unknown }>>().toEqualTypeOf<false>();
  expectTypeOf<IsJson<{ a?: string; b: [1, null] }>>().toEqualTypeOf<true>();
});

test("only the id, and what the request said, must be there", () => {
  type Certain<T> = { [Key in keyof T]-?: undefined extends T[Key] ? never : Key }[keyof T];

  expectTypeOf<Certain<PixTransaction>>().toEqualTypeOf<
    "id" | "status" | "amount" | "customer" | "paymentMethod" | "pix"
  >();
  expectTypeOf<Certain<Postback>>().toEqualTypeOf<"id" | "status" | "rawStatus" | "amount">();
  expectTypeOf<Certain<Seller>>().toEqualTypeOf<"id">();
  expectTypeOf<Certain<SellerRevenue>>().toEqualTypeOf<"seller_id" | "revenue">();
});

test("other enumerations of the service are open", () => {
  expectTypeOf<Company["status"]>().toEqualTypeOf<string | undefined>();
  expectTypeOf<Seller["status"]>().toEqualTypeOf<string | undefined>();
  expectTypeOf<ServiceStatus["environment"]>().toEqualTypeOf<string | undefined>();
});

test("every call gives a promise that also has the answer", () => {
  expectTypeOf(payments.cardTokens.create).returns.toEqualTypeOf<PaymentsPromise<CardToken>>();
  expectTypeOf(payments.company.retrieve).returns.toEqualTypeOf<PaymentsPromise<Company>>();
  expectTypeOf(payments.status.retrieve).returns.toEqualTypeOf<PaymentsPromise<ServiceStatus>>();
  expectTypeOf(payments.sellers.list).returns.toEqualTypeOf<PaymentsPromise<Seller[]>>();
  expectTypeOf(payments.sellers.revenue).returns.toEqualTypeOf<PaymentsPromise<SellerRevenue[]>>();
});

test("withResponse gives the result with its answer", () => {
  expectTypeOf<PaymentsPromise<Company>["withResponse"]>().returns.toEqualTypeOf<
    Promise<WithResponse<Company>>
  >();
  expectTypeOf<WithResponse<Company>["data"]>().toEqualTypeOf<Company>();
});

test("awaiting gives the result itself, and then gives plain promises", () => {
  expectTypeOf<Awaited<PaymentsPromise<Company>>>().toEqualTypeOf<Company>();
  expectTypeOf(payments.company.retrieve().then(({ id }) => id)).toEqualTypeOf<Promise<number>>();
});
