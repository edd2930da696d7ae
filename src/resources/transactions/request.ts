import * as z from "zod/mini";
import type {
  CardTokenLike,
  CreateCardParams,
  CreateDefaults,
  CreatePixParams,
} from "../../contracts/transaction-params.ts";
import { bare, isRecord } from "../../data/own.ts";
import { referenceProblem, toWebUrl, WEB_URL_RULE } from "../../data/texts.ts";
import { type FoundIssue, type RequestShape, snapshot, validate } from "../../data/validate.ts";
import { unknownOptions } from "../../errors/check-options.ts";
import { listIssues, toIssues } from "../../errors/issue.ts";
import {
  CardTokenExpiredError,
  ConfigurationError,
  InvalidRequestError,
  type TokenExpiry,
} from "../../errors/usage-errors.ts";
import type { Call } from "../../http/call.ts";
import {
  CARD_TOKEN_LIFETIME_MS,
  CLOCK_TOLERANCE_MS,
  METADATA_MAX_BYTES,
  POSTBACK_TEXT_MAX,
} from "../../spec/limits.ts";
import { withoutPunctuation } from "../../spec/tax-id.ts";
import { DOCUMENT_LENGTHS, DOCUMENT_TYPES, PAYMENT_METHODS, type PaymentMethod } from "../../spec/values.ts";
import { CARD_FIELDS } from "../../tokenizer/card.ts";
import { claimsOf } from "../../tokenizer/token-claims.ts";
import { addExtraBody } from "./extra-body.ts";

/** A create call that is ready to be sent. */
export interface ReadyRequest {
  readonly request: TransactionRequest;
  /** {@link request} with the fields of `extraBody`. */
  readonly wire: Readonly<Record<string, unknown>>;
  /** {@link wire} as JSON text. */
  readonly body: string;
  /** Set if the card token is too old. With a store, the payment may have been sent while it was valid. */
  readonly expired: CardTokenExpiredError | undefined;
}

/** The settings of a client that its create calls need. */
export interface RequestSettings {
  /** The default for parameters without one. */
  readonly postbackUrl: string | undefined;
  /** The defaults of other parameters. */
  readonly defaults: CreateDefaults;
  /** Signed postback URLs need a reference. */
  readonly hasSigner: boolean;
  /** A store needs a reference, too. */
  readonly hasStore: boolean;
}

/**
 * Converts the parameters of a create call to what is sent.
 *
 * @param method - From the name of the method that was called; otherwise `params` has it.
 * @throws {InvalidRequestError} with all issues at once, those of the options included.
 * @throws {CardTokenExpiredError} if the token has expired and there is no store.
 */
export function toTransactionRequest(
  call: Call,
  params: unknown,
  method: PaymentMethod | undefined,
  settings: RequestSettings,
): ReadyRequest {
  const { extraBody, wait, issues: optionIssues } = call.options;
  const found: FoundIssue[] = [];
  const plain = readParams(params, method, settings, found);
  call.externalRef = typeof plain["externalRef"] === "string" ? plain["externalRef"] : undefined;
  const isCard = plain["paymentMethod"] === "credit_card";
  const checked = isCard ? validate(CARD, plain, found) : validate(PIX, plain, found);
  const issues = checked.ok ? [] : toIssues(checked.issues);
  let wire: Readonly<Plain> = checked.ok ? checked.value : plain;
  if (extraBody !== undefined) {
    const extra = addExtraBody(wire, extraBody, isCard ? CARD : PIX, isCard ? PIX : CARD);
    wire = extra.wire;
    issues.push(...toIssues(extra.issues));
  }
  if (wait !== undefined && !settings.hasStore) issues.push(WAIT_NEEDS_STORE);
  issues.push(...optionIssues);
  if (!checked.ok || issues.length > 0) throw new InvalidRequestError(issues, call.context("not_sent"));
  const request = bare(checked.value);
  const expired = isCard ? checkExpiry(call, plain["card"], settings) : undefined;
  return { request, wire, body: JSON.stringify(wire), expired };
}

const WAIT_NEEDS_STORE = { field: "options.wait", message: "needs a client with `idempotency`" };

type Plain = Record<string, unknown>;

function readParams(
  params: unknown,
  method: PaymentMethod | undefined,
  settings: RequestSettings,
  found: FoundIssue[],
): Plain {
  const plain = snapshot(params, found);
  if (!isRecord(plain)) {
    if (found.length === 0) found.push({ path: [], message: "must be an object" });
    return {};
  }
  const { hasSigner, hasStore } = settings;
  if (plain["paymentMethod"] === undefined && method !== undefined) plain["paymentMethod"] = method;
  applyDefaults(plain, settings);
  // A card payment always requires the reference.
  if (plain["paymentMethod"] === "pix" && plain["externalRef"] === undefined) {
    if (hasStore) found.push(NEEDED_BY_STORE);
    else if (hasSigner && plain["postbackUrl"] !== undefined) found.push(NEEDED_BY_SIGNER);
  }
  const allowed: readonly unknown[] = method === undefined ? PAYMENT_METHODS : [method];
  if (!allowed.includes(plain["paymentMethod"])) refuseMethod(plain, allowed, found);
  return plain;
}

function applyDefaults(plain: Plain, { postbackUrl, defaults }: RequestSettings): void {
  const { metadata, traceable, pix } = defaults;
  if (plain["postbackUrl"] === undefined && postbackUrl !== undefined) plain["postbackUrl"] = postbackUrl;
  if (plain["metadata"] === undefined && metadata !== undefined) plain["metadata"] = metadata;
  if (plain["traceable"] === undefined && traceable !== undefined) plain["traceable"] = traceable;
  if (plain["paymentMethod"] !== "pix" || pix === undefined) return;
  const { pix: given = {} } = plain;
  if (isRecord(given)) plain["pix"] = bare({ ...pix, ...given });
}

const NEEDED_BY_STORE: FoundIssue = {
  path: ["externalRef"],
  message: "is required, because the idempotency store identifies the payment by it",
};
const NEEDED_BY_SIGNER: FoundIssue = {
  path: ["externalRef"],
  message: "is required, because the signed postback URL contains it",
};

function refuseMethod(plain: Plain, allowed: readonly unknown[], found: FoundIssue[]): void {
  const message = `must be ${allowed.map((name) => `"${name}"`).join(" or ")}`;
  found.push({ path: ["paymentMethod"], message });
  // Without a known method, only the fields that both have are checked.
  for (const name of ["card", "installments", "pix"]) delete plain[name];
}

/** The error of a token that expired, which is thrown if there is no store; `undefined` if the token may be valid. */
function checkExpiry(
  call: Call,
  card: unknown,
  { hasStore }: RequestSettings,
): CardTokenExpiredError | undefined {
  const hash = isRecord(card) ? card["hash"] : undefined;
  const expiry = isRecord(hash) ? expiryOfToken(hash) : expiryOfText(hash);
  const expired = expiry && new CardTokenExpiredError(expiry, call.context("not_sent"));
  if (expired !== undefined && !hasStore) throw expired;
  return expired;
}

/** Does not check the class: the token may be from another copy of the package. */
function expiryOfToken({ expiresAt }: Record<string, unknown>): TokenExpiry | undefined {
  const hasExpired = expiresAt instanceof Date && expiresAt.getTime() <= Date.now();
  return hasExpired ? { expiredAt: expiresAt, clock: "machine" } : undefined;
}

/** A token is valid for five minutes after `iat`, even if `exp` is later. Spec: "POST /api/v1/transactions", rule 3. */
function expiryOfText(hash: unknown): TokenExpiry | undefined {
  const { iat, exp = Infinity } = typeof hash === "string" ? claimsOf(hash) : {};
  const expiresAt = Math.min(exp, (iat ?? Infinity) + CARD_TOKEN_LIFETIME_MS / 1000) * 1000;
  // The clocks of this machine and of the service may differ.
  if (!(expiresAt + CLOCK_TOLERANCE_MS < Date.now())) return undefined;
  const issuedAt = iat === undefined ? undefined : new Date(iat * 1000);
  return { expiredAt: new Date(expiresAt), clock: "service", issuedAt };
}

/** Creates a message that distinguishes a missing value from a wrong one, and never shows the value. */
function createMessage(message: string): { error: (problem: { readonly input?: unknown }) => string } {
  return { error: (problem) => (problem.input === undefined ? "is required" : message) };
}

const CENTS = "must be a whole number of cents above zero, such as 1990 for R$ 19,90";

const filledText = z.string(createMessage("must be a string")).check(z.regex(/\S/, "must not be empty"));

/** No longer than the reference of a postback, so that each postback can be matched. */
const Reference = filledText.check(
  (payload) => {
    const message = referenceProblem(payload.value);
    if (message !== undefined) payload.issues.push({ code: "custom", message, input: payload.value });
  },
  z.maxLength(POSTBACK_TEXT_MAX.externalRef, `must have at most ${POSTBACK_TEXT_MAX.externalRef} characters`),
);

export function isReference(value: unknown): value is string {
  return Reference.safeParse(value).success;
}

/** Spec: "General rules", rule 2. */
const Cents = z.int(createMessage(CENTS)).check(z.positive(CENTS));

/** Spec: `customer.document`. Letters are kept: `\D` would turn one CNPJ into another. */
const CustomerDocumentBody = z.pipe(
  z.object(
    {
      type: z.enum(DOCUMENT_TYPES, createMessage('must be "cpf" or "cnpj"')),
      number: z.string(createMessage("must be a string")),
    },
    createMessage("must be an object"),
  ),
  z.transform((document, payload) => {
    const number = withoutPunctuation(document.number);
    const places = DOCUMENT_LENGTHS[document.type];
    // Checked before it is upper-cased, which would convert a dotless i to an I.
    const allowed = document.type === "cpf" ? /^\d*$/ : /^[\dA-Za-z]*$/;
    if (number.length !== places || !allowed.test(number)) {
      const what = document.type === "cpf" ? "11 digits" : "14 digits or, since July 2026, letters";
      payload.issues.push({
        code: "custom",
        path: ["number"],
        message: `must have ${what}`,
        input: document,
      });
    }
    return { type: document.type, number: number.toUpperCase() };
  }),
);

const CustomerBody = z.object(
  {
    name: filledText,
    email: filledText.check(z.regex(/^\S+@\S+$/, "must be an e-mail address")),
    phone: filledText,
    document: CustomerDocumentBody,
  },
  createMessage("must be an object"),
);

/** Spec: "Order item". */
const OrderItemBody = z.object(
  {
    title: filledText,
    unitPrice: z
      .int(createMessage("must be a whole number of cents"))
      .check(z.nonnegative("must not be negative")),
    quantity: z.int(createMessage("must be a whole number")).check(z.positive("must be one or more")),
    tangible: z.boolean(createMessage("must be true or false")),
    product_image: z.optional(z.string(createMessage("must be a string"))),
  },
  createMessage("must be an object"),
);

/** Spec: `metadata`, "additional data as a JSON-encoded string". */
const MetadataText = z.pipe(
  z.custom<string | object>(
    (value) => typeof value === "string" || (typeof value === "object" && value !== null),
    createMessage("must be an object, or a string of JSON"),
  ),
  z.transform((value, payload): string => {
    const text = typeof value === "string" ? value : toJson(value);
    if (text === undefined) {
      payload.issues.push({ code: "custom", message: "cannot be written as JSON", input: value });
    } else if (!fitsInto(METADATA_MAX_BYTES, text)) {
      payload.issues.push({
        code: "custom",
        message: `must be at most ${METADATA_MAX_BYTES} bytes`,
        input: value,
      });
    }
    return text ?? "";
  }),
);

/** A UTF-16 unit is at most three bytes of UTF-8, so most texts need not be encoded to measure them. */
function fitsInto(bytes: number, text: string): boolean {
  return text.length * 3 <= bytes || new TextEncoder().encode(text).length <= bytes;
}

function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

const PostbackUrl = z.pipe(
  z.string(createMessage("must be a string")),
  z.transform((value, payload): string => {
    const url = toWebUrl(value);
    if (url === undefined) payload.issues.push({ code: "custom", message: WEB_URL_RULE, input: "" });
    return url ?? "";
  }),
);

/** Spec: `installments`, "number of installments, sent as a string"; the range is not shown. */
const Installments = z.pipe(
  z.custom<number | string>(
    (value) =>
      typeof value === "number"
        ? Number.isSafeInteger(value) && value > 0
        : typeof value === "string" && /^[1-9]\d{0,14}$/.test(value),
    createMessage("must be a whole number, one or more"),
  ),
  z.transform((value) => String(value)),
);

const NOT_A_TOKEN = "must be a card token";

/** Spec: `card.hash`. A card number is refused: card data must only be sent to be tokenized. */
const CardHash = z.pipe(
  z.custom<string | CardTokenLike>(
    (value) => typeof value === "string" || (typeof value === "object" && value !== null && "value" in value),
    createMessage(NOT_A_TOKEN),
  ),
  z.transform((token, payload): string => {
    const text: unknown = typeof token === "string" ? token : token.value;
    const problem = typeof text === "string" ? problemWithToken(text) : NOT_A_TOKEN;
    if (problem !== undefined) payload.issues.push({ code: "custom", message: problem, input: "" });
    return typeof text === "string" ? text : "";
  }),
);

function problemWithToken(text: string): string | undefined {
  if (/^$|[\s"'<>{}]/.test(text)) return NOT_A_TOKEN;
  if (/^[sp]k_/.test(text)) return "must be a card token, not a key";
  return /^[\d./-]{12,}$/.test(text) ? "must be a card token, not a card number" : undefined;
}

const ExpiresInDays = z
  .int(createMessage("must be a whole number of days"))
  .check(z.positive("must be one or more"));

const flag = z.boolean(createMessage("must be true or false"));
const items = z.array(OrderItemBody, createMessage("must be an array"));

/** What is sent for a pix. Spec: "POST /api/v1/transactions", rule 2. */
const PixRequest = z.object(
  {
    paymentMethod: z.literal("pix", createMessage('must be "pix"')),
    amount: Cents,
    customer: z.extend(CustomerBody, { phone: z.optional(filledText) }),
    externalRef: z.optional(Reference),
    postbackUrl: z.optional(PostbackUrl),
    traceable: z.optional(flag),
    items: z.optional(items),
    ip: z.optional(filledText),
    metadata: z.optional(MetadataText),
    pix: z.optional(
      z.object({ expiresInDays: z.optional(ExpiresInDays) }, createMessage("must be an object")),
    ),
  },
  createMessage("must be an object"),
);

const Defaults = z.pick(PixRequest, { metadata: true, traceable: true, pix: true });

/**
 * A checked copy of the defaults of a client.
 *
 * @throws {ConfigurationError} that lists all problems.
 */
export function readDefaults(defaults: unknown = {}): CreateDefaults {
  const found: FoundIssue[] = [];
  const plain = snapshot(defaults, found);
  if (!isRecord(plain)) throw new ConfigurationError("defaults must be an object.");
  const { data, error } = Defaults.safeParse(plain);
  for (const { path, message } of error?.issues ?? []) found.push({ path: path.map(String), message });
  const pix = isRecord(plain["pix"]) ? plain["pix"] : {};
  const issues = [
    ...unknownOptions(plain, Object.keys(Defaults.shape)),
    ...unknownOptions(pix, ["expiresInDays"]).map((issue) => ({ ...issue, field: `pix.${issue.field}` })),
    ...toIssues(found),
  ];
  if (data !== undefined && issues.length === 0) return bare(data);
  throw new ConfigurationError(
    `${listIssues(issues.map((issue) => ({ ...issue, field: `defaults.${issue.field}` })))}.`,
  );
}

/** What is sent for a card payment. Spec: "POST /api/v1/transactions", rule 1. */
const CardRequest = z.object(
  {
    paymentMethod: z.literal("credit_card", createMessage('must be "credit_card"')),
    amount: Cents,
    customer: CustomerBody,
    externalRef: Reference,
    postbackUrl: PostbackUrl,
    traceable: flag,
    items,
    ip: filledText,
    metadata: MetadataText,
    installments: Installments,
    card: z.object({ hash: CardHash }, createMessage("must be an object")),
  },
  createMessage("must be an object"),
);

export type TransactionRequest = z.output<typeof PixRequest> | z.output<typeof CardRequest>;

/** The names of parameters, including the nested ones that the specification lists. */
type FieldsOf<Params> = {
  readonly [Name in keyof Required<Params>]: NonNullable<Params[Name]> extends readonly (infer Entry)[]
    ? readonly [FieldsOf<Entry>]
    : Name extends "customer" | "document" | "pix"
      ? FieldsOf<NonNullable<Params[Name]>>
      : Name extends "card"
        ? { readonly hash: true }
        : true;
};

const DOCUMENT_FIELDS = { type: true, number: true } as const;
const COMMON_FIELDS = {
  paymentMethod: true,
  amount: true,
  customer: { name: true, email: true, phone: true, document: DOCUMENT_FIELDS },
  externalRef: true,
  postbackUrl: true,
  traceable: true,
  items: [{ title: true, unitPrice: true, quantity: true, tangible: true, product_image: true }],
  ip: true,
  metadata: true,
} as const;
const PIX_FIELDS: FieldsOf<CreatePixParams> = { ...COMMON_FIELDS, pix: { expiresInDays: true } };
const CARD_PAYMENT_FIELDS: FieldsOf<CreateCardParams> = {
  ...COMMON_FIELDS,
  installments: true,
  card: { hash: true },
};

const ONLY_ON_CARD = 'belongs to a card payment; use paymentMethod "credit_card" or createCard';
const CARD_DATA = "is card data: convert it to a token, and pass that as card.hash";

/** The parameters of a pix. */
const PIX: RequestShape<typeof PixRequest> = {
  schema: PixRequest,
  fields: PIX_FIELDS,
  refused: { card: ONLY_ON_CARD, installments: ONLY_ON_CARD },
};

/** The parameters of a card payment. */
const CARD: RequestShape<typeof CardRequest> = {
  schema: CardRequest,
  fields: CARD_PAYMENT_FIELDS,
  refused: {
    pix: 'belongs to a pix; use paymentMethod "pix" or createPix',
    ...Object.fromEntries(CARD_FIELDS.map((name) => [`card.${name}`, CARD_DATA])),
  },
};
