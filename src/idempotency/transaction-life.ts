import {
  GIVEN_BACK_STATUSES,
  TRANSITIONS,
  UNCHARGED_STATUSES,
  UNDECIDED_STATUSES,
} from "../spec/transitions.ts";
import type { TransactionStatus } from "../spec/values.ts";

/** What is said of a transaction, at some moment. */
export interface Report {
  readonly status: TransactionStatus;
  readonly rawStatus?: string;
  /** Cents. */
  readonly amount?: number;
}

/** Whether nobody is charged by a transaction, and nobody will be. */
export function isDead(status: TransactionStatus): boolean {
  return UNCHARGED_STATUSES.has(status);
}

/** Whether a transaction may still be paid. */
export function isUndecided(status: TransactionStatus): boolean {
  return UNDECIDED_STATUSES.has(status);
}

/** Whether a report is about money that was given back for a part of the amount: the rest is still paid. */
export function isOfAPart({ status, amount }: Report, whole: number | undefined): boolean {
  return amount !== undefined && whole !== undefined && amount < whole && GIVEN_BACK_STATUSES.has(status);
}

/** Whether a report is news of a transaction. */
export function isNews(known: Report, report: Report): boolean {
  if (report.status === "unrecognized" || isOfAPart(report, known.amount)) return false;
  if (known.status === "unrecognized") return true;
  // Whatever it was before it could be paid, it cannot be any more.
  const isOver = isUndecided(known.status) && isDead(report.status);
  return isOver || TRANSITIONS[known.status].advance.includes(report.status);
}

/** Of two reports of one transaction, the one from later in its life; where that is unclear, one that may charge. */
export function furtherOf(known: Report | undefined, answered: Report): Report {
  if (known === undefined || isNews(known, answered)) return answered;
  if (isNews(answered, known)) return known;
  return isDead(known.status) ? answered : known;
}
