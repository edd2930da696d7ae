import { h, type Language, svg } from "./element-base.ts";
import { PIX_MESSAGES, type PixState, timeLeft } from "./pix-messages.ts";

/** How long the button says that the code was copied. */
const COPIED_MS = 2_000;

/** Makes the id of each input unique in the page. */
let count = 0;

/** What `<payment-pix>` shows, in one language. */
export class PixView {
  readonly language: Language;
  readonly #messages: (typeof PIX_MESSAGES)[Language];
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
  #shown: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: Element, language: Language) {
    this.language = language;
    const messages = PIX_MESSAGES[language];
    this.#messages = messages;
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
    this.#button = h("button", { class: "payment-pix-copy", type: "button" }, messages.copy);
    this.#button.addEventListener("click", () => this.#copy());
    this.#hint = h("p", { class: "payment-hint" }, messages.hint);
    const label = h("label", { for: id }, messages.code);
    this.#field = h("div", { class: "payment-pix-field" }, label, this.#input, this.#button);
    host.replaceChildren(this.#text);
  }

  /** Whether the element still contains the view. */
  isIn(host: Element): boolean {
    return this.#text.parentNode === host;
  }

  /** Shows the code with the time that is left, in milliseconds; `NaN` is without a countdown. */
  showCode(code: string, qrcode: string, left: number): void {
    this.#countdown.textContent = Number.isNaN(left) ? "" : timeLeft(left, this.#messages);
    const drawn = `${qrcode} ${code}`;
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    this.#input.value = code;
    showPicture(this.#picture, qrcode, code, this.#messages.picture);
    this.#hint.remove();
    this.#field.remove();
    if (drawn !== " ") this.#status.before(this.#hint);
    if (code !== "") this.#status.before(this.#field);
    this.#status.before(this.#countdown);
    // On a phone, which cannot scan its own screen, the code stands before the picture.
    this.#text.after(this.#picture);
  }

  /** Shows the result instead of the code. While the payment is pending, shows that the code is about to expire. */
  showState(state: PixState, isLastMinute: boolean): void {
    const shown = `${state} ${isLastMinute}`;
    if (shown === this.#shown) return; // a screen reader would read it aloud again
    this.#shown = shown;
    this.#status.dataset["state"] = state;
    if (state === "pending") {
      this.#status.textContent = isLastMinute ? this.#messages.lastMinute : "";
      return;
    }
    this.#drawn = undefined;
    for (const part of [this.#hint, this.#field, this.#countdown, this.#picture]) part.remove();
    const [headline, sentence] = this.#messages.results[state];
    const parts = [createIcon(state === "paid"), h("strong", {}, headline), " ", h("span", {}, sentence)];
    this.#status.replaceChildren(...parts); // with a space between the texts when they are read aloud
  }

  async #copy(): Promise<void> {
    this.#status.textContent = ""; // so that a second copy is read aloud too
    const isCopied = await copyFrom(this.#input);
    if (!this.#button.isConnected) return; // paid in the meantime
    this.#status.textContent = isCopied ? this.#messages.paste : this.#messages.copyByHand;
    if (!isCopied) return;
    this.#button.focus(); // the fallback moves it
    this.#button.textContent = this.#messages.copied;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#button.textContent = this.#messages.copy;
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

/** Shows the service's picture. Without one, or if the page cannot load it, draws the code. */
function showPicture(box: Element, qrcode: string, code: string, alt: string): void {
  const drawing = svg("svg", { role: "img", "aria-label": alt, "shape-rendering": "crispEdges" });
  const image = h("img", { alt });
  const drawInstead = () => {
    if (code === "") return image.remove();
    image.replaceWith(drawing);
    import("./qr-code.ts").then(({ drawQrCode }) => drawQrCode(drawing, code)).catch(() => drawing.remove()); // too long for a QR code, or the browser is offline
  };
  box.replaceChildren(image);
  // For example, a content security policy without `img-src data:`.
  image.addEventListener("error", drawInstead);
  if (/^(data:image\/|https?:)/i.test(qrcode)) image.src = qrcode;
  else drawInstead();
}

/** The icon above a headline: a check mark, or a clock. It adds nothing to the headline. */
function createIcon(isPaid: boolean): SVGElement {
  return svg(
    "svg",
    { "aria-hidden": "true", viewBox: "0 0 24 24" },
    svg("path", { d: `M12 2a10 10 0 1 0 .01 0z${isPaid ? "M7.5 12.5l3 3 6-6.5" : "M12 7v5.5l3.5 2"}` }),
  );
}
