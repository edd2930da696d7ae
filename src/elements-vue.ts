/**
 * `payments-sdk/elements` for Vue 3: importing this module registers both elements, and adds their properties and events
 * to the types of templates.
 *
 * @module payments-sdk/elements/vue
 */

import type { HTMLAttributes, PublicProps } from "vue";
import type { PaymentCardForm } from "./elements/payment-card-form.ts";
import type { PaymentPix } from "./elements/pix.ts";
import type { CardFormHandlers, CardFormProps, PixHandlers, PixProps } from "./elements/template-types.ts";

export { PaymentCardForm } from "./elements/payment-card-form.ts";
export { PaymentPix } from "./elements/pix.ts";

/**
 * The type of an element for Vue, which reads the type of `ref` from the instance, and the props of a template from
 * `$props`.
 */
type Component<Element, Props, Handlers> = new () => Element & {
  $props: HTMLAttributes & PublicProps & Props & { [Name in keyof Handlers as Camel<Name>]: Handlers[Name] };
};

/** `@payment-token` in a template is the property `onPaymentToken`. */
type Camel<Name> = Name extends `on${infer Event}` ? `on${Pascal<Event>}` : never;
type Pascal<Name extends string> = Name extends `${infer Word}-${infer Rest}`
  ? `${Capitalize<Word>}${Pascal<Rest>}`
  : Capitalize<Name>;

declare module "vue" {
  interface GlobalComponents {
    "payment-card-form": Component<PaymentCardForm, CardFormProps, CardFormHandlers>;
    "payment-pix": Component<PaymentPix, PixProps, PixHandlers>;
  }
}
