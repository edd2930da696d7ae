"use client"; // for components of a server

/**
 * `payments-sdk/elements` for React 19: the elements as components, which a server can render. Importing this module also
 * registers the elements, and adds their properties and events to the types of JSX.
 *
 * @module payments-sdk/elements/react
 */

import "payments-sdk/elements"; // registers them: its file has effects for a bundler, a chunk would have none
import type { DetailedHTMLProps, HTMLAttributes } from "react";
import type { PaymentCardForm as CardFormElement } from "./elements/payment-card-form.ts";
import type { PaymentPix as PixElement } from "./elements/pix.ts";
import type { CardFormHandlers, CardFormProps, PixHandlers, PixProps } from "./elements/template-types.ts";

export {
  PaymentCardForm,
  type PaymentCardFormProps,
  PaymentPix,
  type PaymentPixProps,
} from "./elements/react-components.tsx";

/** Attributes of every element in React, without the content, which the element creates itself. */
type ElementAttributes<Element> = Omit<
  DetailedHTMLProps<HTMLAttributes<Element>, Element>,
  "children" | "dangerouslySetInnerHTML"
>;

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "payment-card-form": ElementAttributes<CardFormElement> & CardFormProps & CardFormHandlers;
      "payment-pix": ElementAttributes<PixElement> & PixProps & PixHandlers;
    }
  }
}
