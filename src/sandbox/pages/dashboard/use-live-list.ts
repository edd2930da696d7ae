import { useEffect, useRef, useState } from "preact/hooks";
import type {
  RequestPage,
  RequestSummary,
  TransactionPage,
  TransactionSummary,
} from "../../control/views.ts";
import { call, messageOf } from "../shared/api.ts";
import type { Live } from "../shared/use-live.ts";
import type { Filter } from "./location.ts";

/** The lists of the control API, by the name of an entry. Newer entries have higher ids. */
export interface ListEntries {
  readonly transaction: TransactionSummary;
  readonly request: RequestSummary;
}

/** The first page is small, so that it is shown at once. */
const FIRST_PAGE = 100;
const NEXT_PAGES = 1_000;
/** A list is loaded at most once in this time: only the server knows which changed entries match a filter. */
const RELOAD_MS = 150;
const RETRY_MS = 1_000;

interface LoadedRows<T> {
  /** The loaded entries, newest first. */
  readonly rows: readonly T[];
  /** How many entries match, loaded or not. */
  readonly total: number;
}

/** Loads the entries that match a filter as far as they are wanted, and keeps them up to date. */
export function useLiveList<Name extends keyof ListEntries>(live: Live, name: Name, filter: Filter) {
  const query = new URLSearchParams(filter).toString();
  const [loaded, setLoaded] = useState<LoadedRows<ListEntries[Name]> & { readonly query: string }>();
  const [problem, setProblem] = useState<string>();
  const wantedId = useRef(Number.POSITIVE_INFINITY);
  const loadNow = useRef(() => {});

  useEffect(() => {
    wantedId.current = Number.POSITIVE_INFINITY;
  }, [query]);
  useEffect(() => {
    if (live.epoch === 0) return; // the changes that follow could be missed
    let isStopped = false;
    let isOutdated = false;
    let timer: number | undefined; // set until the list is loaded: one load at a time

    function loadIn(delayMs: number): void {
      isOutdated = true;
      timer ??= window.setTimeout(() => void load(), delayMs);
    }

    async function load(): Promise<void> {
      isOutdated = false;
      let failure: string | undefined;
      try {
        const current = await loadRows(name, query, wantedId.current);
        if (!isStopped) setLoaded({ ...current, query });
      } catch (error) {
        failure = messageOf(error);
      }
      if (isStopped) return;
      setProblem(failure);
      timer = undefined;
      if (failure !== undefined) loadIn(RETRY_MS);
      else if (isOutdated) loadIn(RELOAD_MS);
    }

    const unsubscribe = live.subscribe((changes) => {
      if (changes.some(({ type }) => type === name)) loadIn(RELOAD_MS);
    });
    loadNow.current = () => loadIn(0);
    loadIn(0);
    return () => {
      isStopped = true;
      unsubscribe();
      window.clearTimeout(timer);
    };
  }, [name, query, live.epoch]);

  return {
    /** `undefined` until the first entries are loaded. */
    loaded: loaded?.query === query ? loaded : undefined,
    problem,
    /** Keeps the list loaded from the newest entry to the one with this id. */
    loadTo(id: number): void {
      wantedId.current = id;
      if (loaded && loaded.rows.length < loaded.total && (loaded.rows.at(-1)?.id ?? 0) > id)
        loadNow.current();
    },
  };
}

/** @param lastId the oldest entry that is wanted. Pages are loaded as a whole. */
async function loadRows<Name extends keyof ListEntries>(
  name: Name,
  query: string,
  lastId: number,
): Promise<LoadedRows<ListEntries[Name]>> {
  const rows: ListEntries[Name][] = [];
  for (let range = `limit=${FIRST_PAGE}`; ; range = `limit=${NEXT_PAGES}&before=${rows.at(-1)?.id}`) {
    const page = await call<TransactionPage & RequestPage>("GET", `${name}s?${range}${query && `&${query}`}`);
    rows.push(...(page[`${name}s`] as readonly ListEntries[Name][]));
    if (!page.hasMore || (rows.at(-1)?.id ?? 0) <= lastId) return { rows, total: page.total };
  }
}
