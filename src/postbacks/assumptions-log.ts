import type { PaymentsEvent, ReceivedFacts, ResultEvent, SentFacts } from "../http/events.ts";
import { TRANSACTION_STATUSES, type TransactionStatus } from "../spec/transaction-status.ts";
import type { PaymentMethod } from "../spec/values.ts";
import {
  ASSUMPTIONS,
  type Counts,
  OTHER,
  type SeenCall,
  type SeenDelivery,
  type Value,
} from "./assumptions.ts";
import type { Postback } from "./parse-postback.ts";
import type { PostbackEvent } from "./postback-events.ts";

/** Options of a sandbox that does what the service was seen to do. What was not seen is missing. */
export interface ObservedOptions {
  readonly pixFields?: "guide" | "endpoint";
  readonly outsideLimits?: "by_method" | "refused" | "validation";
  readonly suspendedPays?: boolean;
  readonly pixCancelledAs?: "canceled" | "cancelled";
  readonly echo?: "all" | "documented";
  readonly envelopeStatus?: 201 | 1;
  readonly sellersPath?: string;
  readonly sellersAuth?: "basic" | "none";
  readonly retryAfter?: boolean;
  readonly alphanumericCnpj?: boolean;
  readonly postbacks?: {
    /** The most retries of one postback that were seen. */
    readonly retries?: number;
    /** Milliseconds before a first retry, in whole seconds. */
    readonly backoffMs?: number;
    /** The most copies of one postback that were seen. */
    readonly duplicates?: number;
    readonly reorder?: boolean;
    readonly onCreation?: boolean;
    /** An expiry that is not posted cannot be seen. */
    readonly expired?: true;
    /** A status without an event name was posted. */
    readonly onlyConfiguredEvents?: false;
  };
}

/** Counts what the events of clients and postback handlers show about the service. */
export interface AssumptionsLog {
  /** @param at - When the event occurred, in milliseconds since 1970, if it comes from a log. Default: now. */
  (event: PaymentsEvent | PostbackEvent, at?: number): void;
  /** A line for each assumption: its entry in docs/specification.md, how often it was confirmed and contradicted, and by what. */
  report(): string;
  /**
   * For `createGateway` and `startSandbox`. Of several values of an option, the most frequent one, or the last of these;
   * of postbacks, the most retries and copies, and a wrong order, even if they were seen once.
   */
  sandboxOptions(): ObservedOptions;
  /** How often each value was seen, by assumption. */
  toJSON(): Record<string, Record<string, number>>;
}

/** What is remembered of a transaction and of a postback. */
interface Remembered {
  /** The method of a transaction, and the status that it was created with. */
  method?: PaymentMethod;
  created?: TransactionStatus;
  /** The highest rank of a posted status. */
  rank?: number;
  /** When a postback got its last response. */
  at?: number;
  /** Responses that are not 2xx and were not followed by a retry yet. */
  failures?: number;
  retries?: number;
  copies?: number;
}

/** The limits of a company before they are known. */
const ANY = [0, Number.POSITIVE_INFINITY] as const;

const MAX_REMEMBERED = 1_000;
const MAX_VALUES = 20;

/**
 * Creates a listener that counts which assumptions of docs/specification.md the real service confirms and contradicts, for
 * a sandbox that does what the service does. What it returns contains no reference, id, key, name or amount.
 *
 * ```ts
 * const assumptions = assumptionsLog();
 * const payments = new PaymentsClient({ onEvent: assumptions });
 * console.log(assumptions.report());
 * createGateway(assumptions.sandboxOptions());
 * ```
 */
export function assumptionsLog(): AssumptionsLog {
  const rows = Object.entries(ASSUMPTIONS);
  const seen = new Map<string, Map<Value, number>>();
  const memory = new Map<string, Remembered>();
  /** Calls with `drift` events, until their last event. */
  const drifting = new Set<string>();
  let company: ReceivedFacts = {};

  function count(name: string, found: Value | undefined): void {
    if (found === undefined) return;
    const counts = seen.get(name) ?? new Map<Value, number>();
    seen.set(name, counts);
    const isKept = isHarmless(found) && (counts.has(found) || counts.size < MAX_VALUES);
    const value = isKept ? found : OTHER;
    const times = counts.get(value) ?? 0;
    counts.delete(value);
    counts.set(value, times + 1);
  }

  /** Forgets what was not used for the longest time. */
  function recall(key: string): Remembered {
    const known = memory.get(key) ?? {};
    memory.delete(key);
    memory.set(key, known);
    const [oldest = ""] = memory.keys();
    if (memory.size > MAX_REMEMBERED) memory.delete(oldest);
    return known;
  }

  function learn(created: ResultEvent | undefined, retrieved: ResultEvent | undefined): void {
    const { transactionId, paymentMethod: method, status } = created ?? {};
    if (created) Object.assign(recall(`${transactionId}`), { method, created: status });
    if (retrieved) company = retrieved;
  }

  function toCall(event: PaymentsEvent & SentFacts): SeenCall {
    const { type, endpoint, externalRef, amount } = event;
    const result = type === "result" && !event.replayed ? event : undefined;
    const created = endpoint === "transactions.create" ? result : undefined;
    learn(created, endpoint === "company.retrieve" ? result : undefined);
    const { limits: [min, max] = ANY, companyStatus = "active" } = company;
    const name = `${endpoint} ${externalRef}`;
    if (type === "drift") drifting.add(name);
    return {
      ...{ event, result, created, ...toFailure(event) },
      hasDrift: (type === "result" || type === "error") && drifting.delete(name),
      isOutside: Number(amount) < min || Number(amount) > max,
      isInactive: companyStatus !== "active",
    };
  }

  function toDelivery(postback: Postback, status: number, at: number): SeenDelivery {
    const transaction = recall(`${postback.id}`);
    const delivery = recall(`${postback.id} ${postback.rawStatus} ${postback.amount}`);
    const { at: before = Number.NaN, failures = 0, retries = 0, copies = -1 } = delivery;
    const isRetry = failures > 0;
    delivery.at = at;
    delivery.failures = failures - Number(isRetry) + Number(status >= 300);
    if (isRetry) {
      delivery.retries = retries + 1;
      const pauseMs = Math.round((at - before) / 1_000) * 1_000;
      return { retries: retries + 1, ...(retries === 0 && pauseMs >= 0 && { pauseMs }) };
    }
    delivery.copies = copies + 1;
    return copies < 0 ? toFirst(postback, transaction) : { copies: copies + 1 };
  }

  function listen(event: PaymentsEvent | PostbackEvent, at = Date.now()): void {
    if ("endpoint" in event) {
      const call = toCall(event);
      for (const [name, assumption] of rows) count(name, assumption.call?.(call));
    } else if (isDelivery(event)) {
      const delivery = toDelivery(event.postback, event.status, at);
      for (const [name, assumption] of rows) count(name, assumption.delivery?.(delivery));
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
      return [...lines, `Not seen: ${unseen.join(", ")}`].join("\n");
    },
    sandboxOptions() {
      const options: Record<string, Value> = {};
      const postbacks: Record<string, Value> = {};
      for (const [name, { option = "", values, choose = mostFrequent }] of rows) {
        const value = option === "" ? undefined : choose(seen.get(name) ?? new Map(), values);
        const [outer = "", inner] = option.split(".");
        if (value !== undefined) (inner ? postbacks : options)[inner ?? outer] = value;
      }
      return { ...options, ...(Object.keys(postbacks).length > 0 && { postbacks }) };
    },
    toJSON: () =>
      Object.fromEntries(Array.from(seen, ([name, counts]) => [name, Object.fromEntries(counts)])),
  });
}

function toFailure(event: PaymentsEvent): Pick<SeenCall, "code" | "isRefusedFor"> {
  const { code, issues = [] }: Failure = event.type === "error" ? event.error : {};
  const fields = code === "validation_failed" ? issues.map(({ field }) => field) : [];
  return { code, isRefusedFor: (field) => fields.includes(field) };
}

interface Failure {
  readonly code?: string;
  readonly issues?: readonly { readonly field: string }[];
}

type Delivery = Extract<PostbackEvent, { postback?: Postback; status: number }> & {
  readonly postback: Postback;
};

/** Not a warning, a retry of the handler, or a success whose record another event follows. */
function isDelivery(event: PostbackEvent): event is Delivery {
  if (event.type === "warning" || event.type === "refused" || event.isRetry) return false;
  return event.postback !== undefined && !(event.type === "store_failed" && event.status === 200);
}

/** The first delivery of a postback. */
function toFirst(first: Postback, transaction: Remembered): SeenDelivery {
  const { method, created, rank } = transaction;
  const seen = { first, method, copies: 0 };
  const own = toRank(first.status);
  if (own < 0) return seen;
  transaction.rank = Math.max(own, rank ?? own);
  if (rank !== undefined) return { ...seen, isLate: own < rank, ...(own === 0 && { isAtCreation: true }) };
  // A transaction becomes `pending` only when it is created.
  if (own > 0 && created === undefined) return seen;
  return { ...seen, isAtCreation: own === 0 || first.status === created };
}

/** In which order a transaction can have the statuses: the end of a payment is 2, what can follow it 3. */
function toRank(status: TransactionStatus): number {
  const place = TRANSACTION_STATUSES.indexOf(status as (typeof TRANSACTION_STATUSES)[number]);
  return Math.min(place, 2) + Number(place > 5);
}

/** Whether a value identifies no person, card or key. */
function isHarmless(value: Value): boolean {
  return typeof value === "string" ? /^(?!.*\d{4})[\w #./:'-]{1,100}$/.test(value) : Number(value) <= 1e8;
}

function mostFrequent(counts: Counts, values?: readonly Value[]): Value | undefined {
  let [chosen, most]: [Value | undefined, number] = [undefined, 0];
  for (const [value, times] of counts) {
    const isValue = values?.includes(value) ?? typeof value === "number";
    if (isValue && times >= most) [chosen, most] = [value, times];
  }
  return chosen;
}
