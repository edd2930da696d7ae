import { formatBRL } from "payments-sdk";
import type { UnresolvedOrder } from "payments-sdk/idempotency";
import type { Postback, TransactionStatus } from "payments-sdk/postbacks";
import { moneyOf, type Transaction, transactionOf, withBooks } from "./transactions.ts";

/** An order as the merchant's books have it. */
export interface Order {
  readonly externalRef: string;
  /** Cents. */
  readonly amount: number;
  /** What the create answered, or a postback said; missing where neither was heard. */
  readonly status?: TransactionStatus | undefined;
  /** Of which transaction that is the status. An order may have several: a refused card, then a pix. */
  readonly transactionId?: number | undefined;
}

/**
 * What can be said of an order without asking the service, which has no way to look a transaction up.
 *
 * - `paid_twice`: two transactions of it are approved. Give one back.
 * - `other_amount`: it was paid with another amount than the order's.
 * - `unresolved`: a create of it got no answer, and no postback of a payment came. Look into the dashboard.
 * - `look`: what was heard does not say whether it is paid; `why` tells. Look into the dashboard.
 * - `missing`: nobody has heard of it, and the store lists no attempt. Look into the dashboard.
 */
export type Verdict =
  | "paid"
  | "paid_twice"
  | "other_amount"
  | "given_back"
  | "waiting"
  | "not_paid"
  | "unresolved"
  | "look"
  | "missing";

export interface Finding extends Order {
  readonly verdict: Verdict;
  /** Why somebody has to look. */
  readonly why?: string;
  /** Cents that the buyer has paid and not got back, as far as anybody has heard. */
  readonly paid: number;
}

type Judgement = Pick<Finding, "verdict" | "why" | "paid">;

/**
 * @param postbacks - Signed ones, in the order in which they came.
 * @param unresolved - What the store lists.
 */
export function compare(
  orders: readonly Order[],
  postbacks: readonly Postback[],
  unresolved: readonly UnresolvedOrder[],
): Finding[] {
  return orders.map((order) => {
    const own = postbacks.filter(({ externalRef }) => externalRef === order.externalRef);
    const ids = [...new Set(own.map(({ id }) => id))];
    const saidOf = (wanted: number) => own.filter(({ id }) => id === wanted);
    const heard = ids.map((id) => transactionOf(id, saidOf(id)));
    const open = unresolved.find(({ externalRef }) => externalRef === order.externalRef);
    return { ...order, ...verdictOf(order, heard, open) };
  });
}

/** Where the books can be read in several ways, they must all come to the same. */
function verdictOf(
  order: Order,
  heard: readonly Transaction[],
  open: UnresolvedOrder | undefined,
): Judgement {
  const judgements = readingsOf(order, heard).map((transactions) => judge(order, transactions, open));
  const paid = Math.min(...judgements.map((judgement) => judgement.paid));
  const [judgement, ...others] = judgements;
  const isCertain = others.every(({ verdict }) => verdict === judgement?.verdict);
  if (judgement && isCertain) return { ...judgement, paid };
  const why = `your books say ${order.status}; ${heard.map(storyOf).join("; ")}. Is it the same one? A transactionId tells`;
  return { verdict: "look", why, paid };
}

/** Which transactions there are. Books that name none may mean one that was heard of, or another. */
function readingsOf(
  { status, transactionId }: Order,
  heard: readonly Transaction[],
): (readonly Transaction[])[] {
  if (status === undefined) return [heard];
  const alone = [...heard, transactionOf(transactionId, [{ status }])];
  const meaning = (meant: Transaction) =>
    heard.map((transaction) => (transaction === meant ? withBooks(meant, { status }) : transaction));
  if (transactionId !== undefined) {
    const named = heard.find(({ id }) => id === transactionId);
    return [named ? meaning(named) : alone];
  }
  if (heard.some((transaction) => transaction.status === status)) return [heard];
  const fitting = heard.filter((transaction) => !withBooks(transaction, { status }).isUnclear);
  return [alone, ...fitting.map(meaning)];
}

function judge(
  { amount }: Order,
  transactions: readonly Transaction[],
  open: UnresolvedOrder | undefined,
): Judgement {
  const moneys = transactions.map((transaction) => moneyOf(transaction, amount));
  const paid = moneys.reduce((sum, money) => sum + money.paid - money.givenBack, 0);
  const withStatus = (...wanted: readonly TransactionStatus[]) =>
    transactions.filter(({ status }) => status !== undefined && wanted.includes(status));
  const [payment, second] = withStatus("approved");
  const unclear = transactions.find(({ isUnclear }) => isUnclear);
  const givenBackInPart = moneys.find((money) => money.givenBack > 0 && money.givenBack < money.paid);

  if (unclear) return { verdict: "look", why: storyOf(unclear), paid };
  if (second) return { verdict: "paid_twice", paid };
  if (givenBackInPart) {
    const why = `${formatBRL(givenBackInPart.givenBack)} of ${formatBRL(givenBackInPart.paid)} were given back`;
    return { verdict: "look", why, paid };
  }
  if (payment && open && !isWhatIsOpen(payment, open)) {
    return { verdict: "look", why: `it is paid, and attempt ${open.attempt} is unresolved`, paid };
  }
  if (payment) return { verdict: paid === amount ? "paid" : "other_amount", paid };
  if (open) return { verdict: "unresolved", paid };
  if (withStatus("refunded", "chargedback").length > 0) return { verdict: "given_back", paid };
  if (withStatus("pending", "processing").length > 0) return { verdict: "waiting", paid };
  return { verdict: transactions.length > 0 ? "not_paid" : "missing", paid };
}

/** The ids of earlier attempts are known, so that any other one is the attempt's that got no answer. */
function isWhatIsOpen({ id }: Transaction, { earlierIds }: UnresolvedOrder): boolean {
  return id !== undefined && !earlierIds.some((earlier) => String(earlier) === String(id));
}

function storyOf({ id, statements }: Transaction): string {
  const name = id === undefined ? "your books" : `transaction ${id}`;
  return `${name}: ${statements.map(({ status }) => status).join(", then ")}`;
}
