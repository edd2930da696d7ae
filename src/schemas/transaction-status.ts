import { STATUS_ALIASES, TRANSACTION_STATUSES, type TransactionStatus } from "../spec/values.ts";

const KNOWN: ReadonlyMap<string, TransactionStatus> = new Map([
  ...TRANSACTION_STATUSES.map((status) => [status, status] as const),
  ...STATUS_ALIASES,
]);

/**
 * The status that a text of the service stands for, whatever its case; `unrecognized` for one that is
 * not known, so that nothing is ever taken for paid by accident.
 */
export function readStatus(rawStatus: string | undefined): TransactionStatus {
  return KNOWN.get(rawStatus?.toLowerCase() ?? "") ?? "unrecognized";
}
