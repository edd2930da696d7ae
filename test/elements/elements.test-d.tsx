/** @jsxImportSource react */
import { PaymentCardForm, PaymentPix } from "payments-sdk/elements/react";
import "payments-sdk/elements/svelte";
import "payments-sdk/elements/vue";
import type { TransactionStatus } from "payments-sdk/postbacks";
import { createRef } from "react";
import type { SvelteHTMLElements } from "svelte/elements";
import { expectTypeOf, test } from "vitest";
import type { GlobalComponents } from "vue";

test("JSX of React refuses properties and events that <payment-card-form> does not have", () => {
  // @ts-expect-error: an unknown property; JSX does not check names with a hyphen
  <payment-card-form secretKey="sk_1" />;
  // @ts-expect-error: a URL is a string
  <payment-card-form base-url={new URL("https://api.example")} />;
  // @ts-expect-error: a timeout is a number
  <payment-card-form tokenizerOptions={{ timeout: "10" }} />;
  // @ts-expect-error: the token is in `detail`
  <payment-card-form onpayment-token={(event: CustomEvent<string>) => event.detail} />;
  // @ts-expect-error: the element creates its own content
  <payment-card-form>text</payment-card-form>;
  // @ts-expect-error: a ref of the other element
  <payment-card-form ref={createRef<PaymentPix>()} />;
});

test("JSX of React knows <payment-pix>, and refuses what it does not have", () => {
  <payment-pix amount={1990} payee="Loja Ipê" />;
  <payment-pix
    code="0002"
    qrcode="data:,"
    amount="1990"
    status="pending"
    expires-at="2026-12-04T12:00:00.000Z"
  />;
  <payment-pix
    expiresAt={new Date()}
    statusUrl="/status?stsig=a"
    status-url="/status?stsig=a"
    onpayment-pix-expired={(event) => expectTypeOf(event).toExtend<Event>()}
    onpayment-status={({ detail }) => expectTypeOf(detail.status).toEqualTypeOf<TransactionStatus>()}
  />;
  // @ts-expect-error: a code is a string
  <payment-pix code={1} />;
  // @ts-expect-error: cents are a number or its digits
  <payment-pix amount={1990n} />;
  // @ts-expect-error: a property of the other element
  <payment-pix publicKey="pk_1" />;
});

test("the components of React have the properties, events and ref of their elements, and refuse others", () => {
  <PaymentCardForm
    {...{ id: "card", className: "wide", lang: "en", hidden: true, form: "pay" }}
    ref={createRef<PaymentCardForm>()}
    tokenizerOptions={{ timeout: 10_000 }}
    onPaymentToken={({ detail }) => expectTypeOf(detail.token.value).toBeString()}
    onPaymentError={({ detail }) => expectTypeOf(detail.error).toBeUnknown()}
  />;
  <PaymentPix
    ref={createRef<PaymentPix>()}
    expiresAt={new Date()}
    onPaymentStatus={({ detail }) => expectTypeOf(detail.status).toEqualTypeOf<TransactionStatus>()}
    onPaymentPixExpired={(event) => expectTypeOf(event).toExtend<Event>()}
  />;
  // @ts-expect-error: an unknown property
  <PaymentCardForm secretKey="sk_1" />;
  // @ts-expect-error: a ref of the other element
  <PaymentCardForm ref={createRef<PaymentPix>()} />;
  // @ts-expect-error: the element creates its own content
  <PaymentPix>text</PaymentPix>;
});

test("templates of Vue and Svelte know the properties and events, and refuse others", () => {
  type Vue = InstanceType<GlobalComponents["payment-card-form"]>["$props"];
  type Svelte = SvelteHTMLElements["payment-card-form"];
  type Token = HTMLElementEventMap["payment-token"];

  ({ baseUrl: "https://api.example", name: "token", onPaymentToken: (_: Token) => {} }) satisfies Vue;
  ({
    "base-url": "https://api.example",
    name: "token",
    "onpayment-token": (_: Token) => {},
  }) satisfies Svelte;
  // @ts-expect-error: an unknown property
  ({ secretKey: "sk_1" }) satisfies Vue;
  // @ts-expect-error: an unknown property
  ({ secretKey: "sk_1" }) satisfies Svelte;
  // @ts-expect-error: the token is in `detail`
  ({ onPaymentToken: (_: CustomEvent<string>) => {} }) satisfies Vue;
  // @ts-expect-error: the token is in `detail`
  ({ "onpayment-token": (_: CustomEvent<string>) => {} }) satisfies Svelte;
});

test("the DOM knows the elements and their events", () => {
  const form = document.createElement("payment-card-form");

  expectTypeOf(form).toEqualTypeOf<PaymentCardForm>();
  form.addEventListener("payment-token", ({ detail }) => expectTypeOf(detail.token.value).toBeString());
});
