import { useEffect, useRef, useState } from "preact/hooks";
import { urlOf } from "./api.ts";

const EVENTS = ["transaction", "request", "delivery", "faults", "clock"] as const;

interface LiveChange {
  readonly type: (typeof EVENTS)[number];
  /** Id of the request or transaction. A delivery has the id of its transaction. */
  readonly id: number | undefined;
}

/** Gets the changes of a short period, so that many changes cause only one update of the page. */
type Listener = (changes: readonly LiveChange[]) => void;

export type Live = ReturnType<typeof useLive>;

/**
 * The changes of the gateway: the server-sent events of the control API while the page is visible.
 *
 * A hidden tab closes its stream: a browser opens at most six HTTP/1.1 connections to a host, in all tabs together, and
 * forgotten tabs would leave none for the visible one. When the tab is shown again, a new `epoch` lets the page reload
 * what it missed.
 */
export function useLive() {
  const [isConnected, setConnected] = useState<boolean>();
  const [epoch, setEpoch] = useState(0);
  const listeners = useRef(new Set<Listener>()).current;

  useEffect(() => {
    let close: (() => void) | undefined;
    const onState = (isOpen: boolean) => {
      setConnected(isOpen);
      if (isOpen) setEpoch((before) => before + 1);
    };
    const onChanges: Listener = (changes) => {
      for (const listener of listeners) listener(changes);
    };
    const update = () => {
      if (document.visibilityState === "visible") {
        close ??= openStream(onState, onChanges);
      } else {
        close?.();
        close = undefined;
      }
    };
    update();
    document.addEventListener("visibilitychange", update);
    return () => {
      document.removeEventListener("visibilitychange", update);
      close?.();
    };
  }, []);

  return {
    /** `undefined` until the first attempt has ended. */
    isConnected,
    /** Increases each time the stream of changes opens: what changed before that is unknown. */
    epoch,
    /** Calls a listener with all changes. @returns a function that removes the listener. */
    subscribe(listener: Listener): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const BATCH_MS = 50;
const RETRY_MS = 1_000;

/** @returns a function that closes the stream. */
function openStream(onState: (isOpen: boolean) => void, onChanges: Listener): () => void {
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
    opened.addEventListener("open", () => onState(true));
    opened.addEventListener("error", () => {
      onState(false);
      if (opened.readyState !== EventSource.CLOSED) return; // the browser connects again
      retrying = window.setTimeout(() => {
        source = open();
      }, RETRY_MS);
    });
    return opened;
  }

  function flush(): void {
    flushing = undefined;
    onChanges(changes);
    changes = [];
  }

  return () => {
    source.close();
    window.clearTimeout(flushing);
    window.clearTimeout(retrying);
  };
}

/** Changes when something that matters has changed, and when changes may have been missed. */
export function useVersion(
  { epoch, subscribe }: Live,
  matters: (change: LiveChange) => boolean,
  dependency?: unknown,
): string {
  const [count, setCount] = useState(0);
  useEffect(
    () => subscribe((changes) => changes.some(matters) && setCount((before) => before + 1)),
    [dependency],
  );
  return `${epoch}.${count}`;
}
