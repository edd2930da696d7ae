import { assertConfig } from "../errors/check-options.ts";
import { isPaymentsError } from "../errors/is-payments-error.ts";
import { InvalidRequestError } from "../errors/usage-errors.ts";
import type { RequestOptions } from "../http/call.ts";
import { type CardBrand, cardBrand, securityCodeLength } from "../tokenizer/card-formats.ts";
import type { CardToken } from "../tokenizer/card-token.ts";
import { CardTokenizer, type CardTokenizerOptions } from "../tokenizer/card-tokenizer.ts";
import {
  type CardIssue,
  type CardValues,
  checkCard,
  type InputName,
  inputOf,
  toCard,
} from "./card-checks.ts";
import { type CardField, createFields, setText, showBrand } from "./card-fields.ts";
import { CARD_MESSAGES, type Status } from "./card-messages.ts";
import { adoptProperties, defineElement, ElementBase, h, languageOf, setAttribute } from "./element-base.ts";

/** A token that expires within this time may expire before the merchant's server has sent it. */
const REFRESH_MS = 30_000;

/** Options of the tokenizer that are not attributes. */
type OtherOptions = Omit<CardTokenizerOptions, "baseUrl" | "publicKey">;

type Submitter = HTMLButtonElement | HTMLInputElement;

/** A submit that waits for its token. */
interface Held {
  readonly form: HTMLFormElement;
  readonly submitter: Submitter | null;
}

/** How many elements were created, for their ids. */
let count = 0;

/**
 * `<payment-card-form>`: the fields of a card, in the page itself, so that labels, autofill and the page's styles work.
 * It returns a {@link CardToken}; no card value is ever in an attribute, an event, or the data of a form.
 *
 * ```html
 * <form action="/pay" method="post">
 *   <payment-card-form name="cardToken" base-url="https://..." public-key="pk_..."></payment-card-form>
 *   <button>Pay</button>
 * </form>
 * ```
 *
 * In a form, with a `name`, a submit waits for the token, which is the element's value in the form's data. Without a
 * name, call {@link PaymentCardForm.tokenize}. While another way to pay is selected, set `disabled`; a submit by a
 * button with `formnovalidate` does not wait, either. The element takes no part in the browser's own validation of the
 * form.
 *
 * Each submit creates a new token: the page has to block a second submit while the first payment is in progress.
 *
 * Leave the element empty: it creates its own fields. It is cleared when it is removed from the page.
 *
 * Events: `payment-token` with `{ token }`, `payment-error` with `{ error }` in `detail`. Both bubble. `input` and
 * `change` are dispatched by the element, as by a native control. The attribute `busy` is set while a token is
 * requested, for CSS.
 *
 * Spec: "POST /api/v1/card-token".
 */
export class PaymentCardForm extends ElementBase {
  static readonly formAssociated = true;
  static readonly observedAttributes = ["base-url", "public-key", "lang"];

  readonly #internals: ElementInternals;
  /** Shows the name of the brand. */
  readonly #badge = h("span", { class: "payment-brand" });
  readonly #fields: Readonly<Record<InputName, CardField>>;
  readonly #all: readonly CardField[];
  readonly #parts: readonly Element[];
  readonly #status = h("p", { class: "payment-status" });
  #shownStatus: Status = "";
  #token: CardToken | undefined;
  /** The token, until a submit uses it. */
  #unusedToken: CardToken | undefined;
  #running: Promise<CardToken> | undefined;
  #controller: AbortController | undefined;
  /** The submit that waits for a token, or is being repeated with it. */
  #held: Held | undefined;
  #tokenizerOptions: OtherOptions = {};
  #isWarned = false;
  #listeners: AbortController | undefined;

  constructor() {
    super();
    this.#internals = this.attachInternals();
    this.#internals.role = "group";
    count += 1;
    this.#fields = createFields(`payment-card-${count}`, this.#badge);
    this.#all = Object.values(this.#fields);
    this.#parts = [...this.#all.map(({ root }) => root), this.#status];
    adoptProperties(this);
    for (const field of this.#all) {
      for (const type of ["input", "change"]) {
        field.root.addEventListener(type, (event) => this.#onInput(event, field));
      }
      field.root.addEventListener("focusout", (event) => this.#onBlur(field, event));
    }
  }

  /** Base URL of the service. */
  get baseUrl(): string {
    return this.getAttribute("base-url") ?? "";
  }
  set baseUrl(value: string | null | undefined) {
    setAttribute(this, "base-url", value);
  }

  /** Starts with `pk_`. */
  get publicKey(): string {
    return this.getAttribute("public-key") ?? "";
  }
  set publicKey(value: string | null | undefined) {
    setAttribute(this, "public-key", value);
  }

  /** Name of the token in the form's data. */
  get name(): string {
    return this.getAttribute("name") ?? "";
  }
  set name(value: string | null | undefined) {
    setAttribute(this, "name", value);
  }

  get disabled(): boolean {
    return this.hasAttribute("disabled");
  }
  set disabled(value: boolean | null | undefined) {
    this.toggleAttribute("disabled", Boolean(value)); // `undefined` would toggle it
  }

  /** Other options of the `CardTokenizer`, such as `timeout` and `onEvent`. */
  get tokenizerOptions(): OtherOptions {
    return this.#tokenizerOptions;
  }
  set tokenizerOptions(options: OtherOptions) {
    this.#tokenizerOptions = options;
  }
  /** @internal Vue sets a property only by its name in the template; it would set an attribute. */
  set "tokenizer-options"(options: OtherOptions) {
    this.tokenizerOptions = options;
  }

  /** The last token; `undefined` if it has expired or an input has changed since. */
  get token(): CardToken | undefined {
    return this.#token?.isExpired() === false ? this.#token : undefined;
  }

  /** The text of the token; empty if there is none. */
  get value(): string {
    return this.token?.value ?? "";
  }

  /** The brand by the first digits; `undefined` if it is unknown. */
  get brand(): CardBrand | undefined {
    return cardBrand(this.#fields.number.input.value);
  }

  /** The form that the element belongs to. Set it to the `id` of another form, like the attribute. */
  get form(): HTMLFormElement | null {
    return this.#internals.form;
  }
  set form(id: string | null | undefined) {
    setAttribute(this, "form", id);
  }
  get type(): string {
    return this.localName;
  }

  /** Whether all fields are complete and plausible. Shows no errors, so a page can call it on every keystroke. */
  checkValidity(): boolean {
    return checkCard(this.#values(), () => true).length === 0;
  }
  /**
   * Checks the fields as {@link PaymentCardForm.tokenize} does: shows the errors, and moves the focus to the first one.
   */
  reportValidity(): boolean {
    return this.#reportIssues().length === 0;
  }

  /**
   * Checks the fields and converts them to a token. Shows errors next to the fields, and moves the focus to the first
   * one. A call while another one is running returns the same promise.
   *
   * A wrong check digit or a date in the past is an error only once: if the buyer submits the same value again, it is
   * sent. Some published test cards have a wrong check digit, and the clock of the device may be wrong.
   *
   * @throws {InvalidRequestError} if a field is empty or wrong; `actor` is `customer`, `issues` name fields of
   * `CardParams`.
   * @throws {AbortedError} if the element is reset during the call.
   * @throws {PaymentsError} as `CardTokenizer.tokenize`.
   */
  tokenize(options?: RequestOptions): Promise<CardToken> {
    this.#running ??= this.#tokenize(options).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Clears all fields, the token and the messages. */
  reset(): void {
    for (const field of this.#all) field.clear();
    this.#onChange();
  }

  /** Clears the security code and the token, after a refusal: the buyer can correct the card or type another one. */
  clearSecurityCode(): void {
    this.#fields.code.clear();
    this.#onChange();
  }

  /** Moves the focus to the first field that is marked as wrong, or else to the number. */
  override focus(options?: FocusOptions): void {
    const field = this.#all.find(({ problem }) => problem) ?? this.#fields.number;
    field.input.focus(options);
  }

  /** @internal */
  connectedCallback(): void {
    this.#listeners = new AbortController();
    const { signal } = this.#listeners;
    // A browser would keep the fields for when the buyer returns, or for another person at the same device.
    window.addEventListener("pagehide", () => this.reset(), { signal });
    // Above the form, so that it comes before any listener of the form.
    const root = this.getRootNode();
    const onSubmit = (event: Event) => this.#onSubmit(event as SubmitEvent);
    root.addEventListener("submit", onSubmit, { capture: true, signal });
    // The language of the page, which an app may change.
    const language = new MutationObserver(() => this.#render());
    language.observe(document.documentElement, { attributeFilter: ["lang"] });
    signal.addEventListener("abort", () => language.disconnect());
    this.#render();
  }

  /** @internal */
  disconnectedCallback(): void {
    this.#listeners?.abort();
    // A move within the page is a removal, too.
    queueMicrotask(() => {
      if (!this.isConnected) this.reset();
    });
  }

  /** @internal */
  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (name === "lang") this.#render();
    else if (before !== after) this.#dropToken();
  }

  /** @internal */
  formDisabledCallback(isDisabled: boolean): void {
    for (const { input } of this.#all) input.disabled = isDisabled;
    // A submit that waits for the token would come after the buyer has chosen another way to pay.
    if (isDisabled) this.#controller?.abort();
  }

  /** @internal */
  formResetCallback(): void {
    this.reset();
  }

  /** Stops a submit without a token, and repeats it with a token. The page's own listeners see only the second submit. */
  #onSubmit(event: SubmitEvent): void {
    const { form } = this;
    if (form === null || event.target !== form) return;
    if (this.name === "" || this.matches(":disabled")) return;
    const submitter = event.submitter as Submitter | null;
    // A button such as "Cancel" needs no card, and ends a submit that waits for one.
    if (submitter?.formNoValidate) {
      this.#dropToken();
      return;
    }
    if (event.defaultPrevented) {
      this.#warnOfNoToken();
      return;
    }
    const token = this.#unusedToken;
    this.#unusedToken = undefined;
    if (token && (this.#held || !token.isExpired(Date.now() + REFRESH_MS))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const isWaiting = this.#held !== undefined;
    this.#held = { form, submitter };
    if (!isWaiting) void this.#submit();
  }

  /** Warns the developer once, unless the page itself requests the token, or prevents a submit that has one. */
  #warnOfNoToken(): void {
    if (this.#isWarned || this.#running || this.token) return;
    this.#isWarned = true;
    // biome-ignore lint/suspicious/noConsole: the page shows nothing, and no request fails
    console.warn(
      "payments-sdk: <payment-card-form> gets no token: a script of this page stops the submit in the capture phase.",
    );
  }

  async #submit(): Promise<void> {
    try {
      await this.tokenize();
      const { form, submitter } = this.#held ?? {};
      // There is no token if the element was reset at the last moment, or if the page has submitted the form itself.
      if (!this.#unusedToken || !form || form !== this.form) return;
      // The page may have changed or removed the button meanwhile.
      const isButton = submitter?.form === form && /submit|image/.test(submitter.type);
      form.requestSubmit(isButton ? submitter : null);
    } catch (error) {
      // Shown to the buyer by `tokenize`, and in the console to the developer if it is a wrong setting.
      if (isPaymentsError(error) && error.code === "configuration") reportError(error);
    } finally {
      this.#held = undefined;
    }
  }

  async #tokenize(options: RequestOptions | undefined): Promise<CardToken> {
    const controller = new AbortController();
    this.#controller = controller;
    try {
      const issues = this.#reportIssues().map(({ field, message }) => ({ field, message }));
      if (issues.length > 0) throw new InvalidRequestError(issues, { outcome: "not_applicable" }, "customer");
      this.#setBusy(true);
      assertConfig(!this.hasAttribute("tokenizer-options"), "tokenizerOptions is not an attribute.");
      const account = { baseUrl: this.baseUrl || undefined, publicKey: this.publicKey || undefined };
      const tokenizer = new CardTokenizer({ ...this.tokenizerOptions, ...account });
      const signal = linkSignal(controller, options?.signal);
      const token = await tokenizer.tokenize(toCard(this.#values()), { ...options, signal });
      this.#setBusy(false);
      if (!signal.aborted) this.#setToken(token);
      return token;
    } catch (error) {
      this.#setBusy(false);
      this.#showError(error);
      // Not a failure: the element was reset, changed or removed.
      if (!controller.signal.aborted) this.#emit("payment-error", { error });
      throw error;
    }
  }

  #values(): CardValues {
    const values = this.#all.map(({ name, input }) => [name, input.value]);
    return Object.fromEntries(values) as CardValues;
  }

  #check(): CardIssue[] {
    return checkCard(this.#values(), (input) => this.#fields[input].isConfirmed);
  }

  /** Shows the current problems beside the fields, and moves the focus to the first wrong field. */
  #reportIssues(): CardIssue[] {
    const issues = this.#check();
    for (const field of this.#all) {
      field.problem = issues.find(({ input }) => input === field.name)?.problem;
      field.isConfirmed = true; // until it changes
    }
    this.#render(issues.length === 0 ? "" : "fields");
    if (issues.length > 0) this.focus();
    return issues;
  }

  #showError(error: unknown): void {
    for (const name of inputsIn(error)) this.#fields[name].problem ??= "wrong";
    const isMarked = this.#all.some(({ problem }) => problem);
    this.#render(isMarked ? "fields" : statusOf(error));
    if (isMarked && !isTypingElsewhere(this)) this.focus();
  }

  #setBusy(isBusy: boolean): void {
    this.toggleAttribute("busy", isBusy);
    for (const { input } of this.#all) input.readOnly = isBusy;
    this.#render(isBusy ? "busy" : "");
  }

  #setToken(token: CardToken): void {
    this.#token = token;
    this.#unusedToken = token;
    // Without a state, so that the browser does not save the token.
    this.#internals.setFormValue(token.value, "");
    this.#emit("payment-token", { token });
  }

  /** A token of other data than what the fields show must not be used. */
  #dropToken(): void {
    this.#controller?.abort();
    this.#token = undefined;
    this.#unusedToken = undefined;
    this.#internals.setFormValue(null);
  }

  #emit(type: string, detail: object): void {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true }));
  }

  /** The page sees events of the element, as of a native control: its value is a token, and theirs is the card's. */
  #onInput(event: Event, field: CardField): void {
    event.stopPropagation();
    if (field.takeChange()) {
      const { code } = this.#fields;
      // Its length depends on the brand.
      if (field.name === "number" && code.problem === "wrong") code.problem = undefined;
      this.#onChange();
    }
    this.dispatchEvent(new Event(event.type, event));
  }

  #onChange(): void {
    this.#dropToken();
    this.#render("");
  }

  /** Shows what is wrong with a completed field. A field that is still empty is not an error before the submit. */
  #onBlur(field: CardField, { relatedTarget }: FocusEvent): void {
    // If the window loses the focus, the input keeps it.
    if (field.input.matches(":focus")) return;
    // The click on a button checks all fields. A message could move the button away from under the pointer.
    if ((relatedTarget as Partial<Submitter> | null)?.type === "submit") return;
    const issue = this.#check().find(({ input }) => input === field.name);
    if (!issue || issue.problem === "empty") return;
    field.problem = issue.problem;
    this.#render();
  }

  /** Shows the state in the element's language. */
  #render(status?: Status): void {
    // A framework may have emptied the element, and a clone has copies of the fields with what was typed in them.
    if (this.isConnected && this.#parts.some((part) => part.parentNode !== this)) {
      this.replaceChildren(...this.#parts);
    }
    const messages = CARD_MESSAGES[languageOf(this)];
    const hint = messages.codeHints[securityCodeLength(this.brand) ?? 0] ?? "";
    showBrand(this.#badge, this.brand);
    for (const field of this.#all) {
      const { name, problem } = field;
      const error = problem ? messages.problems[problem](messages.fields[name]) : "";
      field.setMessages(messages.labels[name], name === "code" ? hint : "", error);
    }
    if (status !== undefined) {
      this.#shownStatus = status;
      this.#status.textContent = ""; // the same message again is announced again
      this.#status.setAttribute("role", status === "" || status === "busy" ? "status" : "alert");
    }
    setText(this.#status, messages.statuses[this.#shownStatus]);
    this.#internals.ariaLabel = messages.form;
  }
}

/** A signal that is aborted with the controller, and with the caller's signal. */
function linkSignal(controller: AbortController, signal: AbortSignal | undefined): AbortSignal {
  const abort = () => controller.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort, { once: true });
  return controller.signal;
}

/** The inputs that the issues of an error are about. */
function inputsIn(error: unknown): InputName[] {
  if (!isPaymentsError(error) || !("issues" in error) || error.actor !== "customer") return [];
  return error.issues.map(({ field }) => inputOf(field)).filter((name) => name !== undefined);
}

function statusOf(error: unknown): Status {
  if (!isPaymentsError(error)) return "unavailable";
  if (error.code === "aborted") return "";
  if (error.code === "connection_failed" && error.reason === "offline") return "offline";
  return error.actor === "customer" || error.actor === "network" ? error.actor : "unavailable";
}

/** Otherwise the buyer's input would go into the card's fields. */
function isTypingElsewhere(element: Element): boolean {
  const active = (element.getRootNode() as Document | ShadowRoot).activeElement ?? document.activeElement;
  return active?.matches(":read-write") === true && !element.contains(active);
}

defineElement("payment-card-form", PaymentCardForm);

declare global {
  interface HTMLElementTagNameMap {
    "payment-card-form": PaymentCardForm;
  }
  interface HTMLElementEventMap {
    "payment-token": CustomEvent<{ token: CardToken }>;
    "payment-error": CustomEvent<{ error: unknown }>;
  }
}
