import type { OrderRecord } from "../../idempotency.ts";
import { formatBRL } from "../../index.ts";
import { checkTransition, type TransactionStatus } from "../../postbacks.ts";
import { Reported } from "../command-failure.ts";
import { type Output, red, type Text } from "../output.ts";

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
  /** Cents. */
  readonly amount: number;
  /** Missing if the transaction has none. */
  readonly externalRef?: string | undefined;
}

/** The part of an unresolved order of a store that a comparison uses. */
export type OpenAttempt = Pick<OrderRecord, "externalRef" | "attempt" | "earlierIds">;

export interface Evidence {
  readonly orders: readonly ShopOrder[];
  readonly transactions: readonly TransactionRow[];
  readonly unresolved: readonly OpenAttempt[];
}

interface ResultKind {
  /** The statuses of the shop's order that agree with the result. Without them, it always needs attention. */
  readonly agreeing?: readonly TransactionStatus[];
  /** Missing if the comparison has its own reason. */
  readonly problem?: string;
}

const RESULTS = {
  paid: { agreeing: ["approved"] },
  paid_twice: { problem: "two transactions are approved: have one refunded" },
  other_amount: { problem: "the amount paid is not the amount of the order" },
  given_back: { agreeing: ["refunded", "chargedback"] },
  waiting: { agreeing: ["pending", "processing"] },
  not_paid: { agreeing: ["refused", "cancelled", "expired"] },
  /** No row shows a payment. */
  unresolved: { problem: "a create call got no response: see payments orders show" },
  /** The rows do not show whether the order is paid. */
  unclear: {},
  /** The order has no row, and the store has no unresolved attempt. */
  missing: { problem: "no payment was found: check it with the service" },
  /** The shop has no order with this reference. */
  unknown_order: {},
} satisfies Readonly<Record<string, ResultKind>>;

interface Comparison extends ShopOrder {
  readonly verdict: keyof typeof RESULTS;
  readonly why?: string | undefined;
  /** Cents that the customer paid, without refunds and chargebacks. */
  readonly paid: number;
}

type Result = Pick<Comparison, "verdict" | "why" | "paid">;

/**
 * Prints the orders that need attention, or all.
 *
 * @throws {Reported} if an order needs attention.
 */
export function reconcile(output: Output, evidence: Evidence, isAll: boolean): void {
  const hasStatuses = evidence.orders.some(({ status }) => status !== undefined);
  const counts = new Map<string, number>();
  const rows: Text[][] = [];
  let paid = 0;
  let problems = 0;
  for (const { why, ...result } of compare(evidence)) {
    const { verdict } = result;
    const problem = findProblem({ ...result, why }, hasStatuses);
    counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
    paid += result.paid;
    if (problem !== undefined) problems += 1;
    else if (!isAll) continue;
    if (output.isJson) output.event({ ...result, problem });
    else rows.push(toRow(result, problem));
  }
  output.table(["reference", "amount", "result", "paid", "problem"], rows);

  const sums = [...counts].map(([verdict, count]) => `${count} ${verdict}`).join(", ");
  output.note(`${sums}. Paid: ${formatBRL(paid)}.`);
  if (problems === 0) return;
  output.note(problems === 1 ? "1 order needs attention." : `${problems} orders need attention.`);
  throw new Reported();
}

function toRow({ externalRef, amount, verdict, paid }: Comparison, problem: string | undefined): Text[] {
  const result = problem === undefined ? verdict : red(verdict);
  return [externalRef, formatBRL(amount), result, paid === 0 ? "" : formatBRL(paid), problem ?? ""];
}

/** Compares each order with its transactions, and then lists the transactions of unknown orders. */
export function* compare({ orders, transactions, unresolved }: Evidence): Generator<Comparison> {
  const rowsByOrder = Map.groupBy(transactions, ({ externalRef = "" }) => externalRef);
  const attempts = new Map(unresolved.map((attempt) => [attempt.externalRef, attempt]));
  for (const order of orders) {
    const { externalRef } = order;
    const histories = toHistories(rowsByOrder.get(externalRef) ?? []);
    rowsByOrder.delete(externalRef);
    yield { ...order, ...compareOrder(order, histories, attempts.get(externalRef)) };
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
  return [...Map.groupBy(rows, ({ id }) => id)].map(([id, reports]) => toHistory(id, reports));
}

/** If the shop's order can be read in several ways, all of them must lead to the same verdict. */
function compareOrder(
  order: ShopOrder,
  histories: readonly TransactionHistory[],
  attempt: OpenAttempt | undefined,
): Result {
  const results = readingsOf(order, histories).map((reading) => compareReading(order, reading, attempt));
  const paid = Math.min(...results.map((result) => result.paid));
  const [result, ...others] = results;
  const isCertain = others.every(({ verdict }) => verdict === result?.verdict);
  if (result && isCertain) return { ...result, paid };
  const rows = histories.map(describeHistory).join("; ");
  const why = `your order is ${order.status}, and ${rows}; a transactionId would show whether it is the same one`;
  return { verdict: "unclear", why, paid };
}

/**
 * The transactions that the order may have. If the shop's order has a status and no transaction id, the status may belong
 * to a transaction of the rows, or to a transaction without rows.
 */
function readingsOf(
  { status, transactionId }: ShopOrder,
  histories: readonly TransactionHistory[],
): readonly (readonly TransactionHistory[])[] {
  if (status === undefined) return [histories];
  const separate = [...histories, toHistory(transactionId, [{ status }])];
  const combinedWith = (owner: TransactionHistory) =>
    histories.map((history) => (history === owner ? withShopReport(history, { status }) : history));
  if (transactionId !== undefined) {
    const named = histories.find(({ id }) => id === transactionId);
    return [named ? combinedWith(named) : separate];
  }
  if (histories.some((history) => history.status === status)) return [histories];
  const possibleOwners = histories.filter((history) => !withShopReport(history, { status }).isUnclear);
  return [separate, ...possibleOwners.map(combinedWith)];
}

function compareReading(
  { amount }: ShopOrder,
  histories: readonly TransactionHistory[],
  attempt: OpenAttempt | undefined,
): Result {
  const paid = sumPaid(histories, amount);
  const withStatus = (...wanted: readonly TransactionStatus[]) =>
    histories.filter(({ status }) => status !== undefined && wanted.includes(status));
  const [payment, second] = withStatus("approved");
  const unclear = histories.find(({ isUnclear }) => isUnclear);

  if (unclear) return { verdict: "unclear", why: describeHistory(unclear), paid };
  if (second) return { verdict: "paid_twice", paid };
  const partial = histories
    .map((history) => sumMoney(history, amount))
    .find((sums) => sums.givenBack > 0 && sums.givenBack < sums.paid);
  if (partial) {
    const [givenBack, whole] = [formatBRL(partial.givenBack), formatBRL(partial.paid)];
    const why = `${givenBack} of ${whole} was given back`;
    return { verdict: "unclear", why, paid };
  }
  if (payment && attempt && !isOfAttempt(payment, attempt)) {
    const why = `it is paid, and attempt ${attempt.attempt} is unresolved`;
    return { verdict: "unclear", why, paid };
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

/** The ids of earlier attempts are known, so any other transaction belongs to the unresolved attempt. */
function isOfAttempt({ id }: TransactionHistory, { earlierIds }: OpenAttempt): boolean {
  return id !== undefined && !earlierIds.some((earlier) => String(earlier) === id);
}

function describeHistory({ id, reports }: TransactionHistory): string {
  const subject = id === undefined ? "your order is" : `transaction ${id} is`;
  return `${subject} ${reports.map(({ status }) => status).join(", then ")}`;
}

/**
 * Why an order needs attention; `undefined` if the shop has it right.
 *
 * @param hasStatuses - Whether the shop's orders have statuses. If so, an order without one should have none.
 */
function findProblem({ verdict, why, status }: Comparison, hasStatuses: boolean): string | undefined {
  const { agreeing, problem }: ResultKind = RESULTS[verdict];
  if (agreeing === undefined) return why ?? problem;
  if (status === undefined) {
    const isNews = verdict === "paid" || verdict === "given_back";
    return hasStatuses && isNews ? "your order has no status" : undefined;
  }
  return agreeing.includes(status) ? undefined : `your order is ${status}`;
}

/** A status of a transaction, as a row of the file reports it. */
interface StatusReport {
  readonly status: TransactionStatus;
  /** Cents; missing in a report of the shop's orders, which have only the amount of the order. */
  readonly amount?: number | undefined;
}

/** The reported statuses of a transaction, and the latest one. */
interface TransactionHistory {
  /** Missing if the shop's orders report it without an id. */
  readonly id: string | undefined;
  readonly reports: readonly StatusReport[];
  /** Missing if no report has a known status. */
  readonly status: TransactionStatus | undefined;
  /** Whether the reports contradict each other, or a status is not known: a person has to look it up. */
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

/** The history with the shop's status. Its time is not known: it is the last report, or else the first. */
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
function sumMoney({ reports }: TransactionHistory, ordered: number) {
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
