import { formatBRL } from "../../index.ts";
import { checkTransition, type TransactionStatus } from "../../postbacks.ts";

/** An order as the shop has it. */
export interface ShopOrder {
  readonly externalRef: string;
  /** Cents. */
  readonly amount: number;
  /** Missing if the shop knows none. */
  readonly status?: TransactionStatus | undefined;
  /** The transaction that has the status. An order may have several: a refused card, then a pix. */
  readonly transactionId?: string | undefined;
}

/** A row of the file of transactions. A transaction may have several rows, the earliest first. */
export interface TransactionRow extends StatusReport {
  readonly id: string;
  readonly status: TransactionStatus;
  /** Cents. */
  readonly amount: number;
  /** Missing if the transaction has none. */
  readonly externalRef?: string | undefined;
}

/** The part of an unresolved order of a store that a comparison uses. */
export interface OpenAttempt {
  readonly externalRef: string;
  readonly attempt: number;
  readonly earlierIds: readonly (number | string)[];
}

/** The files and the store of a shop. */
export interface Evidence {
  readonly orders: readonly ShopOrder[];
  readonly transactions: readonly TransactionRow[];
  readonly unresolved: readonly OpenAttempt[];
}

/**
 * The result for an order.
 *
 * - `paid_twice`: two transactions of it are approved. Have one refunded.
 * - `other_amount`: the amount paid is not the amount of the order.
 * - `unresolved`: a create call got no response, and no row shows a payment.
 * - `unclear`: the rows do not show whether it is paid.
 * - `missing`: it has no row, and the store lists no attempt.
 * - `unknown_order`: the shop has no order with this reference.
 */
export type Verdict =
  | "paid"
  | "paid_twice"
  | "other_amount"
  | "given_back"
  | "waiting"
  | "not_paid"
  | "unresolved"
  | "unclear"
  | "missing"
  | "unknown_order";

/** The result for one order. */
export interface Comparison extends ShopOrder {
  readonly verdict: Verdict;
  /** Why it needs attention. */
  readonly why?: string;
  /** Cents that the customer paid, without refunds and chargebacks. */
  readonly paid: number;
}

type Judgement = Pick<Comparison, "verdict" | "why" | "paid">;

/** Compares each order with its transactions, and then lists the transactions of unknown orders. */
export function* compare({ orders, transactions, unresolved }: Evidence): Generator<Comparison> {
  const rowsByOrder = groupBy(transactions, ({ externalRef = "" }) => externalRef);
  const attempts = new Map(unresolved.map((attempt) => [attempt.externalRef, attempt]));
  for (const order of orders) {
    const { externalRef } = order;
    const histories = toHistories(rowsByOrder.get(externalRef) ?? []);
    rowsByOrder.delete(externalRef);
    yield { ...order, ...toVerdict(order, histories, attempts.get(externalRef)) };
  }
  for (const [externalRef, rows] of rowsByOrder) {
    const [{ amount } = { amount: 0 }] = rows;
    const histories = toHistories(rows);
    const paid = sumPaid(histories, amount);
    const why = histories.map(describeHistory).join("; ");
    yield { externalRef, amount, verdict: "unknown_order", why, paid };
  }
}

function toHistories(rows: readonly TransactionRow[]): readonly TransactionHistory[] {
  return [...groupBy(rows, ({ id }) => id)].map(([id, reports]) => toHistory(id, reports));
}

function groupBy(
  rows: readonly TransactionRow[],
  toKey: (row: TransactionRow) => string,
): Map<string, TransactionRow[]> {
  const groups = new Map<string, TransactionRow[]>();
  for (const row of rows) {
    const key = toKey(row);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
}

/** If the shop's order can be read in several ways, all of them must lead to the same verdict. */
function toVerdict(
  order: ShopOrder,
  histories: readonly TransactionHistory[],
  attempt: OpenAttempt | undefined,
): Judgement {
  const judgements = readingsOf(order, histories).map((reading) => judge(order, reading, attempt));
  const paid = Math.min(...judgements.map((judgement) => judgement.paid));
  const [judgement, ...others] = judgements;
  const isCertain = others.every(({ verdict }) => verdict === judgement?.verdict);
  if (judgement && isCertain) return { ...judgement, paid };
  const rows = histories.map(describeHistory).join("; ");
  return {
    verdict: "unclear",
    why: `your order is ${order.status}, and ${rows}; a transactionId would show whether it is the same one`,
    paid,
  };
}

/** Which transactions there may be. An order without an id may mean one that has rows, or another one. */
function readingsOf(
  { status, transactionId }: ShopOrder,
  histories: readonly TransactionHistory[],
): readonly (readonly TransactionHistory[])[] {
  if (status === undefined) return [histories];
  const separate = [...histories, toHistory(transactionId, [{ status }])];
  const combined = (one: TransactionHistory) =>
    histories.map((history) => (history === one ? withShopReport(one, { status }) : history));
  if (transactionId !== undefined) {
    const named = histories.find(({ id }) => id === transactionId);
    return [named ? combined(named) : separate];
  }
  if (histories.some((history) => history.status === status)) return [histories];
  const fitting = histories.filter((history) => !withShopReport(history, { status }).isUnclear);
  return [separate, ...fitting.map(combined)];
}

function judge(
  { amount }: ShopOrder,
  histories: readonly TransactionHistory[],
  attempt: OpenAttempt | undefined,
): Judgement {
  const paid = sumPaid(histories, amount);
  const withStatus = (...wanted: readonly TransactionStatus[]) =>
    histories.filter(({ status }) => status !== undefined && wanted.includes(status));
  const [payment, second] = withStatus("approved");
  const unclear = histories.find(({ isUnclear }) => isUnclear);

  if (unclear) return { verdict: "unclear", why: describeHistory(unclear), paid };
  if (second) return { verdict: "paid_twice", paid };
  const partialRefund = findPartialRefund(histories, amount);
  if (partialRefund !== undefined) return { verdict: "unclear", why: partialRefund, paid };
  if (payment && attempt && !isOfAttempt(payment, attempt)) {
    return { verdict: "unclear", why: `it is paid, and attempt ${attempt.attempt} is unresolved`, paid };
  }
  if (payment) return { verdict: paid === amount ? "paid" : "other_amount", paid };
  if (attempt) return { verdict: "unresolved", paid };
  if (withStatus("refunded", "chargedback").length > 0) return { verdict: "given_back", paid };
  if (withStatus("pending", "processing").length > 0) return { verdict: "waiting", paid };
  return { verdict: histories.length > 0 ? "not_paid" : "missing", paid };
}

function sumPaid(histories: readonly TransactionHistory[], ordered: number): number {
  const sums = histories.map((history) => sumMoney(history, ordered));
  return sums.reduce((sum, { paid, givenBack }) => sum + paid - givenBack, 0);
}

function findPartialRefund(histories: readonly TransactionHistory[], ordered: number): string | undefined {
  const sums = histories.map((history) => sumMoney(history, ordered));
  const partial = sums.find(({ paid, givenBack }) => givenBack > 0 && givenBack < paid);
  return partial && `${formatBRL(partial.givenBack)} of ${formatBRL(partial.paid)} was given back`;
}

/** The ids of earlier attempts are known, so any other one belongs to the unresolved attempt. */
function isOfAttempt({ id }: TransactionHistory, { earlierIds }: OpenAttempt): boolean {
  return id !== undefined && !earlierIds.some((earlier) => String(earlier) === id);
}

function describeHistory({ id, reports }: TransactionHistory): string {
  const name = id === undefined ? "your order" : `transaction ${id}`;
  return `${name} is ${reports.map(({ status }) => status).join(", then ")}`;
}

/** The statuses of a shop's order that agree with a verdict. */
const AGREEING: Readonly<Partial<Record<Verdict, readonly TransactionStatus[]>>> = {
  paid: ["approved"],
  given_back: ["refunded", "chargedback"],
  waiting: ["pending", "processing"],
  not_paid: ["refused", "cancelled", "expired"],
};

/**
 * Why an order needs attention; `undefined` if the shop has it right.
 *
 * @param hasStatuses - Whether the shop's orders have statuses. If so, an order without one should have none.
 */
export function findProblem({ verdict, why, status }: Comparison, hasStatuses: boolean): string | undefined {
  const agreeing = AGREEING[verdict];
  if (agreeing === undefined) return why ?? PROBLEMS[verdict];
  if (status === undefined) {
    const isNews = verdict === "paid" || verdict === "given_back";
    return hasStatuses && isNews ? "your order has no status" : undefined;
  }
  return agreeing.includes(status) ? undefined : `your order is ${status}`;
}

const PROBLEMS: Readonly<Partial<Record<Verdict, string>>> = {
  paid_twice: "two transactions are approved: have one refunded",
  other_amount: "the amount paid is not the amount of the order",
  unresolved: "a create call got no response: see payments orders show",
  missing: "no payment was found: check it with the service",
};

/** A status of a transaction, as a row of the file reports it. */
interface StatusReport {
  readonly status: TransactionStatus;
  /** Cents; missing if the shop's orders report it, which have the amount of the order only. */
  readonly amount?: number | undefined;
}

/** The reported statuses of a transaction, and the latest one. */
interface TransactionHistory {
  /** Missing if the shop's orders report it without an id. */
  readonly id: string | undefined;
  readonly reports: readonly StatusReport[];
  /** Missing if no report has a known status. */
  readonly status: TransactionStatus | undefined;
  /** Whether the reports contradict each other or one is not known, so that someone has to look it up. */
  readonly isUnclear: boolean;
}

/** @param reports - In the order of the file. They may be repeated or late: only those that advance the status count. */
function toHistory(id: string | undefined, reports: readonly StatusReport[]): TransactionHistory {
  let latest: TransactionStatus | undefined;
  let isUnclear = false;
  for (const { status } of reports) {
    const transition = checkTransition(latest, status);
    if (transition === "unclear") isUnclear = true;
    if (transition !== "advance") continue;
    latest = status;
    isUnclear = false;
  }
  const approvedAmounts = new Set(amountsOf(reports, ["approved"]));
  return { id, reports, status: latest, isUnclear: isUnclear || approvedAmounts.size > 1 };
}

/** The history with the status in the shop's orders, as the last or else the first report: its time is not known. */
function withShopReport({ id, reports }: TransactionHistory, report: StatusReport): TransactionHistory {
  const asLatest = toHistory(id, [...reports, report]);
  return asLatest.isUnclear ? toHistory(id, [report, ...reports]) : asLatest;
}

const GIVEN_BACK = ["refunded", "chargedback"] as const;

/**
 * Cents that were paid, and cents of them that were given back.
 *
 * @param ordered - Cents of the order, which count if only the shop's orders report the payment.
 */
function sumMoney(
  { reports }: TransactionHistory,
  ordered: number,
): { readonly paid: number; readonly givenBack: number } {
  const has = (...wanted: readonly TransactionStatus[]) =>
    reports.some(({ status }) => wanted.includes(status));
  const [paid = ordered] = amountsOf(reports, ["approved"]);
  const amounts = amountsOf(reports, GIVEN_BACK);
  if (!has("approved", ...GIVEN_BACK)) return { paid: 0, givenBack: 0 };
  if (!has(...GIVEN_BACK)) return { paid, givenBack: 0 };
  // A repeated report looks the same as a second refund of the same amount.
  const sum = [...new Set(amounts)].reduce((total, amount) => total + amount, 0);
  return { paid, givenBack: amounts.length === 0 ? paid : Math.min(paid, sum) };
}

function amountsOf(reports: readonly StatusReport[], wanted: readonly TransactionStatus[]): number[] {
  return reports.flatMap(({ status, amount }) =>
    wanted.includes(status) && amount !== undefined ? [amount] : [],
  );
}
