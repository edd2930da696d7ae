import { type CardToken, CardTokenizer, type PaymentsPromise } from "payments-sdk/browser";
import { expectTypeOf, test } from "vitest";

test("a tokenizer returns tokens, and accepts no secret key", () => {
  // @ts-expect-error
  new CardTokenizer({ publicKey: "pk_1", secretKey: "sk_1" });

  expectTypeOf<CardTokenizer["tokenize"]>().returns.toEqualTypeOf<PaymentsPromise<CardToken>>();
});
