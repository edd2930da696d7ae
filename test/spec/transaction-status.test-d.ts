import {
  assertNotRefused,
  type CardTransaction,
  type PixTransaction,
  type RefusedCardTransaction,
  type Transaction,
  type TransactionStatus,
  type UnrefusedCardTransaction,
} from "payments-sdk";
import { expectTypeOf, test } from "vitest";

declare const transaction: Transaction;
declare const card: CardTransaction;
declare const pix: PixTransaction;

test("refused narrows a card transaction to one with a reason", () => {
  if (card.status === "refused") {
    expectTypeOf(card).toEqualTypeOf<RefusedCardTransaction>();
    expectTypeOf(card.refusedReason).toEqualTypeOf<string>();
  } else {
    expectTypeOf(card).toEqualTypeOf<UnrefusedCardTransaction>();
    expectTypeOf(card.refusedReason).toEqualTypeOf<string | undefined>();
  }
});

test("the payment method narrows a transaction", () => {
  if (transaction.paymentMethod === "pix") {
    expectTypeOf(transaction).toEqualTypeOf<PixTransaction>();
    expectTypeOf(transaction.pix.qrcodeText).toEqualTypeOf<string>();
  } else {
    expectTypeOf(transaction).toEqualTypeOf<CardTransaction>();
    // @ts-expect-error a card payment has no pix
    expectTypeOf(transaction.pix).toBeNever();
  }
});

test("assertNotRefused excludes only refused transactions", () => {
  const checked: CardTransaction = card;
  assertNotRefused(checked);
  expectTypeOf(checked).toEqualTypeOf<UnrefusedCardTransaction>();
  expectTypeOf(checked.status).toEqualTypeOf<Exclude<TransactionStatus, "refused">>();

  const either: Transaction = transaction;
  assertNotRefused(either);
  expectTypeOf(either).toEqualTypeOf<PixTransaction | UnrefusedCardTransaction>();

  const pixOnly: PixTransaction = pix;
  assertNotRefused(pixOnly);
  expectTypeOf(pixOnly).toEqualTypeOf<PixTransaction>();
});
