import type { TransactionSummary } from "../../control/views.ts";
import type { ArmedFault } from "../../faults/fault.ts";
import { addressOf } from "./api.ts";

/** What happened since the last time, all at once: a burst makes one change of the page. */
export interface LiveBatch {
  /** The newest state of each. */
  readonly transactions: readonly TransactionSummary[];
  /** The transactions whose postbacks changed. */
  readonly delivered: readonly number[];
  readonly armed?: readonly ArmedFault[];
  /** Where the gateway's clock was advanced to, ISO 8601. */
  readonly now?: string;
}

export interface LiveListener {
  /** The stream is open, for the first time or again: what happened meanwhile is not known. */
  opened(): void;
  lost(): void;
  happened(batch: LiveBatch): void;
}

const BATCH_MS = 50;

/**
 * Listens to the server-sent events of the control API while the page can be seen. Returns what ends that.
 *
 * A browser has six connections to a host for all its tabs: six that listen unseen would leave none for the
 * seventh, nor for a call of the merchant's own page.
 */
export function listenToEvents(listener: LiveListener): () => void {
  let close: (() => void) | undefined;

  function follow(): void {
    if (document.visibilityState === "visible") {
      close ??= openStream(listener);
    } else {
      close?.();
      close = undefined;
    }
  }

  follow();
  document.addEventListener("visibilitychange", follow);
  return () => {
    document.removeEventListener("visibilitychange", follow);
    close?.();
  };
}

function openStream({ opened, lost, happened }: LiveListener): () => void {
  const source = new EventSource(addressOf("events"));
  const transactions = new Map<number, TransactionSummary>();
  const delivered = new Set<number>();
  let armed: readonly ArmedFault[] | undefined;
  let now: string | undefined;
  let timer: number | undefined;

  function flush(): void {
    timer = undefined;
    const batch = { transactions: [...transactions.values()], delivered: [...delivered] };
    happened({ ...batch, ...(armed && { armed }), ...(now && { now }) });
    transactions.clear();
    delivered.clear();
    armed = undefined;
    now = undefined;
  }

  function on<T>(name: string, take: (data: T) => void): void {
    source.addEventListener(name, ({ data }: MessageEvent<string>) => {
      take(JSON.parse(data) as T);
      timer ??= window.setTimeout(flush, BATCH_MS);
    });
  }

  on<TransactionSummary>("transaction", (summary) => transactions.set(summary.id, summary));
  on<{ transactionId: number }>("delivery", ({ transactionId }) => delivered.add(transactionId));
  on<{ armed: readonly ArmedFault[] }>("faults", (data) => {
    armed = data.armed;
  });
  on<{ now: string }>("clock", (data) => {
    now = data.now;
  });
  source.addEventListener("open", opened);
  source.addEventListener("error", lost);

  return () => {
    source.close();
    window.clearTimeout(timer);
  };
}
