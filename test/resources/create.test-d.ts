import type {
  CardToken,
  CardTransaction,
  CreateCardParams,
  CreateOptions,
  CreatePixParams,
  CreateTransactionParams,
  PaymentsClient,
  PaymentsPromise,
  PixTransaction,
  Transaction,
} from "payments-sdk";
import { assertType, expectTypeOf, test } from "vitest";

declare const payments: PaymentsClient;
declare const token: CardToken;
declare const cardParams: CreateCardParams;
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

test("a card on a pix does not compile", () => {
  // @ts-expect-error a pix has no card
  assertType<CreatePixParams>({ amount: 1990, customer, card: { hash: "tok_1" } });
  // @ts-expect-error a pix has no installments
  assertType<CreatePixParams>({ amount: 1990, customer, installments: 1 });
});

test("a pix on a card does not compile", () => {
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
