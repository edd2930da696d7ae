import * as z from "zod/mini";
import type { ForeignNames } from "../../data/known-names.ts";
import { say } from "../../data/message.ts";
import { isRecord } from "../../data/own.ts";
import { referenceProblem } from "../../data/reference.ts";
import { isWebUrl } from "../../data/url.ts";
import { METADATA_MAX_BYTES, POSTBACK_TEXT_MAX } from "../../spec/limits.ts";
import { DOCUMENT_PLACES, DOCUMENT_TYPES } from "../../spec/values.ts";
import { CARD_FIELDS } from "../../tokenizer/card.ts";
import type { CardTokenLike, CreateCardParams, CreatePixParams } from "./params.ts";

const CENTS = "must be a whole number of cents above zero, such as 1990 for R$ 19,90";

/** Text that is more than spaces. */
const filledText = z
  .string(say("must be a string"))
  .check(z.refine((value: string) => value.trim() !== "", "must not be empty"));

/** Its postbacks carry it, and are read no further. */
const Reference = filledText.check(
  (payload) => {
    const message = referenceProblem(payload.value);
    if (message !== undefined) payload.issues.push({ code: "custom", message, input: payload.value });
  },
  z.maxLength(POSTBACK_TEXT_MAX.externalRef, `must have at most ${POSTBACK_TEXT_MAX.externalRef} characters`),
);

/** An amount to charge. Spec: "General rules", rule 2. */
const Cents = z.int(say(CENTS)).check(z.positive(CENTS));

/** Spec: `customer.document`. Letters are kept: `\D` would turn one CNPJ into another. */
const CustomerDocumentBody = z.pipe(
  z.object(
    {
      type: z.enum(DOCUMENT_TYPES, say('must be "cpf" or "cnpj"')),
      number: z.string(say("must be a string")),
    },
    say("must be an object"),
  ),
  z.transform((document, payload) => {
    const number = document.number.replaceAll(/[.\-/\s]/g, "");
    const places = DOCUMENT_PLACES[document.type];
    // Looked at before it is upper-cased, which makes an I of a dotless i.
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
  say("must be an object"),
);

/** Spec: "Order item". */
const OrderItemBody = z.object(
  {
    title: filledText,
    unitPrice: z.int(say("must be a whole number of cents")).check(z.nonnegative("must not be negative")),
    quantity: z.int(say("must be a whole number")).check(z.positive("must be one or more")),
    tangible: z.boolean(say("must be true or false")),
    product_image: z.optional(z.string(say("must be a string"))),
  },
  say("must be an object"),
);

/** Spec: `metadata`, "additional data as a JSON-encoded string". */
const MetadataText = z.pipe(
  z.custom<string | Record<string, unknown>>(
    (value) => typeof value === "string" || isRecord(value),
    say("must be an object, or a string of JSON"),
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

/** A UTF-16 unit is three bytes of UTF-8 at most, so that most texts need not be encoded to be measured. */
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

const PostbackUrl = z
  .string(say("must be a string"))
  .check(z.refine((url: string) => isWebUrl(url), "must be an absolute URL"));

/** Spec: `installments`, "number of installments, sent as a string"; the range is not shown. */
const Installments = z.pipe(
  z.custom<number | string>(
    (value) =>
      typeof value === "number"
        ? Number.isSafeInteger(value) && value > 0
        : typeof value === "string" && /^[1-9]\d{0,14}$/.test(value),
    say("must be a whole number, one or more"),
  ),
  z.transform((value) => String(value)),
);

const NOT_A_TOKEN = "must be a card token";

/** Spec: `card.hash`. A number of a card in its place would send card data where it must not go. */
const CardHash = z.pipe(
  z.custom<string | CardTokenLike>(
    (value) => typeof value === "string" || (typeof value === "object" && value !== null && "value" in value),
    say(NOT_A_TOKEN),
  ),
  z.transform((token, payload): string => {
    const text: unknown = typeof token === "string" ? token : token.value;
    const problem = typeof text === "string" ? problemOfToken(text) : NOT_A_TOKEN;
    if (problem !== undefined) payload.issues.push({ code: "custom", message: problem, input: "" });
    return typeof text === "string" ? text : "";
  }),
);

function problemOfToken(text: string): string | undefined {
  if (/^$|[\s"'<>{}]/.test(text)) return NOT_A_TOKEN;
  if (/^[sp]k_/.test(text)) return "must be a card token, not a key";
  return /^[\d./-]{12,}$/.test(text) ? "must be a card token, not the number of a card" : undefined;
}

const ExpiresInDays = z.int(say("must be a whole number of days")).check(z.positive("must be one or more"));

const flag = z.boolean(say("must be true or false"));
const items = z.array(OrderItemBody, say("must be an array"));

/** What goes on the wire for a pix. Spec: "POST /api/v1/transactions", rule 2. */
export const PixRequest = z.object(
  {
    paymentMethod: z.literal("pix", say('must be "pix"')),
    amount: Cents,
    customer: z.extend(CustomerBody, { phone: z.optional(filledText) }),
    externalRef: z.optional(Reference),
    postbackUrl: z.optional(PostbackUrl),
    traceable: z.optional(flag),
    items: z.optional(items),
    ip: z.optional(filledText),
    metadata: z.optional(MetadataText),
    pix: z.optional(z.object({ expiresInDays: z.optional(ExpiresInDays) }, say("must be an object"))),
  },
  say("must be an object"),
);

/** What goes on the wire for a card. Spec: "POST /api/v1/transactions", rule 1. */
export const CardRequest = z.object(
  {
    paymentMethod: z.literal("credit_card", say('must be "credit_card"')),
    amount: Cents,
    customer: CustomerBody,
    externalRef: Reference,
    postbackUrl: PostbackUrl,
    traceable: flag,
    items,
    ip: filledText,
    metadata: MetadataText,
    installments: Installments,
    card: z.object({ hash: CardHash }, say("must be an object")),
  },
  say("must be an object"),
);

export type PixRequest = z.output<typeof PixRequest>;
export type CardRequest = z.output<typeof CardRequest>;
export type TransactionRequest = PixRequest | CardRequest;

/** Names of the one method that are refused on the other. */
export const FOREIGN_TO_PIX: ForeignNames = {
  card: 'belongs to a card payment; use paymentMethod "credit_card" or createCard',
  installments: 'belongs to a card payment; use paymentMethod "credit_card" or createCard',
};
const CARD_DATA = "is card data: make a token of it, and give that as card.hash";
export const FOREIGN_TO_CARD: ForeignNames = {
  pix: 'belongs to a pix; use paymentMethod "pix" or createPix',
  ...Object.fromEntries(CARD_FIELDS.map((name) => [`card.${name}`, CARD_DATA])),
};

type Wire<Params> = { [Key in keyof Params]: unknown };
/** Fails to compile where the documented parameters and the schemas name different fields. */
type SameNames<One, Other> = [keyof One, keyof Other] extends [keyof Other, keyof One] ? true : never;
const documented: [
  SameNames<Wire<CreatePixParams>, PixRequest>,
  SameNames<Wire<CreateCardParams>, CardRequest>,
] = [true, true];
void documented;
