/**
 * `payments-sdk/elements` for React 19: importing this module registers both elements, and adds their properties and
 * events to the types of JSX.
 *
 * @module payments-sdk/elements/react
 */

import type { DetailedHTMLProps, HTMLAttributes } from "react";
import type { PaymentCardForm } from "./elements/payment-card-form.ts";
import type { PaymentPix } from "./elements/pix.ts";
import type { CardFormHandlers, CardFormProps, PixHandlers, PixProps } from "./elements/template-types.ts";

export { PaymentCardForm } from "./elements/payment-card-form.ts";
export { PaymentPix } from "./elements/pix.ts";

/** Attributes of every element in React, without the content, which the element creates itself. */
type ElementAttributes<Element> = Omit<
  DetailedHTMLProps<HTMLAttributes<Element>, Element>,
  "children" | "dangerouslySetInnerHTML"
>;

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "payment-card-form": ElementAttributes<PaymentCardForm> & CardFormProps & CardFormHandlers;
      "payment-pix": ElementAttributes<PaymentPix> & PixProps & PixHandlers;
    }
  }
}
