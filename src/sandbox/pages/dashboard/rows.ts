import type { TransactionPage, TransactionSummary } from "../../control/views.ts";

/** Number of rows that are loaded at a time, and shown initially. */
export const PAGE_SIZE = 100;

/** The loaded part of the list. */
export interface Rows extends TransactionPage {
  /** How many rows are shown, the newest first. */
  readonly shown: number;
}

/** Adds new transactions and replaces changed ones. */
export function merge<T extends TransactionPage>(page: T, changed: readonly TransactionSummary[]): T {
  const oldest = page.transactions.at(-1)?.id ?? 0;
  // Older ones belong to a page that is not loaded yet.
  const relevant = changed.filter(({ id }) => id >= oldest || !page.hasMore);
  return relevant.length === 0 ? page : { ...page, transactions: sort([...page.transactions, ...relevant]) };
}

/** Appends the next page. @param last id of the row before that page. */
export function append(rows: Rows, older: TransactionPage, last: number): Rows {
  const kept = rows.transactions.filter(({ id }) => id >= last);
  return {
    transactions: sort([...kept, ...older.transactions]),
    total: older.total,
    hasMore: older.hasMore,
    shown: kept.length + PAGE_SIZE,
  };
}

/** Newest first, without duplicates: the later entry wins. */
function sort(rows: readonly TransactionSummary[]): readonly TransactionSummary[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()].sort((a, b) => b.id - a.id);
}
