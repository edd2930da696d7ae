import { useEffect, useRef, useState } from "preact/hooks";
import type { FaultsView, TransactionPage, TransactionSummary } from "../../control/views.ts";
import type { ArmedFault } from "../../faults/fault.ts";
import { call, messageOf } from "../shared/api.ts";
import { listenToEvents } from "../shared/live-events.ts";
import { extended, merged, PAGE, type Rows } from "./rows.ts";

const RETRY_MS = 1_000;

export interface LiveList {
  /** Newest first; `undefined` until the first answer. */
  readonly rows: readonly TransactionSummary[] | undefined;
  readonly hasMore: boolean;
  readonly problem: string | undefined;
  showOlder(): Promise<void>;
}

export interface Live extends LiveList {
  readonly connected: boolean;
  readonly armed: readonly ArmedFault[];
  /** Where the gateway's clock was when it was last advanced while this page was open; ISO 8601. */
  readonly now: string | undefined;
  /** Goes up with everything that happens to a transaction. */
  versionOf(id: number): number;
}

/** What the gateway holds, kept up to date by its events. */
export function useLive(): Live {
  const [connected, setConnected] = useState(false);
  const [list, setList] = useState<Rows>();
  const [armed, setArmed] = useState<readonly ArmedFault[]>([]);
  const [problem, setProblem] = useState<string>();
  const [versions, setVersions] = useState<ReadonlyMap<number, number>>(new Map());
  const [epoch, setEpoch] = useState(0);
  const [now, setNow] = useState<string>();
  const retry = useRef<number>(undefined);
  const shown = useRef(PAGE);
  shown.current = list?.shown ?? PAGE;
  const { upToDate, note } = useUpToDate();
  const armedEvents = useRef(0);

  async function load(): Promise<void> {
    window.clearTimeout(retry.current);
    try {
      setList(await upToDate(fetchRows(shown.current)));
      setEpoch((before) => before + 1);
      const seen = armedEvents.current;
      const faults = await call<FaultsView>("GET", "faults");
      if (armedEvents.current === seen) setArmed(faults.armed); // else an event told a newer state
      setProblem(undefined);
    } catch (error) {
      setProblem(messageOf(error));
      retry.current = window.setTimeout(() => void load(), RETRY_MS);
    }
  }

  useEffect(
    () =>
      listenToEvents({
        opened() {
          setConnected(true);
          void load();
        },
        lost: () => setConnected(false),
        happened(batch) {
          note(batch.transactions);
          const ids = [...batch.transactions.map(({ id }) => id), ...batch.delivered];
          setVersions((before) => raised(before, ids));
          setList((before) => before && merged(before, batch.transactions));
          if (batch.now) setNow(batch.now);
          if (batch.armed === undefined) return;
          armedEvents.current += 1;
          setArmed(batch.armed);
        },
      }),
    [],
  );

  return {
    connected,
    armed,
    now,
    problem,
    rows: list?.transactions.slice(0, list.shown),
    hasMore: list !== undefined && (list.hasMore || list.transactions.length > list.shown),
    async showOlder() {
      const last = list?.transactions.slice(0, list.shown).at(-1);
      if (last === undefined) return;
      const older = await upToDate(fetchPage(last.id));
      setList((now) => now && extended(now, older, last.id));
    },
    versionOf: (id) => (versions.get(id) ?? 0) + epoch * 1_000_000,
  };
}

/** What is fetched is as old as its question: what happens while it is on its way is put into it. */
function useUpToDate() {
  const underWay = useRef(new Set<TransactionSummary[]>());
  return {
    async upToDate<T extends TransactionPage>(fetching: Promise<T>): Promise<T> {
      const meanwhile: TransactionSummary[] = [];
      underWay.current.add(meanwhile);
      try {
        return merged(await fetching, meanwhile);
      } finally {
        underWay.current.delete(meanwhile);
      }
    },
    note(changed: readonly TransactionSummary[]): void {
      for (const list of underWay.current) list.push(...changed);
    },
  };
}

function fetchPage(before?: number): Promise<TransactionPage> {
  const query = before === undefined ? "" : `&before=${before}`;
  return call<TransactionPage>("GET", `transactions?limit=${PAGE}${query}`);
}

/** As many rows as were there before: whoever scrolled down stays there. */
async function fetchRows(count: number): Promise<Rows> {
  let rows: Rows = { ...(await fetchPage()), shown: PAGE };
  while (rows.hasMore && rows.shown < count) {
    const last = rows.transactions.at(-1)?.id ?? 0;
    rows = extended(rows, await fetchPage(last), last);
  }
  return rows;
}

function raised(before: ReadonlyMap<number, number>, ids: readonly number[]): ReadonlyMap<number, number> {
  const after = new Map(before);
  for (const id of ids) after.set(id, (after.get(id) ?? 0) + 1);
  return after;
}
