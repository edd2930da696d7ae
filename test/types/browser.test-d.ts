import {
  type Actor,
  type CardParams,
  type CardToken,
  CardTokenizer,
  type ConnectionError,
  type PaymentsPromise,
} from "payments-sdk/browser";
import { expectTypeOf, test } from "vitest";

test("a tokenizer gives tokens", () => {
  const tokenizer = new CardTokenizer({ publicKey: "pk_1" });

  expectTypeOf(tokenizer.tokenize).returns.toEqualTypeOf<PaymentsPromise<CardToken>>();
  expectTypeOf(tokenizer.tokenize).parameter(0).toEqualTypeOf<CardParams>();
});

test("a secret key is no option of a page", () => {
  // @ts-expect-error
  new CardTokenizer({ publicKey: "pk_1", secretKey: "sk_1" });
});

test("who can mend an error, and why no answer came, are closed lists", () => {
  expectTypeOf<Actor>().toEqualTypeOf<"merchant" | "customer" | "network" | "service">();
  expectTypeOf<ConnectionError["reason"]>().toEqualTypeOf<
    "network" | "offline" | "content_security_policy" | "cors"
  >();
});
