import { useEffect, useRef, useState } from "preact/hooks";
import type { FaultsView, TransactionPage, TransactionSummary } from "../../control/views.ts";
import type { ArmedFault } from "../../faults/fault.ts";
import { call, messageOf } from "../shared/api.ts";
import { listenToEvents } from "../shared/live-events.ts";
import { append, merge, PAGE_SIZE, type Rows } from "./rows.ts";

const RETRY_MS = 1_000;

export interface LiveList {
  /** Newest first; `undefined` until they are loaded. */
  readonly rows: readonly TransactionSummary[] | undefined;
  readonly hasMore: boolean;
  readonly problem: string | undefined;
  showOlder(): Promise<void>;
}

export interface Live extends LiveList {
  readonly isConnected: boolean;
  readonly armed: readonly ArmedFault[];
  /** The gateway's time when it was last advanced while this page was open; ISO 8601. */
  readonly now: string | undefined;
  /** Increases with every change of a transaction. */
  versionOf(id: number): number;
}

/** The state of the gateway, kept up to date by its events. */
export function useLive(): Live {
  const [isConnected, setConnected] = useState(false);
  const [list, setList] = useState<Rows>();
  const [armed, setArmed] = useState<readonly ArmedFault[]>([]);
  const [problem, setProblem] = useState<string>();
  const [versions, setVersions] = useState<ReadonlyMap<number, number>>(new Map());
  const [epoch, setEpoch] = useState(0);
  const [now, setNow] = useState<string>();
  const retry = useRef<number>(undefined);
  const shown = useRef(PAGE_SIZE);
  shown.current = list?.shown ?? PAGE_SIZE;
  const { withUpdates, recordUpdates } = useUpdates();
  const faultEvents = useRef(0);

  async function load(): Promise<void> {
    window.clearTimeout(retry.current);
    try {
      setList(await withUpdates(fetchRows(shown.current)));
      setEpoch((before) => before + 1);
      const before = faultEvents.current;
      const faults = await call<FaultsView>("GET", "faults");
      if (faultEvents.current === before) setArmed(faults.armed); // otherwise an event has set a newer state
      setProblem(undefined);
    } catch (error) {
      setProblem(messageOf(error));
      retry.current = window.setTimeout(() => void load(), RETRY_MS);
    }
  }

  useEffect(
    () =>
      listenToEvents({
        connected() {
          setConnected(true);
          void load();
        },
        disconnected: () => setConnected(false),
        changed(batch) {
          recordUpdates(batch.transactions);
          const ids = [...batch.transactions.map(({ id }) => id), ...batch.deliveries];
          setVersions((before) => increment(before, ids));
          setList((before) => before && merge(before, batch.transactions));
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
    armed,
    now,
    problem,
    rows: list?.transactions.slice(0, list.shown),
    hasMore: list !== undefined && (list.hasMore || list.transactions.length > list.shown),
    async showOlder() {
      const last = list?.transactions.slice(0, list.shown).at(-1);
      if (last === undefined) return;
      const older = await withUpdates(fetchPage(last.id));
      setList((now) => now && append(now, older, last.id));
    },
    versionOf: (id) => (versions.get(id) ?? 0) + epoch * 1_000_000,
  };
}

/** Applies the changes that happen during a fetch to its result, which may be older. */
function useUpdates() {
  const inFlight = useRef(new Set<TransactionSummary[]>());
  return {
    async withUpdates<T extends TransactionPage>(fetching: Promise<T>): Promise<T> {
      const updates: TransactionSummary[] = [];
      inFlight.current.add(updates);
      try {
        return merge(await fetching, updates);
      } finally {
        inFlight.current.delete(updates);
      }
    },
    recordUpdates(changed: readonly TransactionSummary[]): void {
      for (const list of inFlight.current) list.push(...changed);
    },
  };
}

function fetchPage(before?: number): Promise<TransactionPage> {
  const query = before === undefined ? "" : `&before=${before}`;
  return call<TransactionPage>("GET", `transactions?limit=${PAGE_SIZE}${query}`);
}

/** Loads as many rows as before, so that the scroll position stays the same. */
async function fetchRows(count: number): Promise<Rows> {
  let rows: Rows = { ...(await fetchPage()), shown: PAGE_SIZE };
  while (rows.hasMore && rows.shown < count) {
    const last = rows.transactions.at(-1)?.id ?? 0;
    rows = append(rows, await fetchPage(last), last);
  }
  return rows;
}

function increment(before: ReadonlyMap<number, number>, ids: readonly number[]): ReadonlyMap<number, number> {
  const after = new Map(before);
  for (const id of ids) after.set(id, (after.get(id) ?? 0) + 1);
  return after;
}
