import type { RequestSummary, TransactionSummary } from "../../control/views.ts";
import type { ArmedFault } from "../../faults/fault.ts";
import { urlOf } from "./api.ts";

/** The lists of the control API, and their entries. Newer entries have higher ids. */
export interface ListEntries {
  readonly transactions: TransactionSummary;
  readonly requests: RequestSummary;
}

/** Entries of each list. In a batch: the latest state of each entry that is new or has changed. */
export type ListRows = { readonly [List in keyof ListEntries]: readonly ListEntries[List][] };

/** The changes of a short period, so that many changes cause only one update of the page. */
export interface LiveBatch extends ListRows {
  /** Ids of the transactions whose postbacks changed. */
  readonly deliveries: readonly number[];
  readonly armed: readonly ArmedFault[] | undefined;
  /** The gateway's time after it was advanced, ISO 8601. */
  readonly now: string | undefined;
}

export interface LiveListener {
  /** The stream is open, for the first time or again. Changes before that are unknown. */
  connected(): void;
  disconnected(): void;
  changed(batch: LiveBatch): void;
}

const BATCH_MS = 50;
const RETRY_MS = 1_000;

/**
 * Listens to the server-sent events of the control API while the page is visible. Returns a function that stops it.
 *
 * A hidden tab closes its stream: a browser opens at most six HTTP/1.1 connections to a host, in all tabs together, and
 * forgotten tabs would leave none for the visible one. When the tab is shown again, `connected` lets the page reload
 * what it missed.
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
  const transactions = new Map<number, TransactionSummary>();
  const requests = new Map<number, RequestSummary>();
  const deliveries = new Set<number>();
  let armed: readonly ArmedFault[] | undefined;
  let now: string | undefined;
  let flushing: number | undefined;
  let retrying: number | undefined;
  let source = open();

  function open(): EventSource {
    const opened = new EventSource(urlOf("events"));
    const on = <T>(name: string, handle: (data: T) => void) =>
      opened.addEventListener(name, ({ data }: MessageEvent<string>) => {
        handle(JSON.parse(data) as T);
        flushing ??= window.setTimeout(flush, BATCH_MS);
      });
    on<TransactionSummary>("transaction", (summary) => transactions.set(summary.id, summary));
    on<RequestSummary>("request", (summary) => requests.set(summary.id, summary));
    on<{ transactionId: number }>("delivery", ({ transactionId }) => deliveries.add(transactionId));
    on<{ armed: readonly ArmedFault[] }>("faults", (data) => {
      armed = data.armed;
    });
    on<{ now: string }>("clock", (data) => {
      now = data.now;
    });
    opened.addEventListener("open", connected);
    opened.addEventListener("error", () => {
      disconnected();
      if (opened.readyState !== EventSource.CLOSED) return; // it connects again by itself
      retrying = window.setTimeout(() => {
        source = open();
      }, RETRY_MS);
    });
    return opened;
  }

  function flush(): void {
    flushing = undefined;
    changed({
      transactions: [...transactions.values()],
      requests: [...requests.values()],
      deliveries: [...deliveries],
      armed,
      now,
    });
    for (const collected of [transactions, requests, deliveries]) collected.clear();
    armed = undefined;
    now = undefined;
  }

  return () => {
    source.close();
    window.clearTimeout(flushing);
    window.clearTimeout(retrying);
  };
}
