/**
 * The statuses of a transaction, and how the spellings of the service are read: `canceled` becomes `cancelled`.
 *
 * Spec: "States and transitions".
 */

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

/** Whether a stored or passed value is a {@link TransactionStatus}. */
export function isTransactionStatus(value: unknown): value is TransactionStatus {
  return value === "unrecognized" || TRANSACTION_STATUSES.some((status) => status === value);
}

/** By every spelling that is read as a status, in lower case; the last three are of similar gateways. */
export const STATUS_BY_TEXT: ReadonlyMap<string, TransactionStatus> = new Map([
  ...TRANSACTION_STATUSES.map((status) => [status, status] as const),
  ["canceled", "cancelled"],
  ["paid", "approved"],
  ["chargeback", "chargedback"],
  ["waiting_payment", "pending"],
]);

/**
 * Converts a status as the service sends it, in upper or lower case. An unknown or missing text is
 * `unrecognized`, so that it can never be mistaken for paid.
 */
export function toTransactionStatus(rawStatus: string | undefined): TransactionStatus {
  return STATUS_BY_TEXT.get(rawStatus?.toLowerCase() ?? "") ?? "unrecognized";
}
