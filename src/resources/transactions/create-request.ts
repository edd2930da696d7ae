import * as z from "zod/mini";
import type { IdempotencyStore } from "../../contracts/idempotency-store.ts";
import type { SignsPostbackUrls } from "../../contracts/postback-signer.ts";
import type { CardTokenLike, CreateDefaults } from "../../contracts/transaction-params.ts";
import { isRecord, withoutPrototype } from "../../data/own-properties.ts";
import { type FoundIssue, referenceProblem, snapshot } from "../../data/validate.ts";
import { toWebUrl, WEB_URL_RULE } from "../../data/web-url.ts";
import { unknownOptions } from "../../errors/check-options.ts";
import { listIssues, toIssues } from "../../errors/issue.ts";
import { CardTokenExpiredError, ConfigurationError } from "../../errors/usage-errors.ts";
import type { Call } from "../../http/call.ts";
import { type Account, assertOption, NOT_SENT } from "../../http/config.ts";
import { withoutPunctuation } from "../../spec/check-digits.ts";
import { POSTBACK_TEXT_MAX } from "../../spec/limits.ts";
import { DOCUMENT_LENGTHS, DOCUMENT_TYPES, PAYMENT_METHODS, type PaymentMethod } from "../../spec/values.ts";
import { findExpiry } from "../../tokenizer/card-token.ts";
import { CARD_FIELDS } from "../../tokenizer/tokenize.ts";
import { addExtraBody, type RequestShape, validate } from "./request-shape.ts";

/** Maximum UTF-8 bytes of `metadata` as a JSON string. */
const METADATA_MAX_BYTES = 64_000;

/** The request of a create call. */
export interface ReadyRequest {
  /** The fields that the SDK knows. */
  readonly request: TransactionRequest;
  /** {@link request} with the fields of `extraBody`, as it is sent. */
  readonly wire: Readonly<Record<string, unknown>>;
  /** Thrown unless an earlier call with the same reference created the transaction: the token was valid then. */
  readonly expiredToken: CardTokenExpiredError | undefined;
}

/** What the create calls of a client share. @internal */
export interface TransactionSettings {
  readonly account: Account;
  /** The default for parameters without one. */
  readonly postbackUrl: string | undefined;
  readonly defaults: CreateDefaults;
  readonly signer: SignsPostbackUrls | undefined;
  readonly store: IdempotencyStore | undefined;
}

/** The parameters of a create call: a copy without getters, and what could not be copied. */
export interface CopiedParams {
  readonly copy: unknown;
  readonly found: FoundIssue[];
}

/** Reads the parameters, each once. From then on, the call has its reference. Never throws. */
export function copyParams(call: Call, params: unknown): CopiedParams {
  const found: FoundIssue[] = [];
  const copy = snapshot(params, found);
  const externalRef = isRecord(copy) ? copy["externalRef"] : undefined;
  call.externalRef = typeof externalRef === "string" ? externalRef : undefined;
  return { copy, found };
}

/**
 * Converts the parameters of a create call to what is sent. From then on, the call has its secrets.
 *
 * @param method - From the name of the method that was called; otherwise `params` has it.
 * @throws {InvalidRequestError} with all issues at once, those of the options included.
 */
export function toTransactionRequest(
  call: Call,
  copied: CopiedParams,
  method: PaymentMethod | undefined,
  settings: TransactionSettings,
): ReadyRequest {
  const { extraBody, wait } = call.options;
  const { found } = copied;
  const plain = addDefaults(copied, method, settings);
  const { paymentMethod, postbackUrl, card } = plain;
  const { hash } = withoutPrototype(isRecord(card) ? card : {});
  call.hide([postbackUrl, hash]);
  const isCard = paymentMethod === "credit_card";
  const checked = isCard ? validate(CARD, plain, found) : validate(PIX, plain, found);
  const issues = checked.ok ? [] : toIssues(checked.issues);
  let wire: ReadyRequest["wire"] = checked.ok ? checked.value : plain;
  if (extraBody !== undefined) {
    const extra = addExtraBody(wire, extraBody, isCard ? CARD : PIX, isCard ? PIX : CARD);
    wire = extra.wire;
    issues.push(...toIssues(extra.issues));
  }
  if (wait !== undefined && settings.store === undefined) {
    issues.push({ field: "options.wait", message: "needs a client with `idempotency`" });
  }
  call.assertValid(checked.ok, issues);
  const request = withoutPrototype(checked.value);
  // In the form in which they are sent, which may differ from the one that was passed in.
  call.hide([request.postbackUrl, request.paymentMethod === "credit_card" ? request.card.hash : undefined]);
  call.hide(personalData(request.customer));
  const expiry = isCard ? findExpiry(hash) : undefined;
  const expiredToken = expiry && new CardTokenExpiredError(expiry, call.context("not_sent"));
  return { request, wire, expiredToken };
}

/**
 * What a service may quote in an error. Shorter texts are elsewhere by chance, and finding a longer one takes long. A
 * phone number may be repeated in another format, with or without the code of Brazil.
 */
function personalData({ document, email, phone = "" }: TransactionRequest["customer"]): string[] {
  const national = phone
    .slice(0, 254)
    .replace(/\D/g, "")
    .replace(/^55(?=\d{10})/, "");
  const texts = [document.number, email.slice(0, 254)];
  if (national.length >= 8) texts.push(national, `55${national}`);
  return texts.filter(({ length }) => length >= 8);
}

/** The parameters with the defaults of the client. */
function addDefaults(
  { copy, found }: CopiedParams,
  method: PaymentMethod | undefined,
  { postbackUrl, defaults, signer, store }: TransactionSettings,
): Record<string, unknown> {
  if (!isRecord(copy)) {
    if (found.length === 0) found.push({ path: [], message: "must be an object" });
    return {};
  }
  const { pix, ...common } = defaults;
  const plain: Record<string, unknown> = withoutPrototype({
    paymentMethod: method,
    postbackUrl,
    ...common,
    ...copy,
  });
  const { pix: given = {} } = plain;
  const isPix = plain["paymentMethod"] === "pix";
  if (isPix && pix !== undefined && isRecord(given)) plain["pix"] = withoutPrototype({ ...pix, ...given });
  // A card payment always requires the reference.
  if (isPix && plain["externalRef"] === undefined) {
    const isSigned = signer !== undefined && plain["postbackUrl"] !== undefined;
    const message = store === undefined ? NEEDED_TO_SIGN : NEEDED_BY_STORE;
    if (store !== undefined || isSigned) found.push({ path: ["externalRef"], message });
  }
  const allowed: readonly unknown[] = method === undefined ? PAYMENT_METHODS : [method];
  if (allowed.includes(plain["paymentMethod"])) return plain;
  const message = `must be ${allowed.map((name) => `"${name}"`).join(" or ")}`;
  found.push({ path: ["paymentMethod"], message });
  // Without a known method, only the fields that both have are checked.
  const { card: _card, installments: _installments, pix: _pix, ...both } = plain;
  return both;
}

const NEEDED_BY_STORE = "is required, because the idempotency store identifies the payment by it";
const NEEDED_TO_SIGN = "is required, because the signed postback URL contains it";

/** Creates a message that distinguishes a missing value from a wrong one, and never shows the value. */
function createMessage(message: string): { error: (problem: { readonly input?: unknown }) => string } {
  return { error: (problem) => (problem.input === undefined ? "is required" : message) };
}

/** Adds an issue about a value whose type is right. */
function refuse({ issues }: { issues: object[] }, message: string, path: string[] = []): void {
  issues.push({ code: "custom", message, path, input: undefined });
}

const strictObject = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape, createMessage("must be an object"));

const CENTS = "must be a whole number of cents above zero, such as 1990 for R$ 19,90";

const text = z.string(createMessage("must be a string"));
const filledText = text.check(z.regex(/\S/, "must not be empty"));
const flag = z.boolean(createMessage("must be true or false"));
const OneOrMore = (what: string) => z.int(createMessage(what)).check(z.positive("must be one or more"));

/** No longer than the reference of a postback, so that each postback can be matched. */
const Reference = filledText.check(
  (payload) => {
    const message = referenceProblem(payload.value);
    if (message !== undefined) refuse(payload, message);
  },
  z.maxLength(POSTBACK_TEXT_MAX.externalRef, `must have at most ${POSTBACK_TEXT_MAX.externalRef} characters`),
);

export function isReference(value: unknown): value is string {
  return Reference.safeParse(value).success;
}

/** Spec: `customer.document`. Letters are kept: `\D` would turn one CNPJ into another. */
const CustomerDocumentBody = z.pipe(
  strictObject({ type: z.enum(DOCUMENT_TYPES, createMessage('must be "cpf" or "cnpj"')), number: text }),
  z.transform(({ type, number: written }, payload) => {
    const number = withoutPunctuation(written);
    // Checked before it is upper-cased, which would convert a dotless i to an I.
    const allowed = type === "cpf" ? /^\d*$/ : /^[\dA-Za-z]*$/;
    if (number.length !== DOCUMENT_LENGTHS[type] || !allowed.test(number)) {
      const what = type === "cpf" ? "11 digits" : "14 digits or, since July 2026, letters";
      refuse(payload, `must have ${what}`, ["number"]);
    }
    return { type, number: number.toUpperCase() };
  }),
);

const CustomerBody = strictObject({
  name: filledText,
  email: filledText.check(z.regex(/^\S+@\S+$/, "must be an e-mail address")),
  phone: filledText,
  document: CustomerDocumentBody,
});

/** Spec: "Order item". */
const OrderItemBody = strictObject({
  title: filledText,
  unitPrice: z
    .int(createMessage("must be a whole number of cents"))
    .check(z.nonnegative("must not be negative")),
  quantity: OneOrMore("must be a whole number"),
  tangible: flag,
  product_image: z.optional(text),
});

/** Spec: `metadata`, "additional data as a JSON-encoded string". */
const MetadataText = z.pipe(
  z.custom<string | object>(
    (value) => typeof value === "string" || (typeof value === "object" && value !== null),
    createMessage("must be an object, or a string of JSON"),
  ),
  z.transform((value, payload): string => {
    let written: string | undefined;
    try {
      written = typeof value === "string" ? value : JSON.stringify(value);
    } catch {
      // A cycle behind a `toJSON`, or a bigint.
    }
    const { length } = new TextEncoder().encode(written);
    if (written === undefined) refuse(payload, "cannot be written as JSON");
    else if (length > METADATA_MAX_BYTES) refuse(payload, `must be at most ${METADATA_MAX_BYTES} bytes`);
    return written ?? "";
  }),
);

const PostbackUrl = z.pipe(
  text,
  z.transform((value, payload): string => {
    const url = toWebUrl(value);
    if (url === undefined) refuse(payload, WEB_URL_RULE);
    return url ?? "";
  }),
);

/** Spec: `installments`, "number of installments, sent as a string"; the range is not shown. */
const Installments = z.pipe(
  z.custom<number | string>(
    (value) =>
      (Number.isSafeInteger(value) && Number(value) > 0) ||
      (typeof value === "string" && /^[1-9]\d{0,14}$/.test(value)),
    createMessage("must be a whole number, one or more"),
  ),
  z.transform(String),
);

const NOT_A_TOKEN = "must be a card token";

/** Far above that of a JWT: finding a longer token in the text of an error takes too long. */
const TOKEN_MAX = 8_000;

/** Spec: `card.hash`. A card number is refused: card data must only be sent to be tokenized. */
const CardHash = z.pipe(
  z.custom<string | CardTokenLike>(
    (value) => typeof value === "string" || (typeof value === "object" && value !== null && "value" in value),
    createMessage(NOT_A_TOKEN),
  ),
  z.transform((token, payload): string => {
    const received: unknown = typeof token === "string" ? token : token.value;
    const hash = typeof received === "string" ? received : "";
    if (/^$|[\s"'<>{}]/.test(hash)) refuse(payload, NOT_A_TOKEN);
    else if (/^[sp]k_/.test(hash)) refuse(payload, `${NOT_A_TOKEN}, not a key`);
    else if (/^[\d./-]{12,}$/.test(hash)) refuse(payload, `${NOT_A_TOKEN}, not a card number`);
    else if (hash.length > TOKEN_MAX) refuse(payload, `${NOT_A_TOKEN}, of at most ${TOKEN_MAX} characters`);
    return hash;
  }),
);

/** Spec: "General rules", rule 2. */
const Amount = z.int(createMessage(CENTS)).check(z.positive(CENTS));

/** A card payment requires them. */
const COMMON_FIELDS = {
  externalRef: Reference,
  postbackUrl: PostbackUrl,
  traceable: flag,
  items: z.array(OrderItemBody, createMessage("must be an array")),
  ip: filledText,
  metadata: MetadataText,
};

/** What is sent for a pix. Spec: "POST /api/v1/transactions", rule 2. */
const PixRequest = strictObject({
  paymentMethod: z.literal("pix", createMessage('must be "pix"')),
  amount: Amount,
  customer: z.extend(CustomerBody, { phone: z.optional(filledText) }),
  ...z.partial(z.object(COMMON_FIELDS)).shape,
  pix: z.optional(strictObject({ expiresInDays: z.optional(OneOrMore("must be a whole number of days")) })),
});

/** What is sent for a card payment. Spec: "POST /api/v1/transactions", rule 1. */
const CardRequest = strictObject({
  paymentMethod: z.literal("credit_card", createMessage('must be "credit_card"')),
  amount: Amount,
  customer: CustomerBody,
  ...COMMON_FIELDS,
  installments: Installments,
  card: strictObject({ hash: CardHash }),
});

export type TransactionRequest = z.output<typeof PixRequest> | z.output<typeof CardRequest>;

const ONLY_ON_CARD = 'belongs to a card payment; use paymentMethod "credit_card" or createCard';
const CARD_DATA = "is card data: convert it to a token, and pass that as card.hash";

/** The parameters of a pix. */
const PIX: RequestShape<typeof PixRequest> = {
  schema: PixRequest,
  refused: { card: ONLY_ON_CARD, installments: ONLY_ON_CARD },
};

/** The parameters of a card payment. */
const CARD: RequestShape<typeof CardRequest> = {
  schema: CardRequest,
  refused: {
    pix: 'belongs to a pix; use paymentMethod "pix" or createPix',
    ...Object.fromEntries(CARD_FIELDS.map((name) => [`card.${name}`, CARD_DATA])),
  },
};

const Defaults = z.pick(PixRequest, { metadata: true, traceable: true, pix: true });

/** A checked copy of the defaults of a client. The error lists all problems. */
export function readDefaults(defaults: unknown = {}): CreateDefaults {
  const found: FoundIssue[] = [];
  const plain = snapshot(defaults, found);
  assertOption(isRecord(plain), "defaults must be an object.");
  const { data, error } = Defaults.safeParse(plain);
  for (const { code, path, message } of error?.issues ?? []) {
    if (code !== "unrecognized_keys") found.push({ path: path.map(String), message });
  }
  const pix = isRecord(plain["pix"]) ? plain["pix"] : {};
  const inPix = unknownOptions(pix, ["expiresInDays"]);
  const issues = [
    ...unknownOptions(plain, Object.keys(Defaults.shape)),
    ...inPix.map(({ field, message }) => ({ field: `pix.${field}`, message })),
    ...toIssues(found),
  ].map(({ field, message }) => ({ field: `defaults.${field}`, message }));
  if (data !== undefined && issues.length === 0) return withoutPrototype(data);
  throw new ConfigurationError(`${listIssues(issues)}.`, NOT_SENT);
}
