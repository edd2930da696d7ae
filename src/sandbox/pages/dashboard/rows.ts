import type { TransactionPage, TransactionSummary } from "../../control/views.ts";

/** Rows that are asked for at once, and that show until more are asked for. */
export const PAGE = 100;

/** What the page knows of the list. */
export interface Rows extends TransactionPage {
  /** How many show; newer ones push older ones out. */
  readonly shown: number;
}

/** New states in the place of old ones; new transactions where their id belongs. */
export function merged<T extends TransactionPage>(page: T, changed: readonly TransactionSummary[]): T {
  const oldest = page.transactions.at(-1)?.id ?? 0;
  // An older one is on a page that was not asked for yet.
  const known = changed.filter(({ id }) => id >= oldest || !page.hasMore);
  return known.length === 0 ? page : { ...page, transactions: sorted([...page.transactions, ...known]) };
}

/** A list with the next page below it. @param last the id of the row that the page comes after. */
export function extended(rows: Rows, older: TransactionPage, last: number): Rows {
  const kept = rows.transactions.filter(({ id }) => id >= last);
  return {
    transactions: sorted([...kept, ...older.transactions]),
    hasMore: older.hasMore,
    shown: kept.length + PAGE,
  };
}

/** Newest first, each once: the later of two states counts. */
function sorted(rows: readonly TransactionSummary[]): readonly TransactionSummary[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()].sort((a, b) => b.id - a.id);
}
