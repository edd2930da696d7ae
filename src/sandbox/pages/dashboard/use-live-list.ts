import { useEffect, useRef, useState } from "preact/hooks";
import { call, messageOf } from "../shared/api.ts";
import type { LiveBatch } from "../shared/live-events.ts";
import type { Filter } from "./route.ts";
import { mergeRows, type Row, replaceRows } from "./rows.ts";
import type { Live } from "./use-live.ts";

/** The first page is small, so that it is shown at once. */
const FIRST_PAGE = 100;
const NEXT_PAGES = 1_000;
const RETRY_MS = 1_000;
/** Only the server can tell which changed entries match a filter. It is asked once in this time. */
const FILTER_AGAIN_MS = 500;

/** A list of the control API. `Key` is its name there and in the changes. */
export interface Source<Key extends "transactions" | "requests"> {
  readonly key: Key;
  /** How many entries the gateway keeps. Default: all. */
  readonly max?: number;
}

type Entry<Key extends keyof LiveBatch> =
  NonNullable<LiveBatch[Key]> extends readonly (infer T)[] ? T : never;

export interface LiveList<T> {
  /** The loaded entries, newest first; `undefined` until the first ones are loaded. */
  readonly rows: readonly T[] | undefined;
  /** How many entries match, loaded or not. */
  readonly total: number;
  readonly problem: string | undefined;
}

interface State<T> {
  readonly rows: readonly T[];
  readonly total: number;
}

/** Loads all entries that match a filter, and keeps them up to date. */
export function useLiveList<Key extends "transactions" | "requests">(
  live: Live,
  { key, max = Number.POSITIVE_INFINITY }: Source<Key>,
  filter: Filter,
): LiveList<Entry<Key> & Row> {
  type T = Entry<Key> & Row;
  const query = new URLSearchParams(filter).toString();
  const [state, setState] = useState<State<T> & { readonly query: string }>();
  const [problem, setProblem] = useState<string>();
  const shownQuery = useRef<string>(undefined);

  useEffect(() => {
    if (live.epoch === 0) return; // the changes that follow could be missed
    const loading = new AbortController();
    const isFiltered = query !== "";
    let changedWhileLoading: T[] | undefined;
    let timer: number | undefined;

    const apply = (rows: readonly T[], changed: readonly T[]) =>
      isFiltered ? replaceRows(rows, changed) : mergeRows(rows, changed).slice(0, max);
    const show = (update: (before: State<T>) => State<T>) =>
      setState((before) => ({ ...update(before?.query === query ? before : { rows: [], total: 0 }), query }));

    async function load(): Promise<void> {
      window.clearTimeout(timer);
      timer = undefined;
      const changed: T[] = [];
      changedWhileLoading = changed;
      try {
        // A list that is on the screen is replaced as a whole: the reader stays where they are.
        const onPage = shownQuery.current === query ? () => {} : publish;
        const loaded = await loadAll<T>(key, query, loading.signal, onPage);
        if (loaded) publish(loaded);
        setProblem(undefined);
      } catch (error) {
        if (loading.signal.aborted) return;
        setProblem(messageOf(error));
        timer = window.setTimeout(() => void load(), RETRY_MS);
      }

      function publish(page: Page<T>): void {
        const oldest = page.isLast ? 0 : (page.rows.at(-1)?.id ?? 0);
        const relevant = changed.filter(({ id }) => id >= oldest); // older ones come with their page
        const rows = apply(page.rows, relevant);
        show(() => ({ rows, total: page.isLast ? rows.length : page.total }));
        if (!page.isLast) return;
        shownQuery.current = query;
        changedWhileLoading = undefined;
        if (isFiltered && changed.length > 0) loadSoon();
      }
    }

    function loadSoon(): void {
      timer ??= window.setTimeout(() => void load(), FILTER_AGAIN_MS);
    }

    const unsubscribe = live.subscribe((batch) => {
      const changed = batch[key] as unknown as readonly T[];
      if (changed.length === 0) return;
      if (changedWhileLoading) changedWhileLoading.push(...changed);
      else if (isFiltered) loadSoon();
      if (shownQuery.current !== query) return;
      show(({ rows }) => {
        const next = apply(rows, changed);
        return { rows: next, total: next.length };
      });
    });
    void load();
    return () => {
      loading.abort();
      unsubscribe();
      window.clearTimeout(timer);
    };
  }, [key, query, live.epoch]);

  const isCurrent = state?.query === query;
  return { rows: isCurrent ? state.rows : undefined, total: isCurrent ? state.total : 0, problem };
}

type Page<T> = State<T> & { readonly isLast: boolean };

/** @param onPage receives what is loaded so far. @returns everything, or `undefined` if it was aborted. */
async function loadAll<T extends Row>(
  key: string,
  query: string,
  signal: AbortSignal,
  onPage: (loaded: Page<T>) => void,
): Promise<Page<T> | undefined> {
  let rows: readonly T[] = [];
  for (;;) {
    const before = rows.at(-1);
    const range = before === undefined ? `limit=${FIRST_PAGE}` : `limit=${NEXT_PAGES}&before=${before.id}`;
    const page = await call<ListResponse>("GET", `${key}?${range}${query && `&${query}`}`);
    if (signal.aborted) return undefined;
    rows = [...rows, ...(page[key] as readonly T[])];
    const loaded = { rows, total: page.total, isLast: !page.hasMore };
    if (loaded.isLast) return loaded;
    onPage(loaded);
  }
}

interface ListResponse {
  readonly [key: string]: unknown;
  readonly total: number;
  readonly hasMore: boolean;
}
