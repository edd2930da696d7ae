import {
  type CardToken,
  type CardTransaction,
  type Company,
  type CreateCardParams,
  type CreateDefaults,
  type CreateOptions,
  type CreatePixParams,
  type CreateTransactionParams,
  PaymentsClient,
  type PaymentsClientOptions,
  type PaymentsPromise,
  type PixTransaction,
  type Seller,
  type SellerRevenue,
  type ServiceStatus,
  type Transaction,
} from "payments-sdk";
import type { Postback } from "payments-sdk/postbacks";
import { assertType, expectTypeOf, test } from "vitest";
import type { IsJson, WithoutRaw } from "../support/type-checks.ts";

declare const payments: PaymentsClient;
declare const token: CardToken;
declare const cardParams: CreateCardParams;
declare const order: Omit<CreateCardParams, "metadata" | "traceable">;
declare const anyParams: CreateTransactionParams;

const customer = {
  name: "Ana",
  email: "ana@loja.example",
  document: { type: "cpf" as const, number: "52998224725" },
};

test("a pix requires an amount and a customer, but no phone", () => {
  assertType<CreatePixParams>({ amount: 1990, customer });
  // @ts-expect-error an amount is missing
  assertType<CreatePixParams>({ customer });
  // @ts-expect-error a customer is missing
  assertType<CreatePixParams>({ amount: 1990 });
});

test("metadata may have an interface as its type, and items may be read-only", () => {
  interface Cart {
    id: number;
  }
  const cart: Cart = { id: 42 };
  const items = [{ title: "Camiseta", unitPrice: 1990, quantity: 1, tangible: true }] as const;

  assertType<CreatePixParams>({ amount: 1990, customer, metadata: cart, items });
  // @ts-expect-error metadata must not be a number
  assertType<CreatePixParams>({ amount: 1990, customer, metadata: 42 });
});

test("a card on a pix and a pix on a card do not compile", () => {
  // @ts-expect-error a pix has no card
  assertType<CreatePixParams>({ amount: 1990, customer, card: { hash: "tok_1" } });
  // @ts-expect-error a pix has no installments
  assertType<CreatePixParams>({ amount: 1990, customer, installments: 1 });
  // @ts-expect-error a card payment has no pix
  assertType<CreateCardParams>({ ...cardParams, pix: { expiresInDays: 1 } });
});

test("installments are a number or a string, a token a string or a CardToken, metadata an object or a string", () => {
  assertType<CreateCardParams>({ ...cardParams, installments: 3 });
  assertType<CreateCardParams>({ ...cardParams, installments: "3" });
  assertType<CreateCardParams>({ ...cardParams, card: { hash: "tok_1" } });
  assertType<CreateCardParams>({ ...cardParams, card: { hash: token } });
  assertType<CreateCardParams>({ ...cardParams, metadata: '{"cart":7}' });
  // @ts-expect-error an amount is a number of cents
  assertType<CreateCardParams>({ ...cardParams, amount: "1990" });
  // @ts-expect-error an unknown type of document
  assertType<CreateCardParams["customer"]["document"]>({ type: "rg", number: "1" });
});

test("paymentMethod selects the result type of create", () => {
  expectTypeOf(payments.transactions.create({ amount: 1, customer, paymentMethod: "pix" })).toEqualTypeOf<
    PaymentsPromise<PixTransaction>
  >();
  expectTypeOf(payments.transactions.create({ ...cardParams, paymentMethod: "credit_card" })).toEqualTypeOf<
    PaymentsPromise<CardTransaction>
  >();
  expectTypeOf(payments.transactions.create(anyParams)).toEqualTypeOf<PaymentsPromise<Transaction>>();
});

test("create without a known payment method does not compile", () => {
  // @ts-expect-error paymentMethod is missing
  payments.transactions.create({ amount: 1, customer }).catch(() => undefined);
  // @ts-expect-error boleto has no endpoint
  payments.transactions.create({ amount: 1, customer, paymentMethod: "boleto" }).catch(() => undefined);
  // @ts-expect-error a card's method with a pix's fields
  payments.transactions.create({ amount: 1, customer, paymentMethod: "credit_card" }).catch(() => undefined);
});

test("extraBody is an option of create calls only", () => {
  assertType<CreateOptions>({ timeout: 1, headers: { a: "b" }, extraBody: { splits: [] } });
  // @ts-expect-error a read call has no body
  payments.company.retrieve({ extraBody: {} }).catch(() => undefined);
});

const without = new PaymentsClient();
const both = new PaymentsClient({ defaults: { metadata: {}, traceable: true } });
const onlyTraceable = new PaymentsClient({ defaults: { traceable: true } });

test("a card payment may leave out exactly what the defaults of its client contain", () => {
  const { metadata } = cardParams;

  expectTypeOf(both.transactions.createCard(order)).toEqualTypeOf<PaymentsPromise<CardTransaction>>();
  both.transactions.create({ ...order, paymentMethod: "credit_card" }).catch(() => undefined);
  both.transactions.createCard({ ...order, metadata: undefined, traceable: false }).catch(() => undefined);
  onlyTraceable.transactions.createCard({ ...order, metadata }).catch(() => undefined);
  // @ts-expect-error metadata is not in the defaults
  onlyTraceable.transactions.createCard(order).catch(() => undefined);
  // @ts-expect-error the client has no defaults
  without.transactions.createCard(order).catch(() => undefined);
  // @ts-expect-error the client has no defaults
  without.transactions.create({ ...order, paymentMethod: "credit_card" }).catch(() => undefined);
  // @ts-expect-error traceable is a boolean
  both.transactions.createCard({ ...order, traceable: "yes" }).catch(() => undefined);
  // @ts-expect-error an unknown parameter
  both.transactions.createCard({ ...order, tracable: true }).catch(() => undefined);
});

test("defaults that may be missing do not make a parameter optional", () => {
  const settings: CreateDefaults = { traceable: true, metadata: {} };
  const options: PaymentsClientOptions = { defaults: settings };

  // @ts-expect-error the type of the defaults does not say that they are there
  new PaymentsClient({ defaults: settings }).transactions.createCard(order).catch(() => undefined);
  // @ts-expect-error nor does the type of the options
  new PaymentsClient(options).transactions.createCard(order).catch(() => undefined);
  const missing = new PaymentsClient({ defaults: { traceable: undefined, metadata: {} } });
  // @ts-expect-error undefined is no default
  missing.transactions.createCard(order).catch(() => undefined);
  const isTest = Math.random() > 0.5;
  const bothOrNone = new PaymentsClient({ defaults: isTest ? { metadata: {}, traceable: true } : {} });
  // @ts-expect-error one of them is empty
  bothOrNone.transactions.createCard(order).catch(() => undefined);
  const always = new PaymentsClient({
    defaults: { traceable: true, metadata: isTest ? { shop: 1 } : "test" },
  });
  always.transactions.createCard(order).catch(() => undefined);
});

test("unknown defaults and wrong types do not compile", () => {
  // @ts-expect-error a typo beside a known name
  new PaymentsClient({ defaults: { traceable: true, metdata: {} } });
  // @ts-expect-error amount is not a default
  new PaymentsClient({ defaults: { amount: 1 } });
  // @ts-expect-error traceable is a boolean
  new PaymentsClient({ defaults: { traceable: "yes" } });
  // @ts-expect-error a typo in pix
  new PaymentsClient({ defaults: { pix: { expireInDays: 1 } } });
});

test("a client with defaults is a PaymentsClient, and a subclass can have them", () => {
  class Shop extends PaymentsClient<{ traceable: boolean; metadata: object }> {
    constructor() {
      super({ defaults: { traceable: true, metadata: {} } });
    }
  }
  class Plain extends PaymentsClient {}
  const options: PaymentsClientOptions = {};

  assertType<PaymentsClient>(both);
  assertType<PaymentsClient>(new PaymentsClient(options));
  assertType<PaymentsClient>(new Shop());
  assertType<PaymentsClient>(new Plain(options));
  assertType<(payments: PaymentsClient) => void>((payments) => payments.transactions.createCard(cardParams));
  new Shop().transactions.createCard(order).catch(() => undefined);
  // @ts-expect-error without defaults, both parameters are required
  new Plain().transactions.createCard(order).catch(() => undefined);
});

test("every result except its raw is JSON-serialisable", () => {
  expectTypeOf<IsJson<WithoutRaw<Transaction>>>().toEqualTypeOf<true>();
  expectTypeOf<IsJson<WithoutRaw<Company>>>().toEqualTypeOf<true>();
  expectTypeOf<IsJson<WithoutRaw<ServiceStatus>>>().toEqualTypeOf<true>();
  expectTypeOf<IsJson<WithoutRaw<Seller>>>().toEqualTypeOf<true>();
  expectTypeOf<IsJson<WithoutRaw<SellerRevenue>>>().toEqualTypeOf<true>();
  expectTypeOf<IsJson<WithoutRaw<Postback>>>().toEqualTypeOf<true>();
});

test("await resolves with the result", () => {
  expectTypeOf<Awaited<PaymentsPromise<Company>>>().toEqualTypeOf<Company>();
});
