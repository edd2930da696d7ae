import { DOCUMENT_LENGTHS, DOCUMENT_TYPES, type DocumentType, PAYMENT_METHODS } from "../../spec/values.ts";
import {
  anyText,
  type FieldRule,
  type FieldRules,
  flag,
  forbidden,
  group,
  integer,
  isJsonObject,
  list,
  matching,
  must,
  object,
  oneOf,
  optional,
  type Problem,
  parseJson,
  type Rule,
  refined,
  required,
  text,
} from "../body-rules.ts";
import type { CardTokens } from "../cards/issued-tokens.ts";
import type { GatewaySettings } from "../gateway-options.ts";
import { isWithinLimits } from "../sandbox-company.ts";
import type { SandboxTransaction } from "./sandbox-transaction.ts";

/** The fields of a create-transaction body that both methods have. Spec: "POST /api/v1/transactions". */
interface RequestBase extends Pick<SandboxTransaction, "amount" | "items" | "metadata"> {
  readonly customer: Omit<SandboxTransaction["customer"], "externalRef">;
  readonly externalRef?: string;
  readonly postbackUrl?: string;
  readonly traceable?: boolean;
}

export interface CardTransactionRequest extends RequestBase {
  readonly paymentMethod: "credit_card";
  readonly installments: string;
  readonly card: { readonly hash: string };
}

export interface PixTransactionRequest extends RequestBase {
  readonly paymentMethod: "pix";
  readonly pix?: { readonly expiresInDays?: number };
}

/** A body that {@link validateTransaction} accepts. */
export type TransactionRequest = CardTransactionRequest | PixTransactionRequest;

export interface ValidationContext extends GatewaySettings {
  readonly cardTokens: CardTokens;
}

/** Returns all problems of a create-transaction body. Spec: "POST /api/v1/transactions". */
export function validateTransaction(body: unknown, context: ValidationContext): readonly Problem[] {
  const method = isJsonObject(body) ? body["paymentMethod"] : undefined;
  const isCard = method === "credit_card";
  const isPix = method === "pix";
  const listed = isCard || (isPix && context.pixFields === "endpoint") ? required : optional;
  const methodFields = isCard ? cardFields(context) : isPix ? pixFields(context) : {};

  return object({
    paymentMethod: required(paymentMethod(context)),
    amount: required(amount(context, isPix)),
    customer: required(customer(context, listed)),
    externalRef: listed(text),
    postbackUrl: listed(webUrl),
    traceable: listed(flag),
    items: listed(list(item)),
    ip: listed(text),
    metadata: listed(jsonText),
    ...methodFields,
  })(body, "");
}

function cardFields({ cardTokens }: ValidationContext): FieldRules {
  return {
    installments: required(installments),
    card: group({ hash: required(refined(text, (token) => cardTokens.problemWith(String(token)))) }),
    pix: forbidden("Is not allowed for a credit card"),
  };
}

function pixFields({ pixFields }: ValidationContext): FieldRules {
  return {
    card: forbidden("Is not allowed for a pix"),
    installments: forbidden("Is not allowed for a pix"), // it belongs to a card by rule 1, although rule 2 names only `card`
    pix:
      pixFields === "endpoint"
        ? group({ expiresInDays: required(days) })
        : optional(object({ expiresInDays: optional(days) })),
  };
}

/**
 * A company that must not pay is reported here, too: no field of the request is wrong, and for such a company no
 * payment method is enabled.
 */
function paymentMethod({ company, suspendedPays }: ValidationContext): Rule {
  const { paymentMethods, status } = company;
  return refined(oneOf(PAYMENT_METHODS), (value) => {
    if (!suspendedPays && status !== "active") return `The company is ${status}`;
    const isEnabled = value === "pix" ? paymentMethods.pix : paymentMethods.credit_card;
    return isEnabled ? undefined : "Is not enabled for this company";
  });
}

/** An amount outside the limits that is to be refused with a 201 is valid here. */
function amount({ company, outsideLimits }: ValidationContext, isPix: boolean): Rule {
  const limitsApply = isPix ? outsideLimits !== "refused" : outsideLimits === "validation";
  const { transactionMinAmount: min, transactionMaxAmount: max } = company.limits;
  return refined(integer(1, "Must be a whole number of cents, 1 or more"), (value) =>
    limitsApply && !isWithinLimits(Number(value), company)
      ? `Must be from ${min} to ${max} cents, the limits of the company`
      : undefined,
  );
}

function customer(context: ValidationContext, listed: (rule: Rule) => FieldRule): Rule {
  return object({
    name: required(text),
    email: required(text),
    phone: listed(text),
    document: group({
      type: required(oneOf(DOCUMENT_TYPES)),
      number: (owner, key, field) => required(documentNumber(context, owner["type"]))(owner, key, field),
    }),
  });
}

function documentNumber({ alphanumericCnpj }: ValidationContext, type: unknown): Rule {
  if (type === "cnpj" && alphanumericCnpj) {
    return matching(/^[0-9A-Z]{12}\d{2}$/, "Must be 12 digits or capital letters and 2 digits for a cnpj");
  }
  const known = DOCUMENT_TYPES.find((name): name is DocumentType => name === type);
  if (known === undefined) return matching(/^\d+$/, "Must be digits only");
  const length = DOCUMENT_LENGTHS[known];
  return matching(new RegExp(`^\\d{${length}}$`), `Must be ${length} digits only for a ${known}`);
}

/** Spec: "Order item". */
const item = object({
  title: required(text),
  unitPrice: required(integer(0, "Must be a whole number of cents, 0 or more")),
  quantity: required(integer(1, "Must be a whole number, 1 or more")),
  tangible: required(flag),
  product_image: optional(anyText),
});

/** The range is not shown, so every positive integer is accepted. */
const installments = must(
  "Must be a number of installments as a string, such as '1'",
  (value) => typeof value === "string" && /^[1-9]\d*$/.test(value) && Number.isSafeInteger(Number(value)),
);

/** No upper bound: larger values are reduced. Spec: "Limits". */
const days = integer(1, "Must be a whole number of days, 1 or more");

const webUrl = must(
  "Must be an absolute http or https URL",
  (value) => typeof value === "string" && /^https?:\/\//i.test(value) && URL.canParse(value),
);

const jsonText = must(
  "Must be a JSON-encoded string",
  (value) => typeof value === "string" && parseJson(value) !== undefined,
);
