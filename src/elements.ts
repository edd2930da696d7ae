/**
 * For the buyer's page: a card form and a pix code as custom elements. Importing this module registers both.
 *
 * @module payments-sdk/elements
 */

export { PaymentCardForm } from "./elements/payment-card-form.ts";
export { PaymentPix } from "./elements/pix.ts";
