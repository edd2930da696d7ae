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

test("every result except its raw is JSON-serialisable", () => {
  expectTypeOf<IsJson<WithoutRaw<Transaction>>>().toEqualTypeOf<true>();
  expectTypeOf<IsJson<WithoutRaw<Company>>>().toEqualTypeOf<true>();
  expectTypeOf<IsJson<WithoutRaw<ServiceStatus>>>().toEqualTypeOf<true>();
  expectTypeOf<IsJson<WithoutRaw<Seller>>>().toEqualTypeOf<true>();
  expectTypeOf<IsJson<WithoutRaw<SellerRevenue>>>().toEqualTypeOf<true>();
  expectTypeOf<IsJson<WithoutRaw<Postback>>>().toEqualTypeOf<true>();
});

test("IsJson is false for values that JSON changes", () => {
  expectTypeOf<IsJson<{ at: Date }>>().toEqualTypeOf<false>();
  expectTypeOf<IsJson<{ deep: { list: (() => string)[] } }>>().toEqualTypeOf<false>();
  expectTypeOf<IsJson<{ raw: unknown }>>().toEqualTypeOf<false>();
  expectTypeOf<IsJson<{ a?: string; b: [1, null] }>>().toEqualTypeOf<true>();
});

test("only the id and the fields of the request are never undefined", () => {
  type Defined<T> = { [Key in keyof T]-?: undefined extends T[Key] ? never : Key }[keyof T];

  expectTypeOf<Defined<PixTransaction>>().toEqualTypeOf<
    "id" | "status" | "amount" | "customer" | "paymentMethod" | "pix"
  >();
  expectTypeOf<Defined<Postback>>().toEqualTypeOf<"id" | "status" | "rawStatus" | "amount">();
  expectTypeOf<Defined<Seller>>().toEqualTypeOf<"id">();
  expectTypeOf<Defined<SellerRevenue>>().toEqualTypeOf<"seller_id" | "revenue">();
});

test("other enumerations of the service are open", () => {
  type Open<Known extends string> = Known | (string & {}) | undefined;

  expectTypeOf<Company["status"]>().toEqualTypeOf<Open<"active" | "pending" | "suspended" | "inactive">>();
  expectTypeOf<Seller["status"]>().toEqualTypeOf<Open<"active" | "inactive" | "pending" | "blocked">>();
  expectTypeOf<ServiceStatus["environment"]>().toEqualTypeOf<Open<"production" | "sandbox">>();
  expectTypeOf<string>().toExtend<Seller["status"]>();
});

test("every call returns a PaymentsPromise", () => {
  expectTypeOf(payments.cardTokens.create).returns.toEqualTypeOf<PaymentsPromise<CardToken>>();
  expectTypeOf(payments.company.retrieve).returns.toEqualTypeOf<PaymentsPromise<Company>>();
  expectTypeOf(payments.status.retrieve).returns.toEqualTypeOf<PaymentsPromise<ServiceStatus>>();
  expectTypeOf(payments.sellers.list).returns.toEqualTypeOf<PaymentsPromise<Seller[]>>();
  expectTypeOf(payments.sellers.revenue).returns.toEqualTypeOf<PaymentsPromise<SellerRevenue[]>>();
});

test("withResponse resolves with the result and the response", () => {
  expectTypeOf<PaymentsPromise<Company>["withResponse"]>().returns.toEqualTypeOf<
    Promise<WithResponse<Company>>
  >();
  expectTypeOf<WithResponse<Company>["data"]>().toEqualTypeOf<Company>();
});

test("await resolves with the result, and then returns a plain promise", () => {
  expectTypeOf<Awaited<PaymentsPromise<Company>>>().toEqualTypeOf<Company>();
  expectTypeOf(payments.company.retrieve().then(({ id }) => id)).toEqualTypeOf<Promise<number>>();
});
