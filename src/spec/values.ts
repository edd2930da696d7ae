/**
 * Every closed list of values of the service.
 *
 * Spec: "Resources and their fields", "States and transitions" and "Events".
 */

/** One of the known values, or another one that the service may add. Editors suggest the known ones. */
export type OpenEnum<Value extends string> = Value | (string & {});

/** Spec: "What the service does". `boleto` is only a flag of the company; debit cards are not supported. */
export const PAYMENT_METHODS = ["credit_card", "pix"] as const;

/**
 * How a payment is made.
 *
 * @useDeclaredType
 */
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

/** Spec: "States and transitions". `cancelled` is also spelled `canceled`. */
export const TRANSACTION_STATUSES = [
  "pending",
  "processing",
  "approved",
  "refused",
  "cancelled",
  "expired",
  "refunded",
  "chargedback",
] as const;

/** Every spelling of a status in the specification, `canceled` of a pix included. */
export const SPELLED_STATUSES: ReadonlySet<string> = new Set([...TRANSACTION_STATUSES, "canceled"]);

/**
 * A status of the specification, or `unrecognized` for any other text.
 *
 * Spec: "States and transitions".
 *
 * @useDeclaredType
 */
export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number] | "unrecognized";

/**
 * Other spellings that are read as a status: `canceled`, which the specification uses too, and those that
 * similar gateways send.
 */
const STATUS_ALIASES: ReadonlyMap<string, TransactionStatus> = new Map([
  ["canceled", "cancelled"],
  ["paid", "approved"],
  ["chargeback", "chargedback"],
  ["waiting_payment", "pending"],
]);

/** Spec: "POST /api/v1/transactions", `customer.document.type`. */
export const DOCUMENT_TYPES = ["cpf", "cnpj"] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];

/** Length of a document number, by Brazilian law. The specification says "digits only". */
export const DOCUMENT_PLACES: Readonly<Record<DocumentType, number>> = { cpf: 11, cnpj: 14 };

/** Spec: "Company", `status`. */
export const COMPANY_STATUSES = ["active", "pending", "suspended", "inactive"] as const;

/** Spec: "Service status". */
export const SERVICE_STATUSES = ["online", "degraded"] as const;
export const COMPONENT_STATUSES = ["online", "degraded", "offline"] as const;
export const COMPONENTS = ["gateway", "database", "tokenizer", "notifications"] as const;
export const ENVIRONMENTS = ["production", "sandbox"] as const;

/** Spec: "Seller (list entry)", `status`. */
export const SELLER_STATUSES = ["active", "inactive", "pending", "blocked"] as const;

/** Spec: "Configurable event names". The cancellation is spelled with one `l` here. */
export const EVENT_NAMES = [
  "transaction.approved",
  "transaction.refused",
  "transaction.refunded",
  "transaction.chargedback",
  "transaction.canceled",
] as const;

/** Spec: "Authentication", rule 1. */
export const SECRET_KEY_PREFIX = "sk_";
export const PUBLIC_KEY_PREFIX = "pk_";

const STATUS_BY_TEXT: ReadonlyMap<string, TransactionStatus> = new Map([
  ...TRANSACTION_STATUSES.map((status) => [status, status] as const),
  ...STATUS_ALIASES,
]);

/**
 * Converts a status as the service sends it, in upper or lower case. An unknown or missing text is
 * `unrecognized`, so that it can never be mistaken for paid.
 */
export function readStatus(rawStatus: string | undefined): TransactionStatus {
  return STATUS_BY_TEXT.get(rawStatus?.toLowerCase() ?? "") ?? "unrecognized";
}
