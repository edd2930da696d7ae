import { checkTransition, type TransactionStatus } from "payments-sdk/postbacks";

/** That a transaction has a status, as a postback or the books say. */
export interface Statement {
  readonly status: TransactionStatus;
  /** Cents; missing where the books say it, which know the amount of the order only. */
  readonly amount?: number | undefined;
}

/** What was said of a transaction, and what it comes to. */
export interface Transaction {
  /** Missing where the books do not name it. */
  readonly id: number | undefined;
  readonly statements: readonly Statement[];
  /** Missing where nobody has said one that has a name. */
  readonly status: TransactionStatus | undefined;
  /** Whether the statements contradict each other, or one is not known: a person has to look. */
  readonly isUnclear: boolean;
}

/** @param statements - In the order in which they came. They come twice and late: only what leads on counts. */
export function transactionOf(id: number | undefined, statements: readonly Statement[]): Transaction {
  let known: TransactionStatus | undefined;
  let isUnclear = false;
  for (const { status } of statements) {
    const transition = checkTransition(known, status);
    if (transition === "unclear") isUnclear = true;
    if (transition !== "advance") continue;
    known = status;
    isUnclear = false;
  }
  const approvals = new Set(amountsOf(statements, ["approved"])); // one over two amounts is two stories
  return { id, statements, status: known, isUnclear: isUnclear || approvals.size > 1 };
}

/** The same transaction where the books speak of it, too. Nobody knows when they were written: before or after. */
export function withBooks({ id, statements }: Transaction, books: Statement): Transaction {
  const asTheLatest = transactionOf(id, [...statements, books]);
  return asTheLatest.isUnclear ? transactionOf(id, [books, ...statements]) : asTheLatest;
}

const GIVEN_BACK = ["refunded", "chargedback"] as const;

/**
 * Cents that were paid, and those of them that were given back, as far as anybody has heard.
 *
 * @param ordered - Cents of the order, where the books alone know of the payment.
 */
export function moneyOf({ statements }: Transaction, ordered: number): { paid: number; givenBack: number } {
  const has = (...wanted: readonly TransactionStatus[]) =>
    statements.some(({ status }) => wanted.includes(status));
  const [paid = ordered] = amountsOf(statements, ["approved"]);
  const backs = amountsOf(statements, GIVEN_BACK);
  if (!has("approved", ...GIVEN_BACK)) return { paid: 0, givenBack: 0 };
  if (!has(...GIVEN_BACK)) return { paid, givenBack: 0 };
  // One that came twice cannot be told from two over the same amount.
  const sum = [...new Set(backs)].reduce((total, amount) => total + amount, 0);
  return { paid, givenBack: backs.length === 0 ? paid : Math.min(paid, sum) };
}

function amountsOf(statements: readonly Statement[], wanted: readonly TransactionStatus[]): number[] {
  return statements.flatMap(({ status, amount }) =>
    wanted.includes(status) && amount !== undefined ? [amount] : [],
  );
}
