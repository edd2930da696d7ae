import type { TransactionSummary } from "../../control/views.ts";
import type { ArmedFault } from "../../faults/fault.ts";
import { urlOf } from "./api.ts";

/** The changes of a short period, so that many changes cause only one update of the page. */
export interface LiveBatch {
  /** The latest state of each changed transaction. */
  readonly transactions: readonly TransactionSummary[];
  /** Ids of the transactions whose postbacks changed. */
  readonly deliveries: readonly number[];
  readonly armed?: readonly ArmedFault[];
  /** The gateway's time after it was advanced, ISO 8601. */
  readonly now?: string;
}

export interface LiveListener {
  /** The stream is open, for the first time or again. Changes before that are unknown. */
  connected(): void;
  disconnected(): void;
  changed(batch: LiveBatch): void;
}

const BATCH_MS = 50;

/**
 * Listens to the server-sent events of the control API while the page is visible. Returns a function that stops it.
 *
 * A browser opens at most six connections to a host, in all tabs together: six hidden tabs that listen would leave
 * none for a seventh tab or for the merchant's own page.
 */
export function listenToEvents(listener: LiveListener): () => void {
  let close: (() => void) | undefined;

  function update(): void {
    if (document.visibilityState === "visible") {
      close ??= openStream(listener);
    } else {
      close?.();
      close = undefined;
    }
  }

  update();
  document.addEventListener("visibilitychange", update);
  return () => {
    document.removeEventListener("visibilitychange", update);
    close?.();
  };
}

function openStream({ connected, disconnected, changed }: LiveListener): () => void {
  const source = new EventSource(urlOf("events"));
  const transactions = new Map<number, TransactionSummary>();
  const deliveries = new Set<number>();
  let armed: readonly ArmedFault[] | undefined;
  let now: string | undefined;
  let timer: number | undefined;

  function flush(): void {
    timer = undefined;
    const batch = { transactions: [...transactions.values()], deliveries: [...deliveries] };
    changed({ ...batch, ...(armed && { armed }), ...(now && { now }) });
    transactions.clear();
    deliveries.clear();
    armed = undefined;
    now = undefined;
  }

  function on<T>(name: string, handle: (data: T) => void): void {
    source.addEventListener(name, ({ data }: MessageEvent<string>) => {
      handle(JSON.parse(data) as T);
      timer ??= window.setTimeout(flush, BATCH_MS);
    });
  }

  on<TransactionSummary>("transaction", (summary) => transactions.set(summary.id, summary));
  on<{ transactionId: number }>("delivery", ({ transactionId }) => deliveries.add(transactionId));
  on<{ armed: readonly ArmedFault[] }>("faults", (data) => {
    armed = data.armed;
  });
  on<{ now: string }>("clock", (data) => {
    now = data.now;
  });
  source.addEventListener("open", connected);
  source.addEventListener("error", disconnected);

  return () => {
    source.close();
    window.clearTimeout(timer);
  };
}
