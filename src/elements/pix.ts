import { toTime } from "../data/time.ts";
import type { TransactionStatus } from "../spec/transaction-status.ts";
import { adoptProperties, defineElement, ElementBase, languageOf, setAttribute } from "./element-base.ts";
import { isOpen, LATE_CONFIRMATION_MS, stateOf } from "./pix-state.ts";
import { PixView } from "./pix-view.ts";
import { fetchStatus, pauseAfter, type StatusResponse, waitUntilDue } from "./status-poll.ts";

/** After so many 404s in a row, the shop has no such order. One can come from a proxy during a deployment. */
const NOT_FOUND_MAX = 3;

/** A smaller difference between two clocks is not corrected: `Date` has whole seconds, and a response takes time. */
const CLOCK_TOLERANCE_MS = 5_000;

/**
 * `<payment-pix>`: shows a pix to the buyer, as a QR code to scan and a code to copy, with the remaining time. With a
 * `status-url`, it asks the shop's server whether the pix is paid. Otherwise it sends no requests: set its `status`.
 *
 * ```html
 * <payment-pix code="00020126…" qrcode="data:image/png;base64,…" amount="1990" payee="Loja Ipê Ltda"
 *   expires-at="2026-11-23T14:00:00Z" status-url="/status?stsig=…"></payment-pix>
 * ```
 *
 * Its language follows the nearest `lang` attribute: English for `en`, otherwise Portuguese.
 *
 * Events, which bubble:
 *
 * - `payment-pix-expired`, once for each expiry, when the code expires while the status is `pending`. It has no detail.
 * - `payment-status`, when the server reports another status: `detail.status`. It proves nothing to the shop, because anyone
 *   can dispatch it.
 *
 * Spec: "`data.pix`".
 */
export class PaymentPix extends ElementBase {
  static readonly observedAttributes = "code qrcode amount payee expires-at status status-url lang".split(
    " ",
  );

  #view: PixView | undefined;
  /** The expiry whose event was dispatched, in milliseconds since 1970. */
  #expiredAt: number | undefined;
  #listeners: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Ends the polling; missing if there is none. */
  #polling: AbortController | undefined;
  /** What is being polled, or was last. */
  #polled = "";
  /** The status that the server reported for the code. */
  #reported: string | undefined;
  /** The expiry that the server reported for the code; empty if it reported none. */
  #reportedExpiry = "";
  /** Whether a request has ended, in whichever way. */
  #hasAsked = false;
  /** Milliseconds by which the clock of the server is ahead of the device; `undefined` before its first response. */
  #clockDifference: number | undefined;

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

  /** What the buyer pays, in cents. Anything but a positive whole number shows no amount. */
  get amount(): string {
    return this.getAttribute("amount") ?? "";
  }
  set amount(value: number | string | null | undefined) {
    setAttribute(this, "amount", value?.toString());
  }

  /** Whom the buyer pays: the name that the buyer's bank will show. */
  get payee(): string {
    return this.getAttribute("payee") ?? "";
  }
  set payee(value: string | null | undefined) {
    setAttribute(this, "payee", value);
  }

  /**
   * When the code expires: an ISO 8601 time, such as `pix.expirationDate` of the transaction, or a `Date`. A time without
   * a zone is UTC. Compared with the `Date` header of the responses of `status-url`, or else with the clock of the buyer's
   * device. Without it the expiry that the server reports is used; without either, the element has no countdown and never
   * expires by itself.
   */
  get expiresAt(): string {
    return this.getAttribute("expires-at") ?? "";
  }
  set expiresAt(value: string | Date | null | undefined) {
    setAttribute(this, "expires-at", value instanceof Date ? value.toJSON() : value); // null for an invalid date
  }
  /** @internal Vue sets a property only by its name in the template; an attribute cannot be a `Date`. */
  set "expires-at"(value: string | Date | null | undefined) {
    this.expiresAt = value;
  }

  /**
   * Status of the payment. Default `pending`. Any `TransactionStatus` is accepted: `pending` and
   * `processing` show the code, `paid` and `approved` a confirmation; with all others the code can no longer be paid.
   * The end of the countdown does not change it; a status that the server reports does, until the code changes.
   */
  get status(): string {
    return this.getAttribute("status") || "pending";
  }
  set status(value: string | null | undefined) {
    setAttribute(this, "status", value);
  }

  /**
   * A URL of `signer.statusUrl` for the order of the pix. The element requests it every 2 seconds, less often after two minutes
   * and after errors, not while the page is hidden, and immediately when it is shown again. It stops when the status is
   * final, after three 404s in a row, and 15 minutes after the expiry, but never before the first response.
   */
  get statusUrl(): string {
    return this.getAttribute("status-url") ?? "";
  }
  set statusUrl(value: string | null | undefined) {
    setAttribute(this, "status-url", value);
  }

  connectedCallback(): void {
    adoptProperties(this);
    this.#listeners = new AbortController();
    const { signal } = this.#listeners;
    // Timers stand still while a tab sleeps.
    for (const type of ["visibilitychange", "pageshow", "focus"]) {
      window.addEventListener(type, this.#update, { signal });
    }
    queueMicrotask(this.#update);
  }

  disconnectedCallback(): void {
    this.#listeners?.abort();
    clearTimeout(this.#timer);
    this.#stopPolling();
  }

  /** Attributes that change together are shown together: a past `expires-at` with `status="paid"` has not expired. */
  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    queueMicrotask(this.#update);
    if (name !== "code" || before === after) return;
    // What the server reported is not about the new code. A framework does not know the attribute, and would keep it.
    if (this.#reported !== undefined && this.status === this.#reported) this.removeAttribute("status");
    this.#reported = undefined;
    this.#reportedExpiry = "";
  }

  /** In milliseconds since 1970; `NaN` if it is not known. */
  #expiry(): number {
    return toTime(this.expiresAt) || toTime(this.#reportedExpiry);
  }

  /** Milliseconds until the expiry, by the clock of the server. */
  #timeLeft(): number {
    return this.#expiry() - Date.now() - (this.#clockDifference ?? 0);
  }

  /** Whether the code has expired by the clock of the device alone, which may be wrong, and the server will be asked. */
  #isExpiryUncertain(): boolean {
    return this.statusUrl !== "" && !this.#hasAsked && this.#timeLeft() <= 0;
  }

  /** Shows the attributes as they are at this moment. Called each second while the time runs. */
  readonly #update = (): void => {
    clearTimeout(this.#timer);
    if (!this.isConnected) return;
    const left = this.#isExpiryUncertain() ? Number.NaN : this.#timeLeft(); // NaN: without an expiry
    const state = stateOf(this.status, left);
    const language = languageOf(this);
    // A framework, or the page, may have emptied the element.
    if (this.#view?.language !== language || !this.#view.isIn(this)) this.#view = new PixView(this, language);
    this.#view.show(state, this, left);

    if (state === "pending" && left > 0) this.#timer = setTimeout(this.#update, left % 1_000 || 1_000);
    if (left <= 0 && isOpen(this.status) && this.#expiredAt !== this.#expiry()) {
      this.#expiredAt = this.#expiry();
      this.dispatchEvent(new CustomEvent("payment-pix-expired", { bubbles: true }));
    }
    this.#updatePolling();
  };

  /** Starts, restarts or stops the polling, as the attributes require. */
  #updatePolling(): void {
    const { statusUrl, code, expiresAt, status } = this;
    const polled = [statusUrl, code, expiresAt].join(" ");
    const isSame = polled === this.#polled;
    // A final status that the previous URL reported may not be that of the new one, which may be asked already.
    const isOld = status === this.#reported && (!isSame || this.#polling !== undefined);
    const canChange = isOpen(status) || isOld;
    if (!canChange || !isSame) this.#stopPolling();
    if (!canChange || statusUrl === "" || this.#polling !== undefined) return;
    this.#polled = polled;
    this.#polling = new AbortController();
    void this.#poll(this.#polling.signal);
  }

  #stopPolling(): void {
    this.#polling?.abort();
    this.#polling = undefined;
  }

  async #poll(signal: AbortSignal): Promise<void> {
    let requests = 0;
    let failures = 0;
    let notFound = 0;
    let pause = this.#isExpiryUncertain() ? 0 : pauseAfter(requests, failures);
    while (true) {
      // The buyer may come back from the app of the bank: the confirmation is near.
      if (await waitUntilDue(pause, signal)) requests = 0;
      if (signal.aborted) return;
      const response = await fetchStatus(this.statusUrl, signal);
      if (signal.aborted) return;
      requests += 1;
      failures = isReported(response.status) ? 0 : failures + 1;
      notFound = response.status === "not_found" ? notFound + 1 : 0;
      pause = pauseAfter(requests, failures);
      this.#apply(response);
      if (this.#isOver(response) || notFound === NOT_FOUND_MAX) return;
    }
  }

  #apply({ status, expiresAt, time }: StatusResponse): void {
    this.#hasAsked = true;
    const difference = time - Date.now(); // NaN if the time is not known
    const change = Math.abs(difference - (this.#clockDifference ?? 0));
    if (change > CLOCK_TOLERANCE_MS) this.#clockDifference = difference;
    if (isReported(status)) {
      this.#clockDifference ??= 0;
      this.#reportedExpiry = expiresAt;
      this.#report(status);
    }
    this.#update();
  }

  /** Whether the status is final, or a payment would have been confirmed by now. */
  #isOver({ status }: StatusResponse): boolean {
    if (isReported(status) && !isOpen(status)) return true;
    return this.#clockDifference !== undefined && this.#timeLeft() <= -LATE_CONFIRMATION_MS;
  }

  #report(status: TransactionStatus): void {
    this.#reported = status;
    if (status === this.status) return;
    this.status = status;
    const options = { bubbles: true, composed: true, detail: { status } };
    this.dispatchEvent(new CustomEvent("payment-status", options));
  }
}

function isReported(status: StatusResponse["status"]): status is TransactionStatus {
  return status !== "failed" && status !== "not_found";
}

defineElement("payment-pix", PaymentPix);

declare global {
  interface HTMLElementTagNameMap {
    "payment-pix": PaymentPix;
  }
  interface HTMLElementEventMap {
    "payment-pix-expired": CustomEvent<null>;
    "payment-status": CustomEvent<{ readonly status: TransactionStatus }>;
  }
}
