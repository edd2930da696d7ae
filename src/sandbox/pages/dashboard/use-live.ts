import { useEffect, useRef, useState } from "preact/hooks";
import type { FaultsView } from "../../control/views.ts";
import type { ArmedFault } from "../../faults/fault.ts";
import { call } from "../shared/api.ts";
import { type LiveBatch, listenToEvents } from "../shared/live-events.ts";

const RETRY_MS = 1_000;

/** The state of the gateway, and its changes. */
export interface Live {
  readonly isConnected: boolean;
  /** Increases each time the stream of changes opens: what changed before that is unknown. */
  readonly epoch: number;
  readonly armed: readonly ArmedFault[];
  /** The gateway's time when it was last advanced while the stream was open; ISO 8601. */
  readonly now: string | undefined;
  /** Calls a listener with all changes. @returns a function that removes the listener. */
  subscribe(listener: (batch: LiveBatch) => void): () => void;
}

export function useLive(): Live {
  const [isConnected, setConnected] = useState(false);
  const [epoch, setEpoch] = useState(0);
  const [armed, setArmed] = useState<readonly ArmedFault[]>([]);
  const [now, setNow] = useState<string>();
  const listeners = useRef(new Set<(batch: LiveBatch) => void>()).current;
  const faultEvents = useRef(0);
  const retry = useRef<number>(undefined);

  async function loadFaults(): Promise<void> {
    window.clearTimeout(retry.current);
    const before = faultEvents.current;
    try {
      const faults = await call<FaultsView>("GET", "faults");
      if (faultEvents.current === before) setArmed(faults.armed); // otherwise an event has set a newer state
    } catch {
      retry.current = window.setTimeout(() => void loadFaults(), RETRY_MS);
    }
  }

  useEffect(
    () =>
      listenToEvents({
        connected() {
          setConnected(true);
          setEpoch((before) => before + 1);
          setNow(undefined); // it may be another gateway
          void loadFaults();
        },
        disconnected: () => setConnected(false),
        changed(batch) {
          for (const listener of listeners) listener(batch);
          if (batch.now) setNow(batch.now);
          if (batch.armed === undefined) return;
          faultEvents.current += 1;
          setArmed(batch.armed);
        },
      }),
    [],
  );

  return {
    isConnected,
    epoch,
    armed,
    now,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Changes with each batch that concerns something, and when batches may have been missed. */
export function useVersion(
  { epoch, subscribe }: Live,
  concerns: (batch: LiveBatch) => boolean,
  dependency: unknown,
): string {
  const [changes, setChanges] = useState(0);
  useEffect(() => subscribe((batch) => concerns(batch) && setChanges((before) => before + 1)), [dependency]);
  return `${epoch}.${changes}`;
}
