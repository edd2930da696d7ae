import { useEffect, useRef, useState } from "preact/hooks";
import { type LiveChange, type LiveListener, listenToEvents } from "./live-events.ts";

export type Live = ReturnType<typeof useLive>;

/** The changes of the gateway. */
export function useLive() {
  const [isConnected, setConnected] = useState<boolean>();
  const [epoch, setEpoch] = useState(0);
  const listeners = useRef(new Set<LiveListener["changed"]>()).current;

  useEffect(
    () =>
      listenToEvents({
        connected() {
          setConnected(true);
          setEpoch((before) => before + 1);
        },
        disconnected: () => setConnected(false),
        changed(changes) {
          for (const listener of listeners) listener(changes);
        },
      }),
    [],
  );

  return {
    /** `undefined` until the first attempt has ended. */
    isConnected,
    /** Increases each time the stream of changes opens: what changed before that is unknown. */
    epoch,
    /** Calls a listener with all changes. @returns a function that removes the listener. */
    subscribe(listener: LiveListener["changed"]): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
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
