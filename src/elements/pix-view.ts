import { h, type Language } from "./element-base.ts";
import { endSign, showPicture } from "./pix-picture.ts";
import { PIX_TEXTS, type PixState, timeLeft } from "./pix-texts.ts";

/** How long the button says that the code was copied. */
const COPIED_MS = 2_000;

/** Makes the id of each input unique in the page. */
let count = 0;

/** What `<payment-pix>` shows, in one language. */
export class PixView {
  readonly language: Language;
  /** Never leaves the page: a screen reader reads what changes in it. */
  readonly #status = h("div", { class: "payment-status", role: "status" });
  readonly #text = h("div", { class: "payment-pix-text" }, this.#status);
  readonly #hint: HTMLElement;
  readonly #field: HTMLElement;
  readonly #input: HTMLInputElement;
  readonly #button: HTMLButtonElement;
  readonly #countdown = h("p", { class: "payment-pix-countdown", role: "timer" });
  readonly #picture = h("div", { class: "payment-pix-picture" });
  #drawn: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: Element, language: Language) {
    this.language = language;
    const texts = PIX_TEXTS[language];
    count += 1;
    const id = `payment-pix-code-${count}`;
    // Of no form, which Enter would submit.
    const attributes = { class: "payment-pix-code", id, readonly: "", autocomplete: "off", form: "" };
    this.#input = h("input", attributes);
    this.#input.addEventListener("focus", () => this.#input.select());
    this.#input.addEventListener("mousedown", (event) => {
      event.preventDefault(); // WebKit would set the caret after the focus
      this.#input.focus();
      this.#input.select();
    });
    this.#button = h("button", { class: "payment-pix-copy", type: "button" }, texts.copy);
    this.#button.addEventListener("click", () => this.#copy());
    this.#hint = h("p", { class: "payment-hint" }, texts.hint);
    const label = h("label", { for: id }, texts.code);
    this.#field = h("div", { class: "payment-pix-field" }, label, this.#input, this.#button);
    host.replaceChildren(this.#text);
  }

  /** Whether it is still what the element shows. */
  isIn(host: Element): boolean {
    return this.#text.parentNode === host;
  }

  /** Shows the code with the time that is left, in milliseconds; `NaN` is without a countdown. */
  showCode(code: string, qrcode: string, left: number): void {
    const texts = PIX_TEXTS[this.language];
    this.#countdown.textContent = Number.isNaN(left) ? "" : timeLeft(left, texts);
    const drawn = `${qrcode} ${code}`;
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    this.#input.value = code;
    showPicture(this.#picture, qrcode, code, texts.picture);
    this.#hint.remove();
    this.#field.remove();
    if (drawn !== " ") this.#status.before(this.#hint);
    if (code !== "") this.#status.before(this.#field);
    this.#status.before(this.#countdown);
    // On a phone, which cannot scan its own screen, the code stands before the picture.
    this.#text.after(this.#picture);
  }

  /** Shows the end of the payment instead of the code; while it is pending, that the end of the code is near. */
  showState(state: PixState, isLastMinute: boolean): void {
    const texts = PIX_TEXTS[this.language];
    this.#status.dataset["state"] = state;
    if (state === "pending") {
      this.#status.textContent = isLastMinute ? texts.lastMinute : "";
      return;
    }
    this.#drawn = undefined;
    for (const part of [this.#hint, this.#field, this.#countdown, this.#picture]) part.remove();
    const [headline, sentence] = texts.ends[state];
    const space = " "; // between the two when they are read aloud
    this.#status.replaceChildren(
      endSign(state === "paid"),
      h("strong", {}, headline),
      space,
      h("span", {}, sentence),
    );
  }

  async #copy(): Promise<void> {
    const texts = PIX_TEXTS[this.language];
    this.#status.textContent = ""; // so that a second copy is read aloud too
    const isCopied = await copyFrom(this.#input);
    if (!this.#button.isConnected) return; // paid in the meantime
    this.#status.textContent = isCopied ? texts.paste : texts.copyByHand;
    if (!isCopied) return;
    this.#button.focus(); // the fallback moves it
    this.#button.textContent = texts.copied;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#button.textContent = texts.copy;
    }, COPIED_MS);
  }
}

/**
 * Copies the text of an input. If the browser allows neither way, for example in a frame without permission, the
 * result is `false` and the text is selected, so that the buyer copies it by the keyboard.
 */
async function copyFrom(input: HTMLInputElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(input.value); // `clipboard` is missing without HTTPS
    return true;
  } catch {
    input.focus();
    input.setSelectionRange(0, input.value.length); // `select()` does not select on older iPhones
    return document.execCommand("copy");
  }
}
