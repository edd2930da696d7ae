import type { ComponentChildren, ComponentProps } from "preact";
import type {
  RequestPage,
  RequestSummary,
  TransactionPage,
  TransactionSummary,
} from "../../control/views.ts";
import { Problem } from "../shared/action.tsx";
import { messageOf } from "../shared/api.ts";
import { useFetched } from "../shared/live.ts";
import { type DashboardLocation, hrefOf } from "./location.ts";

/** The lists of the control API, by the name of an entry. Newer entries have higher ids. */
interface ListEntries {
  readonly transaction: TransactionSummary;
  readonly request: RequestSummary;
}

export interface ListProps {
  readonly location: Required<DashboardLocation>;
  search(q: string): void;
}

interface Props<Name extends keyof ListEntries> extends ListProps {
  readonly name: Name;
  readonly title: string;
  /** What the search finds. */
  readonly searchLabel: string;
  /** Shown while the list has no entries at all. */
  readonly empty: ComponentChildren;
  /** The titles of the columns, by the class of their cells. */
  readonly columns: Readonly<Record<string, string>>;
  /** The cells of a row, one for each column. The first contains the link that opens the row. */
  renderCells(row: ListEntries[Name], link: ComponentProps<"a">): ComponentChildren;
}

/** The newest entries that match the search. */
export function List<Name extends keyof ListEntries>(props: Props<Name>) {
  const { name, title, searchLabel, location, search, empty } = props;
  const { q } = location;
  const path = `${name}s?${new URLSearchParams({ q })}`;
  const { value, error } = useFetched<TransactionPage & RequestPage>(path, name);
  const rows = value?.[`${name}s`] as readonly ListEntries[Name][] | undefined;
  const noMatch = "Nothing matches the search.";
  return (
    <section class="stack panel list" aria-label={title}>
      <search class="inline">
        <input
          type="search"
          aria-label={searchLabel}
          placeholder={searchLabel}
          autocomplete="off"
          spellcheck={false}
          value={q}
          onInput={(event) => search(event.currentTarget.value)}
        />
        {/* A screen reader hears the result of a search, and not every change of the total. */}
        <span class="small" role={q === "" ? undefined : "status"}>
          {value && `Total: ${value.total}`}
        </span>
      </search>
      {error !== undefined && <Problem text={messageOf(error)} />}
      {rows === undefined && error === undefined && <p class="muted">Loading…</p>}
      {rows?.length === 0 && <p class="muted">{q === "" ? empty : noMatch}</p>}
      {rows !== undefined && rows.length > 0 && <Table {...props} rows={rows} />}
      {value?.hasMore && (
        <p class="muted">{`Only the newest ${rows?.length} are shown. Search to find the others.`}</p>
      )}
    </section>
  );
}

interface TableProps<Name extends keyof ListEntries> extends Props<Name> {
  readonly rows: readonly ListEntries[Name][];
}

function Table<Name extends keyof ListEntries>(props: TableProps<Name>) {
  const { name, title, columns, location, rows, renderCells } = props;
  return (
    <table aria-label={title}>
      <thead>
        <tr>
          {Object.entries(columns).map(([column, columnTitle]) => (
            <th key={column} scope="col" class={column}>
              {columnTitle}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const isOpen = row.id === location.openId;
          const link = {
            href: hrefOf({ ...location, openId: row.id }),
            "aria-current": isOpen ? ("true" as const) : undefined,
          };
          return (
            <tr key={row.id} id={`${name}-${row.id}`} class={isOpen ? "open" : ""} onClick={openRow}>
              {renderCells(row, link)}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** A click anywhere in a row opens it, unless it ends a selection of text. */
function openRow({ target, currentTarget }: MouseEvent): void {
  if ((target as HTMLElement).closest("a") || getSelection()?.isCollapsed === false) return;
  (currentTarget as HTMLElement).querySelector("a")?.click();
}
