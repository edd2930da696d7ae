import type { PostbackNews } from "./contract.ts";
import {
  type CreatedRecord,
  isOpen,
  type OrderRecord,
  type OtherTransaction,
  type Stored,
} from "./order-record.ts";
import { accounted, commonOf, keepingLease, knownOf, movedOn, released, withOther } from "./order-states.ts";
import { isDead, isNews } from "./transaction-life.ts";

/** What a record becomes by a signed postback; `undefined` where it stays as it is. */
export function settledBy(stored: Stored, news: PostbackNews): OrderRecord | undefined {
  const { record } = stored;
  if (record.state === "created" && record.transactionId === news.id)
    return moved(keepingLease(stored), news);
  const known = record.others.find(({ id }) => id === news.id);
  const kept = keepingLease(stored);
  return known === undefined ? joined(kept, news) : movedAside(kept, known, news);
}

/** The transaction that the record is about goes on its way. */
function moved(record: OrderRecord, news: PostbackNews): OrderRecord | undefined {
  if (record.state !== "created") return undefined;
  const { transaction, isStray } = record;
  if (!isNews(transaction ?? { status: "unrecognized" }, news)) return undefined;
  if (!isDead(news.status)) return { ...record, transaction: transactionIn(record, news) };
  const isWhole = news.amount === (transaction?.amount ?? record.amount);
  return isWhole ? released(withOther(commonOf(record), { ...otherOf(news), isStray })) : undefined;
}

function transactionIn(record: CreatedRecord, news: PostbackNews): CreatedRecord["transaction"] {
  return record.transaction ? movedOn(record.transaction, news) : knownOf(record, news.id, news);
}

/** A transaction that the record is not about goes on its way. */
function movedAside(
  record: OrderRecord,
  known: OtherTransaction,
  news: PostbackNews,
): OrderRecord | undefined {
  // A pix may be paid after it had expired: the specification shows no such move, and the money is there.
  const isPaidLate = isDead(known.status) && news.status === "approved";
  const isOfAnotherAmount = isDead(news.status) && news.amount !== (known.amount ?? record.amount);
  if (!(isPaidLate || isNews(known, news)) || isOfAnotherAmount) return undefined;
  const noted = withOther(record, { ...known, ...otherOf(news) });
  return record.state === "free" ? released(commonOf(noted)) : noted;
}

/** A transaction that nobody knew. */
function joined(record: OrderRecord, news: PostbackNews): OrderRecord {
  const other: OtherTransaction = { ...otherOf(news), isStray: true };
  if (record.state === "created") return withOther(record, other);
  if (!isOpen(record)) return released(withOther(commonOf(record), other));
  // What charges nobody, for another amount than was asked for, is not believed.
  if (isDead(news.status) && news.amount !== record.amount) {
    return withOther(record, { ...other, status: "unrecognized" });
  }
  return accounted(withOther(record, other), true);
}

function otherOf({ id, status, rawStatus, amount }: PostbackNews): OtherTransaction {
  return { id, status, rawStatus, amount };
}
