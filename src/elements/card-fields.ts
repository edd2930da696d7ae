// The inputs of the card form, with what browsers need to fill them in, and the badge of the brand.

import { CARD_NUMBER_DIGITS } from "../spec/limits.ts";
import { type CardBrand, formatCardNumber, formatExpiry } from "../tokenizer/card-form.ts";
import type { InputName } from "./card-checks.ts";
import { CardField, setText } from "./card-field.ts";
import { digitsOf, type Mask } from "./masked-input.ts";

const MAX_CODE_DIGITS = 4;
const MAX_EXPIRY_DIGITS = 4;

const numberMask: Mask = { format: formatCardNumber, maxDigits: CARD_NUMBER_DIGITS.max };

const expiryMask: Mask = {
  format: (text) => formatExpiry(text).replace(/^\d\d$/, "$&/"),
  formatShorter: (text) => digitsOf(text).replace(/^(\d\d)(?=\d)/, "$1/"),
  maxDigits: MAX_EXPIRY_DIGITS,
};

const codeMask: Mask = {
  format: (text) => digitsOf(text).slice(0, MAX_CODE_DIGITS),
  maxDigits: MAX_CODE_DIGITS,
};

/** @param id - Unique in the document. */
export function createFields(id: string, badge: HTMLElement): Readonly<Record<InputName, CardField>> {
  return {
    number: new CardField(id, "number", { autocomplete: "cc-number", mask: numberMask, badge }),
    holder: new CardField(id, "holder", { autocomplete: "cc-name" }),
    expiry: new CardField(id, "expiry", { autocomplete: "cc-exp", mask: expiryMask }),
    code: new CardField(id, "code", { autocomplete: "cc-csc", mask: codeMask }),
  };
}

/** Shows the name of the brand, because the logos are trademarks. */
export function showBrand(badge: HTMLElement, brand: CardBrand | "" = ""): void {
  setText(badge, brand.charAt(0).toUpperCase() + brand.slice(1));
  badge.setAttribute("data-brand", brand);
}
