/** @jsxImportSource react */
// The elements as components of React. A server, and the first render in the browser, return a placeholder of the same
// height: React would report the content that an element gives itself as a hydration error.

import {
  createElement,
  Fragment,
  type HTMLAttributes,
  type ReactNode,
  type Ref,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useSyncExternalStore,
  version,
} from "react";
import { assertConfig } from "../errors/check-options.ts";
import { languageOfTag } from "./element-base.ts";
import type { PaymentCardForm as CardFormElement } from "./payment-card-form.ts";
import type { PaymentPix as PixElement } from "./pix.ts";
import { PIX_MESSAGES } from "./pix-messages.ts";
import { createPixParts } from "./pix-parts.ts";
import { stateOf } from "./pix-state.ts";
import type { CardFormHandlers, CardFormProps, PixHandlers, PixProps } from "./template-types.ts";

/** Attributes of every element in React, without the content, which the element creates itself. */
type Attributes<Element> = Omit<HTMLAttributes<Element>, "children" | "dangerouslySetInnerHTML">;

/** Props of {@link PaymentCardForm}. */
export interface PaymentCardFormProps
  extends Attributes<CardFormElement>,
    Omit<CardFormProps, "base-url" | "public-key"> {
  ref?: Ref<CardFormElement> | undefined;
  /** The `id` of a form that the element is not in. */
  form?: string | undefined;
  /** There is a new token: `event.detail.token`. */
  onPaymentToken?: CardFormHandlers["onpayment-token"];
  /** No token was created: `event.detail.error`. The element shows a message. */
  onPaymentError?: CardFormHandlers["onpayment-error"];
}

/** Props of {@link PaymentPix}. */
export interface PaymentPixProps extends Attributes<PixElement>, Omit<PixProps, "status-url" | "expires-at"> {
  ref?: Ref<PixElement> | undefined;
  /** The server reported another status: `event.detail.status`. It proves nothing to the shop. */
  onPaymentStatus?: PixHandlers["onpayment-status"];
  /** The code has expired. A payment of the last seconds may still be confirmed. */
  onPaymentPixExpired?: PixHandlers["onpayment-pix-expired"];
}

/** The element, for the type of a `ref`. */
export type PaymentCardForm = CardFormElement;

/** The element, for the type of a `ref`. */
export type PaymentPix = PixElement;

/**
 * `<payment-card-form>` as a component. Its `ref` is the element; on a page that a server has rendered, it is still `null` in the
 * first effects.
 *
 * ```tsx
 * <form method="post"
 *   onSubmit={(event) => {
 *     event.preventDefault(); // there is a token
 *     void pay(card.current?.value);
 *   }}
 * >
 *   <PaymentCardForm ref={card} name="cardToken" baseUrl="https://..." publicKey="pk_..." />
 *   <button>Pay</button>
 * </form>
 * ```
 */
export function PaymentCardForm({
  ref,
  onPaymentToken,
  onPaymentError,
  ...props
}: PaymentCardFormProps): ReactNode {
  const isInBrowser = useIsInBrowser();
  const card = useElement(ref, isInBrowser);
  // A page that the buyer has left may stay in the document, hidden in an <Activity>: with the card, if it were not cleared.
  useEffect(() => {
    const element = isInBrowser ? card.current : null;
    return () => element?.reset();
  }, [card, isInBrowser]);
  if (!isInBrowser) return <div {...forPlaceholder("payment-card-form-placeholder", props)} />;
  return (
    <payment-card-form
      {...props}
      ref={card}
      onpayment-token={onPaymentToken}
      onpayment-error={onPaymentError}
    />
  );
}

/**
 * `<payment-pix>` as a component. Its `ref` is as that of {@link PaymentCardForm}. A server renders the code, in Portuguese or in the language of
 * the prop `lang`: it does not know the language of the page.
 *
 * ```tsx
 * <PaymentPix code={pix.qrcodeText} qrcode={pix.qrcode} expiresAt={pix.expirationDate} statusUrl={statusUrl} />
 * ```
 */
export function PaymentPix({
  ref,
  statusUrl,
  onPaymentStatus,
  onPaymentPixExpired,
  ...props
}: PaymentPixProps): ReactNode {
  const isInBrowser = useIsInBrowser();
  const pix = useElement(ref, isInBrowser);
  // Not as a property, which would stay on a page that is hidden in an <Activity>: the element would go on asking. Before the
  // element shows its attributes, because with a URL it does not trust the clock of the device.
  useLayoutEffect(() => {
    const element = isInBrowser ? pix.current : null;
    if (!element) return;
    element.statusUrl = statusUrl;
    return () => {
      element.statusUrl = undefined;
    };
  }, [pix, isInBrowser, statusUrl]);
  if (isInBrowser)
    return (
      <payment-pix
        {...props}
        ref={pix}
        onpayment-status={onPaymentStatus}
        onpayment-pix-expired={onPaymentPixExpired}
      />
    );
  return (
    <div {...forPlaceholder("payment-pix-placeholder", props)}>
      <PixContent {...props} />
    </div>
  );
}

/** `false` on a server, and while React takes over what a server has rendered. */
function useIsInBrowser(): boolean {
  assertConfig(Number.parseInt(version, 10) >= 19, "payments-sdk/elements/react needs React 19.");
  return useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  );
}

/** A ref for the components, which also sets that of the page. */
function useElement<Element>(ref: Ref<Element> | undefined, isInBrowser: boolean): RefObject<Element | null> {
  const own = useRef<Element>(null);
  useImperativeHandle(ref, () => own.current as Element, [isInBrowser]);
  return own;
}

/** The attributes that can change the height. */
function forPlaceholder(name: string, { id, className, hidden, style, lang }: Attributes<never>) {
  return { id, hidden, style, lang, className: className ? `${name} ${className}` : name };
}

/** What the element shows, without the time that is left: the clocks of server and device may differ. */
function PixContent({ code, qrcode, amount, payee, expiresAt, status, lang }: PaymentPixProps): ReactNode {
  const language = languageOfTag(lang);
  const state = stateOf(status || "pending", Number.NaN);
  if (state === "pending") {
    if (!code && !qrcode) return null;
    const content = { code: code ?? "", qrcode: qrcode ?? "", amount, payee: payee ?? "" };
    const parts = createPixParts(createForReact, language, content, expiresAt ? "\u00a0" : "");
    return createElement(Fragment, null, ...parts);
  }
  const [headline, sentence] = PIX_MESSAGES[language].results[state];
  return (
    <div className="payment-pix-status" data-state={state}>
      <svg aria-hidden="true" />
      <strong>{headline}</strong> <span>{sentence}</span>
    </div>
  );
}

function createForReact(
  tag: string,
  { class: className, readonly, ...attributes }: Readonly<Record<string, string>>,
  ...children: ReactNode[]
): ReactNode {
  return createElement(tag, { ...attributes, className, readOnly: readonly !== undefined }, ...children);
}
