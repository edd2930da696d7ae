import { InvalidRequestError } from "../errors/invalid-request-error.ts";
import { isPaymentsError } from "../errors/is-payments-error.ts";
import type { RequestOptions } from "../http/request-options.ts";
import { type CardBrand, cardBrand, securityCodeLength } from "../tokenizer/card-form.ts";
import type { CardToken } from "../tokenizer/card-token.ts";
import { CardTokenizer, type CardTokenizerOptions } from "../tokenizer/card-tokenizer.ts";
import {
  type CardIssue,
  type CardTexts,
  checkCard,
  type InputName,
  inputOf,
  type Problem,
  toCard,
} from "./card-checks.ts";
import { type CardField, setText } from "./card-field.ts";
import { createFields, showBrand } from "./card-fields.ts";
import { type Status, TEXTS } from "./card-texts.ts";
import { adoptProperties, defineElement, ElementBase, h, languageOf, setAttribute } from "./element-base.ts";

/** A token that expires within this time may expire before the merchant's server has sent it. */
const REFRESH_MS = 30_000;

/** Options of the tokenizer that are not attributes. */
type OtherOptions = Omit<CardTokenizerOptions, "baseUrl" | "publicKey">;

/** How many elements were created, for their ids. */
let count = 0;

/**
 * `<payment-card-form>`: the fields of a card, in the page itself, so that labels, autofill and the page's styles work. What
 * leaves it is a {@link CardToken}; no card value is ever in an attribute, an event, or the data of a form.
 *
 * ```html
 * <form action="/pay" method="post">
 *   <payment-card-form name="cardToken" base-url="https://..." public-key="pk_..."></payment-card-form>
 *   <button>Pay</button>
 * </form>
 * ```
 *
 * In a form, with a `name`, a submit waits for the token, which is the element's value in the form's data. Without a name,
 * call {@link PaymentCardForm.tokenize}. While another way to pay is selected, set `disabled`: empty fields are not valid,
 * and the form would not be submitted.
 *
 * Events: `payment-token` with `{ token }`, `payment-error` with `{ error }` in `detail`. Both bubble.
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
  readonly #status = h("p", { class: "payment-status", role: "status" });
  #shownStatus: Status = "";
  #token: CardToken | undefined;
  /** The token, until a submit uses it. */
  #unusedToken: CardToken | undefined;
  /** Whether the buyer was asked to check this number and left it as it is. */
  #isNumberConfirmed = false;
  #running: Promise<CardToken> | undefined;
  #controller: AbortController | undefined;
  /** Whether a submit waits for a token, or is being repeated with it. */
  #isSubmitting = false;
  #tokenizerOptions: OtherOptions = {};
  #form: HTMLFormElement | null = null;

  constructor() {
    super();
    this.#internals = this.attachInternals();
    this.#internals.role = "group";
    count += 1;
    this.#fields = createFields(`payment-card-${count}`, this.#badge);
    this.#all = Object.values(this.#fields);
    // A clone has copies of the fields with what was typed in them.
    this.replaceChildren();
    adoptProperties(this);
    this.addEventListener("input", (event) => this.#onInput(event));
    this.addEventListener("focusout", (event) => this.#onBlur(event));
    this.addEventListener("invalid", (event) => this.#onInvalid(event));
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
  set disabled(value: boolean) {
    this.toggleAttribute("disabled", value);
  }

  /** Other options of the `CardTokenizer`, such as `timeout` and `onEvent`. */
  get tokenizerOptions(): OtherOptions {
    return this.#tokenizerOptions;
  }
  set tokenizerOptions(options: OtherOptions) {
    this.#tokenizerOptions = options;
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

  get form(): HTMLFormElement | null {
    return this.#internals.form;
  }
  get type(): string {
    return this.localName;
  }
  get validity(): ValidityState {
    return this.#internals.validity;
  }
  get validationMessage(): string {
    return this.#internals.validationMessage;
  }
  get willValidate(): boolean {
    return this.#internals.willValidate;
  }
  /** Whether all fields are valid. If not, shows the errors beside them. */
  checkValidity(): boolean {
    return this.#internals.checkValidity();
  }
  /** The same as {@link PaymentCardForm.checkValidity}: errors are always shown beside the fields. */
  reportValidity(): boolean {
    return this.#internals.reportValidity();
  }

  /**
   * Checks the fields and converts them to a token. Shows errors beside the fields, and moves the focus to the first one. A
   * call while another one is running returns the promise of that one.
   *
   * A number with a wrong check digit is an error once; called again for the same number, it is sent, because some published
   * test cards have one.
   *
   * @throws {InvalidRequestError} if a field is empty or wrong; `actor` is `customer`, `issues` name fields of `CardParams`.
   * @throws {AbortedError} if the element is reset meanwhile.
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
    this.#isNumberConfirmed = false;
    this.#onChange();
  }

  /** Clears the security code and the token, after a refusal: the buyer can correct the card or type another one. */
  clearSecurityCode(): void {
    this.#fields.code.clear();
    this.#onChange();
  }

  /** Moves the focus to the first field that is marked as wrong, or else to the number. */
  override focus(options?: FocusOptions): void {
    const field = this.#all.find(({ problem }) => problem !== undefined) ?? this.#fields.number;
    field.input.focus(options);
  }

  /** @internal */
  connectedCallback(): void {
    if (this.#status.parentNode !== this) {
      this.replaceChildren(...this.#all.map(({ root }) => root), this.#status);
    }
    globalThis.addEventListener("pagehide", this.#onPageHide);
    this.#render();
  }

  /** @internal */
  disconnectedCallback(): void {
    globalThis.removeEventListener("pagehide", this.#onPageHide);
  }

  /** @internal */
  attributeChangedCallback(name: string): void {
    if (name === "lang") this.#render();
    else this.#dropToken();
  }

  /** @internal */
  formAssociatedCallback(form: HTMLFormElement | null): void {
    this.#form?.removeEventListener("submit", this.#onSubmit, true);
    form?.addEventListener("submit", this.#onSubmit, true);
    this.#form = form;
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

  /** A browser would keep the fields for when the buyer returns, or for another person at the same device. */
  readonly #onPageHide = (): void => this.reset();

  /** Holds back a submit without a token, and repeats it with one. The page's own listeners see only the second. */
  readonly #onSubmit = (event: SubmitEvent): void => {
    if (event.defaultPrevented || this.name === "" || this.matches(":disabled")) return;
    const token = this.#unusedToken;
    this.#unusedToken = undefined;
    if (token && (this.#isSubmitting || !token.isExpired(Date.now() + REFRESH_MS))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!this.#isSubmitting) void this.#submit(event.submitter ?? null);
  };

  async #submit(submitter: HTMLElement | null): Promise<void> {
    this.#isSubmitting = true;
    try {
      await this.tokenize();
      const isOfForm = submitter !== null && Reflect.get(submitter, "form") === this.#form;
      // There is no token if the element was reset at the last moment.
      if (this.#unusedToken) this.#form?.requestSubmit(isOfForm ? submitter : null);
    } catch {
      // Shown by `tokenize`.
    } finally {
      this.#isSubmitting = false;
    }
  }

  async #tokenize(options: RequestOptions | undefined): Promise<CardToken> {
    const controller = new AbortController();
    this.#controller = controller;
    try {
      this.#requireValid();
      this.#setBusy(true);
      const { tokenizerOptions, baseUrl, publicKey } = this;
      const tokenizer = new CardTokenizer({
        ...tokenizerOptions,
        baseUrl: baseUrl || undefined,
        publicKey: publicKey || undefined,
      });
      const signal = linkSignal(controller, options?.signal);
      const token = await tokenizer.tokenize(toCard(this.#texts()), { ...options, signal });
      this.#setBusy(false);
      if (!signal.aborted) this.#setToken(token);
      this.#emit("payment-token", { token });
      return token;
    } catch (error) {
      this.#setBusy(false);
      this.#showError(error);
      this.#emit("payment-error", { error });
      throw error;
    }
  }

  #texts(): CardTexts {
    const { number, holder, expiry, code } = this.#fields;
    return {
      number: number.input.value,
      holder: holder.input.value,
      expiry: expiry.input.value,
      code: code.input.value,
    };
  }

  #check(): CardIssue[] {
    return checkCard(this.#texts(), !this.#isNumberConfirmed);
  }

  /** @throws {InvalidRequestError} */
  #requireValid(): void {
    const issues = this.#check();
    this.#mark(issues);
    if (issues.length === 0) return;
    this.#isNumberConfirmed = true; // until it changes
    const listed = issues.map(({ field, message }) => ({ field, message }));
    throw new InvalidRequestError(listed, { outcome: "not_applicable" }, "customer");
  }

  /** Shows exactly these problems beside the fields. */
  #mark(issues: readonly CardIssue[]): void {
    for (const field of this.#all) {
      field.problem = issues.find(({ input }) => input === field.name)?.problem;
    }
    this.#render(issues.length === 0 ? "" : "fields");
  }

  #showError(error: unknown): void {
    for (const name of inputsIn(error)) this.#fields[name].problem ??= "wrong";
    const isMarked = this.#all.some(({ problem }) => problem !== undefined);
    this.#render(isMarked ? "fields" : statusOf(error));
    if (isMarked) this.focus();
  }

  #setBusy(isBusy: boolean): void {
    this.setAttribute("aria-busy", String(isBusy));
    for (const { input } of this.#all) input.readOnly = isBusy;
    this.#render(isBusy ? "busy" : "");
  }

  #setToken(token: CardToken): void {
    this.#token = token;
    this.#unusedToken = token;
    // Without a state, so that the browser does not save the token.
    this.#internals.setFormValue(token.value, "");
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

  #fieldOf({ target }: Event): CardField | undefined {
    return this.#all.find(({ input }) => input === target);
  }

  #onInput(event: Event): void {
    const field = this.#fieldOf(event);
    if (field === undefined) return;
    field.problem = undefined;
    if (field.name === "number") {
      this.#isNumberConfirmed = false;
      this.#fields.code.problem = undefined; // its length depends on the brand
    }
    this.#onChange();
  }

  #onChange(): void {
    this.#dropToken();
    this.#render("");
  }

  /** Shows what is wrong with a completed field. A field that is still empty is not an error before the submit. */
  #onBlur(event: Event): void {
    const field = this.#fieldOf(event);
    // If the window loses the focus, the input stays the active element.
    if (field === undefined || document.activeElement === field.input) return;
    const issue = this.#check().find(({ input }) => input === field.name);
    if (issue === undefined || issue.problem === "empty") return;
    field.problem = issue.problem;
    this.#render();
  }

  /** Shows the errors beside the fields instead of in the browser's bubble. */
  #onInvalid(event: Event): void {
    event.preventDefault();
    this.#mark(this.#check());
    const isFirst = (this.form?.querySelector(":invalid:not(fieldset)") ?? this) === this;
    if (isFirst && !isTypingElsewhere(this)) this.focus();
  }

  /** Shows the state in the element's language, and passes the validity to the form. */
  #render(status: Status = this.#shownStatus): void {
    const texts = TEXTS[languageOf(this)];
    const explain = (input: InputName, problem: Problem) => texts.problems[problem](texts.fields[input]);
    const hint = texts.codeHints[securityCodeLength(this.brand) ?? 0] ?? "";
    showBrand(this.#badge, this.brand);
    for (const field of this.#all) {
      const { name, problem } = field;
      field.setTexts(texts.labels[name], name === "code" ? hint : "", problem ? explain(name, problem) : "");
    }
    this.#shownStatus = status;
    setText(this.#status, texts.statuses[status]);
    this.#internals.ariaLabel = texts.form;

    const [issue] = checkCard(this.#texts(), false);
    const isEmpty = issue?.problem === "empty";
    const flags = { valueMissing: isEmpty, customError: issue !== undefined && !isEmpty };
    this.#internals.setValidity(flags, issue && explain(issue.input, issue.problem));
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

/** A form that checks its validity at each key must not lose the focus to the card. */
function isTypingElsewhere(element: Element): boolean {
  const active = document.activeElement;
  const isEditable = active?.matches("input:not([type=submit], [type=image]), textarea, select") === true;
  return isEditable && !element.contains(active);
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
