import { checkTransition, type TransactionStatus } from "../../postbacks.ts";

/** A status of a transaction, as a row of the file reports it. */
export interface StatusReport {
  readonly status: TransactionStatus;
  /** Cents; missing if the shop's orders report it, which have the amount of the order only. */
  readonly amount?: number | undefined;
}

/** The reported statuses of a transaction, and the latest one. */
export interface TransactionHistory {
  /** Missing if the shop's orders report it without an id. */
  readonly id: string | undefined;
  readonly reports: readonly StatusReport[];
  /** Missing if no report has a known status. */
  readonly status: TransactionStatus | undefined;
  /** Whether the reports contradict each other or one is not known, so that someone has to look it up. */
  readonly isUnclear: boolean;
}

/** @param reports - In the order of the file. They may be repeated or late: only those that advance the status count. */
export function toHistory(id: string | undefined, reports: readonly StatusReport[]): TransactionHistory {
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
export function withShopReport(
  { id, reports }: TransactionHistory,
  report: StatusReport,
): TransactionHistory {
  const asLatest = toHistory(id, [...reports, report]);
  return asLatest.isUnclear ? toHistory(id, [report, ...reports]) : asLatest;
}

const GIVEN_BACK = ["refunded", "chargedback"] as const;

/**
 * Cents that were paid, and cents of them that were given back.
 *
 * @param ordered - Cents of the order, which count if only the shop's orders report the payment.
 */
export function sumMoney(
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
