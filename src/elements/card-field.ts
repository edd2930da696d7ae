// One input of the card form, with its label, hint and error.

import type { Problem } from "./card-checks.ts";
import { h } from "./element-base.ts";
import { type Mask, MaskedInput } from "./masked-input.ts";

/** What differs between the inputs. */
export interface FieldOptions {
  /** Name for the class, and last part of the ids. */
  readonly name: string;
  /** Attributes of the input. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly mask?: Mask;
  /** Shown inside of the input, and part of its description. */
  readonly badge?: HTMLElement;
}

const OPTIONAL = { "aria-required": "true", spellcheck: "false", autocorrect: "off" };

export class CardField {
  readonly root: HTMLElement;
  readonly input: HTMLInputElement;
  /** What is shown as wrong. */
  problem: Problem | undefined;
  readonly #label: HTMLElement;
  readonly #hint: HTMLElement;
  readonly #error: HTMLElement;
  readonly #badge: HTMLElement | undefined;
  readonly #masked: MaskedInput | undefined;

  /** @param id - Unique in the document. */
  constructor(id: string, { name, attributes, mask, badge }: FieldOptions) {
    this.input = h("input", { id, type: "text", ...OPTIONAL, ...attributes });
    this.#label = h("label", { for: id });
    this.#hint = h("span", { id: `${id}-hint`, class: "payment-hint" });
    this.#error = h("span", { id: `${id}-error`, class: "payment-error" });
    this.#badge = badge;
    if (badge) badge.id = `${id}-badge`;
    this.root = h(
      "div",
      { class: `payment-field payment-${name}` },
      this.#label,
      h("span", { class: "payment-control" }, this.input, ...(badge ? [badge] : [])),
      this.#hint,
      this.#error,
    );
    this.#masked = mask && new MaskedInput(this.input, mask);
  }

  /** Shows label, hint and error in a language. */
  setTexts(label: string, hint: string, error: string): void {
    this.#label.textContent = label;
    this.#hint.textContent = hint;
    this.#error.textContent = error;
    this.#hint.hidden = hint === "" || error !== "";
    if (error === "") this.input.removeAttribute("aria-invalid");
    else this.input.setAttribute("aria-invalid", "true");
    const parts = [this.#badge, error === "" ? this.#hint : this.#error];
    const ids = parts.filter((part) => part?.textContent).map((part) => part?.id);
    if (ids.length === 0) this.input.removeAttribute("aria-describedby");
    else this.input.setAttribute("aria-describedby", ids.join(" "));
  }

  clear(): void {
    this.problem = undefined;
    this.input.value = "";
    this.#masked?.clear();
  }
}
