// The inputs of the card form, each with its label, hint and error.

import { CARD_NUMBER_DIGITS } from "../spec/limits.ts";
import { type CardBrand, formatCardNumber, formatExpiry } from "../tokenizer/card-formats.ts";
import type { InputName, Problem } from "./card-checks.ts";
import { h } from "./element-base.ts";
import { digitsOf, type Mask, MaskedInput } from "./masked-input.ts";

/** What differs between the inputs. */
interface FieldOptions {
  /** The detail token of the attribute `autocomplete`. */
  readonly autocomplete: string;
  /** Only for digits. */
  readonly mask?: Mask;
  /** Shown inside of the input, and part of its description. */
  readonly badge?: HTMLElement;
}

const COMMON = {
  type: "text",
  "aria-required": "true",
  autocapitalize: "characters",
  autocorrect: "off",
  spellcheck: "false",
};

export class CardField {
  readonly name: InputName;
  readonly root: HTMLElement;
  readonly input: HTMLInputElement;
  /** The problem that is shown. */
  problem: Problem | undefined;
  /** Whether the buyer was asked to check this text, and has left it as it is. */
  isConfirmed = false;
  /** The last known text. */
  #text = "";
  readonly #label: HTMLElement;
  readonly #hint: HTMLElement;
  readonly #error: HTMLElement;
  readonly #masked: MaskedInput | undefined;

  /** @param formId - Unique in the document. */
  constructor(formId: string, name: InputName, { autocomplete, mask, badge }: FieldOptions) {
    const id = `${formId}-${name}`;
    this.name = name;
    // An input with an `id` or a `name` is kept in Firefox's form history, and a label's `for` needs an `id`.
    const labelledBy = `${id}-label`;
    const describedBy = `${id}-badge ${id}-hint ${id}-error`;
    const names = { "aria-labelledby": labelledBy, "aria-describedby": describedBy };
    this.input = h("input", { ...COMMON, ...names, autocomplete, inputmode: mask ? "numeric" : "text" });
    this.#label = h("label", { id: labelledBy });
    this.#label.addEventListener("click", () => this.input.focus());
    this.#hint = h("span", { id: `${id}-hint`, class: "payment-hint" });
    this.#error = h("span", { id: `${id}-error`, class: "payment-error" });
    if (badge) badge.id = `${id}-badge`;
    const control = h("span", { class: "payment-control" }, this.input, badge ?? "");
    const parts = [this.#label, this.#hint, control, this.#error];
    this.root = h("div", { class: `payment-field payment-${name}` }, ...parts);
    this.#masked = mask && new MaskedInput(this.input, mask);
  }

  /** Shows label, hint and error in a language. */
  setMessages(label: string, hint: string, error: string): void {
    setText(this.#label, label);
    setText(this.#hint, hint);
    setText(this.#error, error);
    this.input.setAttribute("aria-invalid", String(error !== ""));
  }

  clear(): void {
    this.input.value = "";
    this.takeChange();
    this.problem = undefined; // also of a field that was empty
    this.#masked?.forget();
  }

  /** Whether the value has changed since the last call. A change clears the problem. */
  takeChange(): boolean {
    if (this.input.value === this.#text) return false;
    this.#text = this.input.value;
    this.problem = undefined;
    this.isConfirmed = false;
    return true;
  }
}

/** Changes a text only if it differs: screen readers and autofill process changed nodes again. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

const numberMask: Mask = { format: formatCardNumber, maxDigits: CARD_NUMBER_DIGITS.max };

const expiryMask: Mask = {
  format: (text) => formatExpiry(text).replace(/^\d\d$/, "$&/"),
  formatShorter: (text) => digitsOf(text).replace(/^(\d\d)(?=\d)/, "$1/"),
  maxDigits: 4,
};

const codeMask: Mask = { format: (text) => digitsOf(text).slice(0, 4), maxDigits: 4 };

/** @param id - Unique in the document. */
export function createFields(id: string, badge: HTMLElement): Readonly<Record<InputName, CardField>> {
  return {
    number: new CardField(id, "number", { autocomplete: "cc-number", mask: numberMask, badge }),
    holder: new CardField(id, "holder", { autocomplete: "cc-name" }),
    expiry: new CardField(id, "expiry", { autocomplete: "cc-exp", mask: expiryMask }),
    code: new CardField(id, "code", { autocomplete: "cc-csc", mask: codeMask }),
  };
}

/** Shows the name of the brand. A stylesheet of its own draws a mark instead. */
export function showBrand(badge: HTMLElement, brand: CardBrand | "" = ""): void {
  setText(badge, brand.charAt(0).toUpperCase() + brand.slice(1));
  badge.setAttribute("data-brand", brand);
}
