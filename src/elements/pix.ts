import { adoptProperties, defineElement, ElementBase, languageOf, setAttribute } from "./element-base.ts";
import type { PixState } from "./pix-messages.ts";
import { PixView } from "./pix-view.ts";

/** When a screen reader announces that the code is about to expire. */
const LAST_MINUTE_MS = 60_000;

/**
 * `<payment-pix>`: shows a pix to the buyer, as a QR code to scan and a code to copy, with the remaining time. Set its
 * `status` when the payment is approved: the element sends no requests.
 *
 * ```html
 * <payment-pix code="00020126…" qrcode="data:image/png;base64,…" expires-at="2026-11-23T14:00:00Z"></payment-pix>
 * ```
 *
 * Its language follows the nearest `lang` attribute: English for `en`, otherwise Portuguese.
 *
 * Event: `payment-pix-expired`, which bubbles and has no detail. It is dispatched once for each `expires-at`, when the
 * code expires while the status is `pending`.
 *
 * Spec: "`data.pix`".
 */
export class PaymentPix extends ElementBase {
  static readonly observedAttributes = ["code", "qrcode", "expires-at", "status", "lang"];

  #view: PixView | undefined;
  #state: PixState | undefined;
  #isLastMinute = false;
  #expiredAt: string | undefined;
  #listeners: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** The copy-and-paste code: `pix.qrcodeText` of the transaction. */
  get code(): string {
    return this.getAttribute("code") ?? "";
  }
  set code(value: string | null | undefined) {
    setAttribute(this, "code", value);
  }

  /**
   * The QR code as a `data:image/` URI or an http(s) URL: `pix.qrcode` of the transaction. Without one, or if it does not
   * load, the element draws the code.
   */
  get qrcode(): string {
    return this.getAttribute("qrcode") ?? "";
  }
  set qrcode(value: string | null | undefined) {
    setAttribute(this, "qrcode", value);
  }

  /**
   * When the code expires: an ISO 8601 time, such as `pix.expirationDate` of the transaction, or a `Date`. A time without
   * a zone is UTC. Compared with the clock of the buyer's device. Without it the element has no countdown and never
   * expires by itself.
   */
  get expiresAt(): string {
    return this.getAttribute("expires-at") ?? "";
  }
  set expiresAt(value: string | Date | null | undefined) {
    setAttribute(this, "expires-at", value instanceof Date ? value.toJSON() : value); // null for an invalid date
  }

  /**
   * Status of the payment. Default `pending`. Any `TransactionStatus` is accepted: `pending` and
   * `processing` show the code, `paid` and `approved` a confirmation; with all others the code can no longer be paid.
   * The end of the countdown does not change it.
   */
  get status(): string {
    return this.getAttribute("status") || "pending";
  }
  set status(value: string | null | undefined) {
    setAttribute(this, "status", value);
  }

  connectedCallback(): void {
    adoptProperties(this);
    this.#listeners = new AbortController();
    const { signal } = this.#listeners;
    // Timers stand still while a tab sleeps.
    for (const type of ["visibilitychange", "pageshow", "focus"]) {
      window.addEventListener(type, this.#update, { signal });
    }
    this.attributeChangedCallback();
  }

  disconnectedCallback(): void {
    this.#listeners?.abort();
    clearTimeout(this.#timer);
  }

  /** Attributes that change together are shown together: a past `expires-at` with `status="paid"` has not expired. */
  attributeChangedCallback(): void {
    queueMicrotask(this.#update);
  }

  /** Shows the attributes as they are at this moment. Called each second while the time runs. */
  readonly #update = (): void => {
    clearTimeout(this.#timer);
    if (!this.isConnected) return;
    const left = toTime(this.expiresAt) - Date.now(); // NaN without a valid date
    const state = stateOf(this.status, left);
    const isLastMinute = state === "pending" && left <= LAST_MINUTE_MS;

    const language = languageOf(this);
    // A framework, or the page, may have emptied the element.
    if (this.#view?.language !== language || !this.#view.isIn(this)) {
      this.#view = new PixView(this, language);
      this.#state = undefined;
    }
    if (state === "pending") this.#view.showCode(this.code, this.qrcode, left);
    // Only what is new, because a screen reader reads it aloud.
    if (state !== this.#state || isLastMinute !== this.#isLastMinute)
      this.#view.showState(state, isLastMinute);
    this.#state = state;
    this.#isLastMinute = isLastMinute;

    if (state === "pending" && left > 0) this.#timer = setTimeout(this.#update, left % 1_000 || 1_000);
    if (state === "expired" && isOpen(this.status) && this.#expiredAt !== this.expiresAt) {
      this.#expiredAt = this.expiresAt;
      this.dispatchEvent(new CustomEvent("payment-pix-expired", { bubbles: true }));
    }
  };
}

/** Milliseconds since 1970; `NaN` if it is not a date. JavaScript reads a time without a zone as local: it is UTC. */
function toTime(date: string): number {
  return Date.parse(/T[^Z+-]+$/i.test(date) ? `${date}Z` : date);
}

function isOpen(status: string): boolean {
  return status === "pending" || status === "processing";
}

function stateOf(status: string, left: number): PixState {
  if (status === "paid" || status === "approved") return "paid";
  if (status === "expired" || (isOpen(status) && left <= 0)) return "expired";
  return isOpen(status) ? "pending" : "invalid";
}

defineElement("payment-pix", PaymentPix);

declare global {
  interface HTMLElementTagNameMap {
    "payment-pix": PaymentPix;
  }
  interface HTMLElementEventMap {
    "payment-pix-expired": CustomEvent<null>;
  }
}
