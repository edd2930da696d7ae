/**
 * Every closed list of values of the service.
 *
 * Spec: "Resources and their fields", "States and transitions" and "Events".
 */

/** A known value, or a value that the service may add. Editors suggest the known values. */
export type OpenEnum<Value extends string> = Value | (string & {});

/** Spec: "What the service does". `boleto` is only a flag of the company; debit cards are not supported. */
export const PAYMENT_METHODS = ["credit_card", "pix"] as const;

/**
 * How a payment is made.
 *
 * @useDeclaredType
 */
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

/**
 * Fields of a pix that the endpoint's table requires and the pix guide calls optional: see `pix-fields` in
 * docs/specification.md. Spec: "POST /api/v1/transactions".
 */
export const CONTESTED_PIX_FIELDS = [
  "customer.phone",
  "externalRef",
  "postbackUrl",
  "traceable",
  "items",
  "ip",
  "metadata",
  "pix.expiresInDays",
] as const;

/** Spec: "POST /api/v1/transactions", `customer.document.type`. */
export const DOCUMENT_TYPES = ["cpf", "cnpj"] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];

/** Length of a document number, by Brazilian law. The specification says "digits only". */
export const DOCUMENT_LENGTHS: Readonly<Record<DocumentType, number>> = { cpf: 11, cnpj: 14 };

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
