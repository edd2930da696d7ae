import type { Issue } from "../errors/issue.ts";
import type { PaymentsEvent, ReceivedFacts, SentFacts } from "../http/events.ts";
import type { GatewayOptions } from "../sandbox/gateway-options.ts";
import { TRANSACTION_STATUSES, type TransactionStatus } from "../spec/transaction-status.ts";
import type { PaymentMethod } from "../spec/values.ts";
import { ASSUMPTIONS, type Counts, type SeenCall, type Value } from "./assumptions.ts";
import type { Postback } from "./parse-postback.ts";
import type { PostbackEvent } from "./postback-events.ts";

/** Counts what the events of clients and postback handlers show about the service. */
export interface AssumptionsLog {
  /** @param at - When the event occurred, in milliseconds since 1970, if it comes from a log. Default: now. */
  (event: PaymentsEvent | PostbackEvent, at?: number): void;
  /** A line for each assumption: its entry in docs/specification.md, how often it was confirmed and contradicted, and by what. */
  report(): string;
  /**
   * For `createGateway` and `startSandbox`. What was not seen is missing. Of several values of an option, the most frequent
   * one, or the last of these; of postbacks, the most retries and copies, and a wrong order, even if they were seen once.
   */
  sandboxOptions(): GatewayOptions;
  /** How often each value was seen, by assumption. */
  toJSON(): Record<string, Record<string, number>>;
}

/** What is remembered of a transaction. */
interface SeenTransaction {
  method?: PaymentMethod | undefined;
  amount?: number | undefined;
  /** The status that it was created with. */
  created?: TransactionStatus | undefined;
  /** The highest rank of a posted status. */
  rank?: number;
  isDisputed?: boolean;
  /** When its last postback got a response. */
  at?: number;
}

/** What is remembered of a postback. */
interface SeenPostback {
  /** When it got its last response. */
  at?: number;
  /** Responses that are not 2xx and were not followed by a retry yet. */
  failures?: number;
  retries?: number;
  copies?: number;
  /** Whether it arrived while its callback was running. Then the order of the responses is not that of the deliveries. */
  wasBusy?: boolean;
}

/** The limits of a company before they are known. */
const NO_LIMITS = [0, Number.POSITIVE_INFINITY] as const;

/** The most retries and copies that the sandbox sends. */
const MAX_REPEATS = 100;
const MAX_REMEMBERED = 1_000;
const MAX_KEY_LENGTH = 1_500;
const MAX_VALUES = 20;

/**
 * Creates a listener that counts which assumptions of docs/specification.md the real service confirms and contradicts, for
 * a sandbox that does what the service does. Each company has its own. What it returns contains no reference, id, key, name
 * or amount.
 *
 * ```ts
 * const [log, assumptions] = [logEvents(console), assumptionsLog()];
 * const payments = new PaymentsClient({
 *   onEvent(event) {
 *     log(event);
 *     assumptions(event);
 *   },
 * });
 * console.log(assumptions.report());
 * createGateway(assumptions.sandboxOptions());
 * ```
 */
export function assumptionsLog(): AssumptionsLog {
  const rows = Object.entries(ASSUMPTIONS);
  const seen = new Map<string, Map<Value, number>>();
  const transactions = new Map<string, SeenTransaction>();
  const postbacks = new Map<string, SeenPostback>();
  let company: ReceivedFacts = {};
  let unordered = 0;

  function count(name: string, found: Value | undefined): void {
    if (found === undefined) return;
    const counts = seen.get(name) ?? new Map<Value, number>();
    seen.set(name, counts);
    const isFew = counts.has(found) || counts.size < MAX_VALUES;
    const isKept = isHarmless(found) && (isFew || (typeof found === "number" && found <= MAX_REPEATS));
    const value = isKept ? found : "other";
    const times = counts.get(value) ?? 0;
    counts.delete(value);
    counts.set(value, times + 1);
  }

  function toCall(event: PaymentsEvent & SentFacts): SeenCall {
    const { type, endpoint, amount } = event;
    const result = type === "result" && !event.replayed ? event : undefined;
    const created = endpoint === "transactions.create" ? result : undefined;
    if (created) {
      const { transactionId, paymentMethod: method, status } = created;
      Object.assign(recall(transactions, `${transactionId}`), { method, amount, created: status });
    }
    if (endpoint === "company.retrieve") company = result ?? company;
    const { limits: [min, max] = NO_LIMITS, companyStatus = "active" } = company;
    const { error: { code, issues = [] } = {} } = event as { error?: { code?: string; issues?: Issue[] } };
    return {
      ...{ event, result, created, code },
      isRefusedFor: (name) => code === "validation_failed" && issues.some(({ field }) => field === name),
      isOutside: Number(amount) < min || Number(amount) > max,
      isInactive: companyStatus !== "active",
    };
  }

  function countDelivery({ postback, type, status }: Delivery, at: number): void {
    const transaction = recall(transactions, `${postback.id}`);
    const delivery = recall(postbacks, `${postback.id} ${postback.rawStatus} ${postback.amount}`);
    const { at: before, failures = 0 } = delivery;
    const isUnordered = at < Number(transaction.at);
    unordered += Number(isUnordered);
    // An approval after a dispute is one that the shop has won.
    if (isUnordered || (transaction.isDisputed && postback.status === "approved")) return;
    const isRetry = failures > 0;
    transaction.isDisputed ||= postback.status === "chargedback";
    transaction.at = at;
    delivery.at = at;
    delivery.failures = failures - Number(isRetry) + Number(status >= 300);
    delivery.wasBusy ||= type === "busy";
    if (before !== undefined) {
      if (!delivery.wasBusy) countRepeat(delivery, isRetry, at - before);
      return;
    }
    countStatus(postback, transaction);
    countOrder(postback, transaction);
  }

  function countRepeat(delivery: SeenPostback, isRetry: boolean, ms: number): void {
    const name = isRetry ? "retries" : "copies";
    const times = Math.min((delivery[name] ?? 0) + 1, MAX_REPEATS);
    delivery[name] = times;
    count(isRetry ? "postback-retries" : "postback-order (copies)", times);
    const pauseMs = Math.round(ms / 1_000) * 1_000;
    if (isRetry && times === 1 && pauseMs >= 0) count("postback-retries (ms)", pauseMs);
  }

  /** Counts what the first delivery of a postback shows by its status. */
  function countStatus({ status, rawStatus }: Postback, { method }: SeenTransaction): void {
    // Only a pix is ever `canceled`; a card is `cancelled`, too.
    const isPix = method === "pix" || (method === undefined && rawStatus === "canceled");
    if (isPix && status === "cancelled") count("cancelled", rawStatus);
    // A pix that is `refunded` can also be a refund of the shop itself.
    if (method === "pix" && status === "chargedback") count("med", status);
    const isUnnamed = status === "pending" || status === "processing" || status === "expired";
    if (isUnnamed) count("event-names", "posted without a name");
    count("changes-that-are-posted", [method, status].filter(Boolean).join(" "));
    count("postback-order (copies)", 0);
  }

  /** Counts what it shows beside the status that its transaction had, and remembers its own. */
  function countOrder({ status, amount }: Postback, transaction: SeenTransaction): void {
    const { created, rank, amount: paid = amount } = transaction;
    const own = toRank(status);
    if (own === 3 && amount < paid) count("partial-refunds", true);
    if (own < 0) return;
    transaction.amount = paid;
    transaction.rank = Math.max(own, rank ?? own);
    if (rank !== undefined) count("postback-order (late)", own < rank);
    // A transaction becomes `pending` only when it is created.
    if (own === 0) count("postback-at-creation", true);
    else if (rank === undefined && created !== undefined) count("postback-at-creation", status === created);
  }

  function listen(event: PaymentsEvent | PostbackEvent, at = Date.now()): void {
    if ("endpoint" in event) {
      const call = toCall(event);
      for (const [name, assumption] of rows) count(name, assumption.call?.(call));
    } else if (isDelivery(event)) {
      countDelivery(event, at);
    }
  }

  return Object.assign(listen, {
    report() {
      const lines = Array.from(seen, ([name, counts]) => {
        const { values, assumed = values?.slice(0, 1) } = ASSUMPTIONS[name] ?? {};
        let [confirmed, contradicted] = [0, 0];
        for (const [value, times] of counts) {
          if (assumed?.includes(value) === false) contradicted += times;
          else confirmed += times;
        }
        const found = Array.from(counts, ([value, times]) => `${value} (${times})`).join(", ");
        return `${name}: confirmed ${confirmed}, contradicted ${contradicted}. Seen: ${found}`;
      });
      const unseen = rows.flatMap(([name]) => (seen.has(name) ? [] : [name]));
      if (unordered > 0) lines.push(`Not in order of time, and not counted: ${unordered} postbacks`);
      return [...lines, `Not seen: ${unseen.join(", ")}`].join("\n");
    },
    sandboxOptions() {
      const options: Record<string, Value> = {};
      const ofPostbacks: Record<string, Value> = {};
      for (const [name, { option = "", values, choose = mostFrequent }] of rows) {
        const value = option === "" ? undefined : choose(seen.get(name) ?? new Map(), values);
        const [outer = "", inner] = option.split(".");
        if (value !== undefined) (inner ? ofPostbacks : options)[inner ?? outer] = value;
      }
      return { ...options, ...(Object.keys(ofPostbacks).length > 0 && { postbacks: ofPostbacks }) };
    },
    toJSON: () =>
      Object.fromEntries(Array.from(seen, ([name, counts]) => [name, Object.fromEntries(counts)])),
  });
}

/** What is remembered of a key. It is forgotten after all others now. */
function recall<Entry extends object>(memory: Map<string, Entry>, key: string): Entry {
  const known = memory.get(key) ?? ({} as Entry);
  if (key.length > MAX_KEY_LENGTH) return known;
  memory.delete(key);
  memory.set(key, known);
  const [oldest = ""] = memory.keys();
  if (memory.size > MAX_REMEMBERED) memory.delete(oldest);
  return known;
}

type Delivery = PostbackEvent & { readonly postback: Postback; readonly status: number };

/** Not a warning, a retry of the handler, or a success whose record another event follows. */
function isDelivery(event: PostbackEvent): event is Delivery {
  if (event.type === "warning" || event.type === "refused" || event.isRetry) return false;
  return event.postback !== undefined && !(event.type === "store_failed" && event.status === 200);
}

/** In which order a transaction can have the statuses: the end of a payment is 2, what can follow it 3. */
function toRank(status: TransactionStatus): number {
  const place = TRANSACTION_STATUSES.indexOf(status as (typeof TRANSACTION_STATUSES)[number]);
  return Math.min(place, 2) + Number(place > 5);
}

/** Whether a value identifies no person, card or key. */
function isHarmless(value: Value): boolean {
  if (typeof value !== "string") return Number(value) <= 1e8;
  return /^(?!.*(?:\d[.-]?){4})[\w #./:'-]{1,100}$/.test(value);
}

/** If several are the most frequent ones, the last. */
function mostFrequent(counts: Counts, values?: readonly Value[]): Value | undefined {
  const found = [...counts].filter(([value]) => values?.includes(value) ?? typeof value === "number");
  return found.sort(([, one], [, other]) => one - other).at(-1)?.[0];
}
