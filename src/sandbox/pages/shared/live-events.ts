import type { RequestSummary, TransactionSummary } from "../../control/views.ts";
import type { ArmedFault } from "../../faults/fault.ts";
import { urlOf } from "./api.ts";

/** The changes of a short period, so that many changes cause only one update of the page. */
export interface LiveBatch {
  /** The latest state of each changed transaction. */
  readonly transactions: readonly TransactionSummary[];
  /** The latest state of each request that arrived or was answered. */
  readonly requests: readonly RequestSummary[];
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

/** What the tabs send each other. */
type Message =
  /** A tab has begun to listen, and asks for the state. */
  | { readonly type: "joined" }
  /** The stream that is open; `undefined` if it is interrupted. A new id means that changes may have been missed. */
  | { readonly type: "state"; readonly streamId: string | undefined }
  | { readonly type: "changed"; readonly batch: LiveBatch };

const BATCH_MS = 50;
const RETRY_MS = 1_000;

/** The URL of the stream. It is also the name of the lock and the channel: an origin can have several sandboxes. */
const STREAM = new URL(urlOf("events"), document.baseURI).href;

/**
 * Listens to the server-sent events of the control API while the page is visible. Returns a function that stops it.
 *
 * A browser opens at most six connections to a host, in all tabs together. Therefore, one visible tab opens the stream
 * and passes the events on to the others. A hidden tab does not listen: the browser may freeze it at any time.
 */
export function listenToEvents(listener: LiveListener): () => void {
  let stop: (() => void) | undefined;

  function update(): void {
    if (document.visibilityState === "visible") {
      stop ??= canShare() ? shareStream(listener) : openStream(listener);
    } else {
      stop?.();
      stop = undefined;
    }
  }

  update();
  document.addEventListener("visibilitychange", update);
  return () => {
    document.removeEventListener("visibilitychange", update);
    stop?.();
  };
}

/** Locks need a secure context, which plain HTTP to another machine is not. */
function canShare(): boolean {
  return "locks" in navigator && "BroadcastChannel" in window;
}

/**
 * Listens to the tab that holds the lock, and opens the stream if this tab gets the lock. The browser gives it to the
 * next tab when its holder stops, is closed or crashes.
 */
function shareStream(listener: LiveListener): () => void {
  const channel = new BroadcastChannel(STREAM);
  const stopping = new AbortController();
  const { signal } = stopping;
  let streamId: string | undefined | "unknown" = "unknown"; // so that also a first attempt that fails is a change
  let isLeader = false;

  function receive(message: Message): void {
    if (message.type === "changed") {
      listener.changed(message.batch);
    } else if (message.type === "joined") {
      if (isLeader && streamId !== "unknown")
        channel.postMessage({ type: "state", streamId } satisfies Message);
    } else if (message.streamId !== streamId) {
      streamId = message.streamId;
      if (streamId === undefined) listener.disconnected();
      else listener.connected();
    }
  }

  function send(message: Message): void {
    channel.postMessage(message);
    receive(message);
  }

  /** The promise holds the lock until this tab stops. */
  function lead(): Promise<void> | undefined {
    if (signal.aborted) return undefined;
    isLeader = true;
    const close = openStream({
      connected: () => send({ type: "state", streamId: crypto.randomUUID() }),
      disconnected: () => send({ type: "state", streamId: undefined }),
      changed: (batch) => send({ type: "changed", batch }),
    });
    return new Promise((resolve) => {
      signal.addEventListener("abort", () => {
        close();
        resolve();
      });
    });
  }

  channel.addEventListener("message", ({ data }: MessageEvent<Message>) => receive(data));
  channel.postMessage({ type: "joined" } satisfies Message); // before it loads: no change falls in between
  navigator.locks.request(STREAM, { signal }, lead).catch(() => {
    // Stopped before it got the lock, or the browser is set to let pages keep nothing, and refuses locks.
    if (!signal.aborted) signal.addEventListener("abort", openStream(listener));
  });
  return () => {
    stopping.abort();
    channel.close();
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
    const opened = new EventSource(STREAM);
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
      ...(armed && { armed }),
      ...(now && { now }),
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
