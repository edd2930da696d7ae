// One input of the card form, with its label, hint and error.

import type { InputName, Problem } from "./card-checks.ts";
import { h } from "./element-base.ts";
import { type Mask, MaskedInput } from "./masked-input.ts";

/** What differs between the inputs. */
export interface FieldOptions {
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
  /** What is shown as wrong. */
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
    const describedBy = `${id}-badge ${id}-hint ${id}-error`;
    const inputmode = mask ? "numeric" : "text";
    this.input = h("input", { id, ...COMMON, autocomplete, inputmode, "aria-describedby": describedBy });
    this.#label = h("label", { for: id });
    this.#hint = h("span", { id: `${id}-hint`, class: "payment-hint" });
    this.#error = h("span", { id: `${id}-error`, class: "payment-error" });
    if (badge) badge.id = `${id}-badge`;
    const control = h("span", { class: "payment-control" }, this.input, badge ?? "");
    const parts = [this.#label, control, this.#hint, this.#error];
    this.root = h("div", { class: `payment-field payment-${name}` }, ...parts);
    this.#masked = mask && new MaskedInput(this.input, mask);
  }

  /** Shows label, hint and error in a language. An error takes the place of the hint. */
  setTexts(label: string, hint: string, error: string): void {
    setText(this.#label, label);
    setText(this.#hint, error === "" ? hint : "");
    setText(this.#error, error);
    this.input.setAttribute("aria-invalid", String(error !== ""));
  }

  clear(): void {
    this.input.value = "";
    this.takeChange();
    this.problem = undefined; // also of a field that was empty
    this.#masked?.forget();
  }

  /** Whether the text has changed since the last call. What was said about the old one is then forgotten. */
  takeChange(): boolean {
    if (this.input.value === this.#text) return false;
    this.#text = this.input.value;
    this.problem = undefined;
    this.isConfirmed = false;
    return true;
  }
}

/** Changes a text only if it is another one: screen readers and autofill look at changed nodes again. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
