import { urlOf } from "./api.ts";

const EVENTS = ["transaction", "request", "delivery", "faults", "clock"] as const;

/** Something in the gateway that is new or has changed. */
export interface LiveChange {
  readonly type: (typeof EVENTS)[number];
  /** Id of the request or transaction. A delivery has the id of its transaction. */
  readonly id: number | undefined;
}

export interface LiveListener {
  /** The stream is open, for the first time or again. Changes before that are unknown. */
  connected(): void;
  disconnected(): void;
  /** The changes of a short period, so that many changes cause only one update of the page. */
  changed(changes: readonly LiveChange[]): void;
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
  let changes: LiveChange[] = [];
  let flushing: number | undefined;
  let retrying: number | undefined;
  let source = open();

  function open(): EventSource {
    const opened = new EventSource(urlOf("events"));
    for (const type of EVENTS) {
      opened.addEventListener(type, ({ data }: MessageEvent<string>) => {
        const { id, transactionId = id } = JSON.parse(data) as { id?: number; transactionId?: number };
        changes.push({ type, id: type === "delivery" ? transactionId : id });
        flushing ??= window.setTimeout(flush, BATCH_MS);
      });
    }
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
    changed(changes);
    changes = [];
  }

  return () => {
    source.close();
    window.clearTimeout(flushing);
    window.clearTimeout(retrying);
  };
}
