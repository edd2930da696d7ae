import { useEffect, useRef, useState } from "preact/hooks";
import { call, messageOf } from "../shared/api.ts";
import type { ListEntries, ListRows } from "../shared/live-events.ts";
import type { Filter } from "./location.ts";
import type { Live } from "./use-live.ts";

/** An entry of a list. */
export type Row = ListEntries[keyof ListEntries];

/** The first page is small, so that it is shown at once. */
const FIRST_PAGE = 100;
const NEXT_PAGES = 1_000;
const RETRY_MS = 1_000;
/** Only the server knows which changed entries match a filter. A filtered list is loaded at most once in this time. */
const RELOAD_MS = 500;

export interface LiveList<T> {
  /** The loaded entries, newest first; `undefined` until the first ones are loaded. */
  readonly rows: readonly T[] | undefined;
  /** How many entries match, loaded or not. */
  readonly total: number;
  readonly problem: string | undefined;
}

/**
 * Loads all entries that match a filter, and keeps them up to date.
 *
 * @param max how many entries the gateway keeps. Default: all.
 */
export function useLiveList<List extends keyof ListEntries>(
  live: Live,
  list: List,
  filter: Filter,
  max = Number.POSITIVE_INFINITY,
): LiveList<ListEntries[List]> {
  type T = ListEntries[List];
  const query = new URLSearchParams(filter).toString();
  const [state, setState] = useState<{
    readonly query: string;
    readonly rows: readonly T[];
    readonly total: number;
  }>();
  const [problem, setProblem] = useState<string>();
  const shownQuery = useRef<string>(undefined);

  useEffect(() => {
    if (live.epoch === 0) return; // the changes that follow could be missed
    const isFiltered = query !== "";
    let isStopped = false;
    let changedWhileLoading: T[] | undefined;
    let timer: number | undefined;

    const apply = (rows: readonly T[], changed: readonly T[]) =>
      applyChanges(rows, changed, isFiltered).slice(0, max);

    async function load(): Promise<void> {
      window.clearTimeout(timer);
      timer = undefined;
      const changed: T[] = [];
      changedWhileLoading = changed;
      try {
        for await (const page of loadPages<T>(list, query)) {
          if (isStopped) return;
          show(page, changed);
        }
        setProblem(undefined);
      } catch (error) {
        if (isStopped) return;
        setProblem(messageOf(error));
        timer = window.setTimeout(() => void load(), RETRY_MS);
      }
    }

    function show({ rows, total, isLast }: Page<T>, changed: readonly T[]): void {
      // A list that is on the screen is replaced as a whole: the reader stays where they are.
      if (!isLast && shownQuery.current === query) return;
      const current = apply(rows, isLast ? changed : withoutOlder(changed, rows.at(-1)));
      setState({ query, rows: current, total: isLast ? current.length : total });
      if (isLast) finish(changed);
    }

    function finish(changed: readonly T[]): void {
      shownQuery.current = query;
      changedWhileLoading = undefined;
      if (isFiltered && changed.length > 0) loadSoon();
    }

    function loadSoon(): void {
      timer ??= window.setTimeout(() => void load(), RELOAD_MS);
    }

    const unsubscribe = live.subscribe((batch: ListRows) => {
      const changed: readonly T[] = batch[list];
      if (changed.length === 0) return;
      if (changedWhileLoading) changedWhileLoading.push(...changed);
      else if (isFiltered) loadSoon();
      if (shownQuery.current !== query) return;
      setState((before) => {
        const rows = apply(before?.rows ?? [], changed);
        return { query, rows, total: rows.length };
      });
    });
    void load();
    return () => {
      isStopped = true;
      unsubscribe();
      window.clearTimeout(timer);
    };
  }, [list, query, live.epoch]);

  const isCurrent = state?.query === query;
  return { rows: isCurrent ? state.rows : undefined, total: isCurrent ? state.total : 0, problem };
}

/** Replaces changed rows. Without a filter, it also adds new rows. The newest is first. */
function applyChanges<T extends Row>(
  rows: readonly T[],
  changed: readonly T[],
  isFiltered: boolean,
): readonly T[] {
  const latest = new Map(changed.map((row) => [row.id, row]));
  const replaced = rows.map((row) => latest.get(row.id) ?? row);
  if (isFiltered) return replaced;
  for (const { id } of rows) latest.delete(id);
  return latest.size === 0 ? replaced : [...latest.values(), ...replaced].sort((a, b) => b.id - a.id);
}

interface Page<T> {
  readonly rows: readonly T[];
  readonly total: number;
  readonly isLast: boolean;
}

/** Older entries come with a later page. */
function withoutOlder<T extends Row>(changed: readonly T[], oldest: T | undefined): readonly T[] {
  return oldest ? changed.filter(({ id }) => id >= oldest.id) : changed;
}

/** Loads a list page by page. Each result contains all earlier pages. */
async function* loadPages<T extends Row>(list: keyof ListEntries, query: string): AsyncGenerator<Page<T>> {
  let rows: readonly T[] = [];
  let range = `limit=${FIRST_PAGE}`;
  for (;;) {
    const page = await call<ListResponse>("GET", `${list}?${range}${query && `&${query}`}`);
    rows = [...rows, ...(page[list] as readonly T[])];
    yield { rows, total: page.total, isLast: !page.hasMore };
    if (!page.hasMore) return;
    range = `limit=${NEXT_PAGES}&before=${rows.at(-1)?.id}`;
  }
}

interface ListResponse {
  readonly [list: string]: unknown;
  readonly total: number;
  readonly hasMore: boolean;
}
