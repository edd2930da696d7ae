/**
 * `payments-sdk/elements` for Svelte 5: importing this module registers both elements, and adds their properties and
 * events to the types of templates.
 *
 * @module payments-sdk/elements/svelte
 */

import type { HTMLAttributes } from "svelte/elements";
import type { PaymentCardForm } from "./elements/payment-card-form.ts";
import type { PaymentPix } from "./elements/pix.ts";
import type { CardFormHandlers, CardFormProps, PixHandlers, PixProps } from "./elements/template-types.ts";

export { PaymentCardForm } from "./elements/payment-card-form.ts";
export { PaymentPix } from "./elements/pix.ts";

/** Attributes of every element in Svelte, without the content, which the element creates itself. */
type ElementAttributes<Element extends EventTarget> = Omit<HTMLAttributes<Element>, "children">;

declare module "svelte/elements" {
  interface SvelteHTMLElements {
    "payment-card-form": ElementAttributes<PaymentCardForm> & CardFormProps & CardFormHandlers;
    "payment-pix": ElementAttributes<PaymentPix> & PixProps & PixHandlers;
  }
}
