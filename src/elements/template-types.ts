// What the templates of React, Vue and Svelte may set on the elements. The types of the properties are those of the classes.

import type { PaymentCardForm } from "./payment-card-form.ts";
import type { PaymentPix } from "./pix.ts";

type Settable<Element, Name extends keyof Element> = { [Key in Name]?: Element[Key] | undefined };

/** Attributes and properties of `<payment-card-form>`. */
export interface CardFormProps
  extends Settable<PaymentCardForm, "baseUrl" | "publicKey" | "name" | "disabled" | "tokenizerOptions"> {
  "base-url"?: string | undefined;
  "public-key"?: string | undefined;
}

/** Attributes and properties of `<payment-pix>`. */
export interface PixProps extends Settable<PaymentPix, "code" | "qrcode" | "payee" | "status" | "statusUrl"> {
  amount?: number | string | undefined;
  "status-url"?: string | undefined;
  "expires-at"?: string | undefined;
  expiresAt?: string | Date | undefined;
}

/** A handler of each event of `<payment-card-form>`. */
export interface CardFormHandlers {
  "onpayment-token"?: ((event: HTMLElementEventMap["payment-token"]) => void) | undefined;
  "onpayment-error"?: ((event: HTMLElementEventMap["payment-error"]) => void) | undefined;
}

/** A handler of each event of `<payment-pix>`. */
export interface PixHandlers {
  "onpayment-pix-expired"?: ((event: HTMLElementEventMap["payment-pix-expired"]) => void) | undefined;
  "onpayment-status"?: ((event: HTMLElementEventMap["payment-status"]) => void) | undefined;
}
