import { DOCUMENT_PLACES, DOCUMENT_TYPES, type DocumentType, PAYMENT_METHODS } from "../spec/values.ts";
import type { CardTokens } from "./card-tokens.ts";
import { isWithinLimits, type SandboxCompany } from "./company.ts";
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
  type Rule,
  required,
  text,
} from "./wire-rules.ts";

/** What the rules depend on besides the body. */
export interface TransactionRulesContext {
  readonly pixFields: "guide" | "endpoint";
  readonly outsideLimits: "refused" | "validation";
  readonly alphanumericCnpj: boolean;
  readonly company: SandboxCompany;
  readonly cardTokens: Pick<CardTokens, "problemWith">;
}

/** Every problem of a create-transaction body. Spec: "POST /api/v1/transactions". */
export function transactionProblems(body: unknown, context: TransactionRulesContext): readonly Problem[] {
  const method = isJsonObject(body) ? body["paymentMethod"] : undefined;
  const isCard = method === "credit_card";
  const isPix = method === "pix";
  const listed = isCard || (isPix && context.pixFields === "endpoint") ? required : optional;
  const methodFields = isCard ? cardFields(context) : isPix ? pixFields(context) : {};

  return object({
    paymentMethod: required(paymentMethod(context.company)),
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

function cardFields({ cardTokens }: TransactionRulesContext): FieldRules {
  return {
    installments: required(installments),
    card: group({ hash: required(cardToken(cardTokens)) }),
    pix: forbidden("Is not sent on a credit card"),
  };
}

function pixFields({ pixFields }: TransactionRulesContext): FieldRules {
  return {
    card: forbidden("Is not sent on a pix"),
    pix:
      pixFields === "endpoint"
        ? group({ expiresInDays: required(days) })
        : optional(object({ expiresInDays: optional(days) })),
  };
}

function paymentMethod({ paymentMethods }: SandboxCompany): Rule {
  const known = oneOf(PAYMENT_METHODS);
  return (value, field) => {
    const problems = known(value, field);
    const disabled =
      (value === "pix" && !paymentMethods.pix) || (value === "credit_card" && !paymentMethods.credit_card);
    return disabled ? [{ field, message: "Is not enabled for this company" }] : problems;
  };
}

/** Limits are judged here only where they are a matter of validation; else the card is refused later. */
function amount({ company, outsideLimits }: TransactionRulesContext, isPix: boolean): Rule {
  const cents = integer(1, "Must be a whole number of cents, 1 or more");
  const { transactionMinAmount: min, transactionMaxAmount: max } = company.limits;
  const withinLimits = must(`Must be from ${min} to ${max} cents, the limits of the company`, (value) =>
    isWithinLimits(Number(value), company),
  );
  return (value, field) => {
    const problems = cents(value, field);
    const limitsApply = isPix || outsideLimits === "validation";
    return problems.length === 0 && limitsApply ? withinLimits(value, field) : problems;
  };
}

function customer(context: TransactionRulesContext, listed: (rule: Rule) => FieldRule): Rule {
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

function documentNumber({ alphanumericCnpj }: TransactionRulesContext, type: unknown): Rule {
  if (type === "cnpj" && alphanumericCnpj) {
    return matching(/^[0-9A-Z]{12}\d{2}$/, "Must be 12 digits or capital letters and 2 digits for a cnpj");
  }
  const known = DOCUMENT_TYPES.find((name): name is DocumentType => name === type);
  if (known === undefined) return matching(/^\d+$/, "Must be digits only");
  const places = DOCUMENT_PLACES[known];
  return matching(new RegExp(`^\\d{${places}}$`), `Must be ${places} digits only for a ${known}`);
}

function cardToken(tokens: TransactionRulesContext["cardTokens"]): Rule {
  return (value, field) => {
    const problems = text(value, field);
    if (problems.length > 0) return problems;
    const message = tokens.problemWith(String(value));
    return message === undefined ? [] : [{ field, message }];
  };
}

/** Spec: "Order item". */
const item = object({
  title: required(text),
  unitPrice: required(integer(0, "Must be a whole number of cents, 0 or more")),
  quantity: required(integer(1, "Must be a whole number, 1 or more")),
  tangible: required(flag),
  product_image: optional(anyText),
});

/** Its range is not shown, so that only what is no number at all is refused. */
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

const jsonText = must("Must be a JSON-encoded string", (value) => {
  if (typeof value !== "string") return false;
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
});
