import { h, type Language, svg } from "./element-base.ts";
import { PIX_MESSAGES, type PixState, timeLeft } from "./pix-messages.ts";
import { createPixParts, type PixContent } from "./pix-parts.ts";

/** How long the button says that the code was copied. */
const COPIED_MS = 2_000;

/** How long it says how to copy the selected code. */
const COPY_BY_HAND_MS = 10_000;

/** When a screen reader announces that the code is about to expire. */
const LAST_MINUTE_MS = 60_000;

/** What `<payment-pix>` shows, in one language. */
export class PixView {
  readonly language: Language;
  readonly #messages: (typeof PIX_MESSAGES)[Language];
  /** Never leaves the page: a screen reader reads what changes in it. Visible only if it shows a result. */
  readonly #status = h("div", { class: "payment-pix-status", role: "status" });
  #parts: readonly HTMLElement[] = [];
  /** The content that {@link #parts} show. */
  #drawn: string | undefined;
  #shown: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: Element, language: Language) {
    this.language = language;
    this.#messages = PIX_MESSAGES[language];
    host.replaceChildren(this.#status);
  }

  /** Whether the element still contains the view. */
  isIn(host: Element): boolean {
    return this.#status.parentNode === host;
  }

  /**
   * Shows the code, or the result instead of it.
   *
   * @param left - Milliseconds until the expiry; `NaN` is without a countdown.
   */
  show(state: PixState, content: PixContent, left: number): void {
    const isPending = state === "pending";
    const isLastMinute = isPending && left <= LAST_MINUTE_MS;
    this.#draw(isPending ? content : undefined);
    const countdown = this.#parts[0]?.lastElementChild;
    if (countdown) {
      countdown.textContent = Number.isNaN(left) ? "" : timeLeft(left, this.#messages);
      countdown.classList.toggle("payment-pix-ending", isLastMinute);
    }
    const shown = `${state} ${isLastMinute}`;
    if (shown === this.#shown) return; // a screen reader would read it aloud again
    this.#shown = shown;
    this.#status.dataset["state"] = state;
    if (isPending) {
      this.#status.textContent = isLastMinute ? this.#messages.lastMinute : "";
      return;
    }
    const [headline, sentence] = this.#messages.results[state];
    const parts = [createIcon(state === "paid"), h("strong", {}, headline), " ", h("span", {}, sentence)];
    this.#status.replaceChildren(...parts); // with a space between the texts when they are read aloud
  }

  /** Shows the code, or removes it. */
  #draw(content?: PixContent): void {
    const drawn = content && [content.qrcode, content.code, content.amount, content.payee].join(" ");
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    for (const part of this.#parts) part.remove();
    this.#parts = [];
    if (!content || content.code + content.qrcode === "") return;
    const [text, picture] = createPixParts<HTMLElement>(h, this.language, content, "");
    this.#parts = [text, picture];
    this.#status.before(text, picture);
    showPicture(picture, content);
    const [input, button] = [text.querySelector("input"), text.querySelector("button")];
    if (!input || !button) return;
    input.addEventListener("focus", () => input.select());
    input.addEventListener("mousedown", (event) => {
      event.preventDefault(); // WebKit would set the caret after the focus
      input.focus();
      input.select();
    });
    button.addEventListener("click", () => this.#copy(input, button));
  }

  async #copy(input: HTMLInputElement, button: HTMLButtonElement): Promise<void> {
    this.#status.textContent = ""; // so that a second copy is read aloud too
    const isCopied = await copyFrom(input);
    const { copy, copied, copyByHand } = this.#messages;
    const label = (text: string) => {
      if (!button.isConnected) return; // paid in the meantime
      button.textContent = text;
      button.classList.toggle("payment-pix-copied", text === copied);
      this.#status.textContent = text === copy ? "" : text; // for screen readers
    };
    label(isCopied ? copied : copyByHand);
    if (isCopied) button.focus(); // the fallback moves it
    clearTimeout(this.#timer);
    this.#timer = setTimeout(label, isCopied ? COPIED_MS : COPY_BY_HAND_MS, copy);
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
function showPicture(box: Element, { code, qrcode }: PixContent): void {
  const draw = () => {
    if (code === "") return box.remove();
    const drawing = svg("svg", {});
    box.replaceChildren(drawing);
    import("./qr-code.ts").then(({ drawQrCode }) => drawQrCode(drawing, code)).catch(() => box.remove()); // too long for a QR code, or the browser is offline
  };
  const image = h("img", { alt: "" }); // the box has the alternative text
  image.addEventListener("error", draw); // for example, a content security policy without `img-src data:`
  box.append(image);
  if (/^(data:image\/|https?:)/i.test(qrcode)) image.src = qrcode;
  else draw();
}

/** The icon beside a headline: a check mark, or a clock. It adds nothing to the headline. */
function createIcon(isPaid: boolean): SVGElement {
  return svg(
    "svg",
    { "aria-hidden": "true", viewBox: "0 0 24 24" },
    svg("path", { d: `M12 2a10 10 0 1 0 .01 0z${isPaid ? "M7.5 12.5l3 3 6-6.5" : "M12 7v5.5l3.5 2"}` }),
  );
}
