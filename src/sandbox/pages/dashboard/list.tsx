import type { ComponentChildren, ComponentProps, VNode } from "preact";
import { useState } from "preact/hooks";
import type {
  RequestPage,
  RequestSummary,
  TransactionPage,
  TransactionSummary,
} from "../../control/views.ts";
import { Problem } from "../shared/action.tsx";
import { messageOf } from "../shared/api.ts";
import { useFetched } from "../shared/live.ts";
import { plural, t, words } from "../shared/texts.ts";
import { type DashboardLocation, type Filter, hrefOf } from "./location.ts";

/** More rows are no use to a reader: a search finds the older ones. */
const SHOWN_MAX = 500;

/** The lists of the control API, by the name of an entry. Newer entries have higher ids. */
interface ListEntries {
  readonly transaction: TransactionSummary;
  readonly request: RequestSummary;
}

/** The attributes of the link that opens a row. */
export type RowLink = ComponentProps<"a">;

interface Choice {
  /** Query parameter of the control API. */
  readonly name: string;
  readonly label: string;
  readonly values: readonly string[];
  /** How a value is shown. Default: as it is. */
  readonly valueLabels?: Readonly<Record<string, string>>;
}

/** A list of the control API with its search, filters and columns. */
export interface ListDefinition<Name extends keyof ListEntries> {
  readonly name: Name;
  readonly title: string;
  readonly search: string;
  readonly choices: readonly Choice[];
  readonly noMatch: string;
  /** The titles of the columns, by their names: the class of a cell is `col-` and the name. */
  readonly columns: Readonly<Record<string, string>>;
  /** The cells of a row, one for each column. The first contains the link. */
  renderCells(row: ListEntries[Name], link: RowLink): ComponentChildren;
}

interface ListProps<Name extends keyof ListEntries> {
  readonly list: ListDefinition<Name>;
  readonly location: Required<DashboardLocation>;
  changeFilter(filter: Filter): void;
  /** Shown while the list has no entries at all. */
  readonly empty: VNode;
}

/** The newest entries that match the filter. */
export function List<Name extends keyof ListEntries>(props: ListProps<Name>) {
  const { list, location, changeFilter, empty } = props;
  const query = new URLSearchParams({ ...location.filter, limit: String(SHOWN_MAX) });
  const { value, error } = useFetched<TransactionPage & RequestPage>(`${list.name}s?${query}`, list.name);
  const rows = value?.[`${list.name}s`] as readonly ListEntries[Name][] | undefined;
  const total = value?.total ?? 0;
  const isFiltered = Object.keys(location.filter).length > 0;
  return (
    <section class="list" id="list" aria-label={list.title} tabIndex={-1}>
      {(total > 0 || isFiltered) && (
        <FilterBar list={list} filter={location.filter} changeFilter={changeFilter} count={value?.total} />
      )}
      {error !== undefined && <Problem text={messageOf(error)} />}
      {rows === undefined && error === undefined && <p class="muted">{words.loading}</p>}
      {rows?.length === 0 && (isFiltered ? <p class="muted">{list.noMatch}</p> : empty)}
      {rows !== undefined && rows.length > 0 && (
        <div class="scroller">
          <Table list={list} location={location} rows={rows} />
          {total > rows.length && (
            <p class="muted">
              {t(
                `Only the newest ${SHOWN_MAX} are shown. Search to find the others.`,
                `Só as ${SHOWN_MAX} mais novas aparecem. Use a busca para achar as outras.`,
              )}
            </p>
          )}
        </div>
      )}
    </section>
  );
}

interface FilterBarProps {
  readonly list: Pick<ListDefinition<"request">, "search" | "choices">;
  readonly filter: Filter;
  changeFilter(filter: Filter): void;
  /** How many entries match; `undefined` while they are loaded. */
  readonly count: number | undefined;
}

function FilterBar({ list: { search, choices }, filter, changeFilter, count }: FilterBarProps) {
  const change = (name: string, value: string) => changeFilter({ ...filter, [name]: value });
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <search class="inline filters">
      <input
        type="search"
        aria-label={search}
        placeholder={search}
        autocomplete="off"
        spellcheck={false}
        value={filter["q"] ?? ""}
        onInput={(event) => change("q", event.currentTarget.value)}
      />
      {choices.map(({ name, label, values, valueLabels = {} }) => (
        <select
          key={name}
          aria-label={label}
          value={filter[name] ?? ""}
          onChange={(event) => change(name, event.currentTarget.value)}
        >
          <option value="">{label}</option>
          {values.map((value) => (
            <option key={value} value={value} title={value}>
              {valueLabels[value] ?? value}
            </option>
          ))}
        </select>
      ))}
      {/* A screen reader hears the result of a search, and not every change of the total. */}
      <p class="small" role={isFiltered ? "status" : undefined}>
        {count !== undefined &&
          (isFiltered
            ? t(plural(count, "result", "results"), plural(count, "resultado", "resultados"))
            : t(`${count} in total`, `${count} no total`))}
      </p>
      {isFiltered && (
        <button type="button" class="quiet" onClick={() => changeFilter({})}>
          {t("Clear", "Limpar")}
        </button>
      )}
    </search>
  );
}

interface TableProps<Name extends keyof ListEntries> {
  readonly list: ListDefinition<Name>;
  readonly location: DashboardLocation;
  /** Newest first. At least one. */
  readonly rows: readonly ListEntries[Name][];
}

/** How many rows each key moves the focus. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 10,
  PageUp: -10,
  Home: -SHOWN_MAX,
  End: SHOWN_MAX,
};

/** A table with one tab stop: keys move between the rows. */
function Table<Name extends keyof ListEntries>({ list, location, rows }: TableProps<Name>) {
  const { name, title, columns, renderCells } = list;
  const { openId } = location;
  const [focusedId, setFocusedId] = useState(openId);
  const tabStop = rows.find(({ id }) => id === focusedId)?.id ?? rows[0]?.id;

  function moveFocus(event: KeyboardEvent): void {
    const step = STEPS[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const index = rows.findIndex(({ id }) => id === tabStop) + step;
    focusRow(name, rows[Math.min(Math.max(index, 0), rows.length - 1)]?.id);
  }

  /** A click anywhere in a row opens it, unless it ends a selection of text. */
  function openRow({ target }: MouseEvent): void {
    const cell = target as HTMLElement;
    if (cell.closest("a") || getSelection()?.isCollapsed === false) return;
    cell.closest("tr")?.querySelector("a")?.click();
  }

  return (
    <table
      aria-label={title}
      aria-describedby="row-keys"
      onClick={openRow}
      // A click on selected text would keep the selection until after the click.
      onMouseDown={({ button }) => button === 0 && getSelection()?.removeAllRanges()}
      onKeyDown={moveFocus}
    >
      <caption class="visually-hidden" id="row-keys">
        {t(
          "The arrow keys, Page Up, Page Down, Home and End move between the rows.",
          "Use as setas, Page Up, Page Down, Home e End para navegar entre as linhas.",
        )}
      </caption>
      <thead>
        <tr>
          {Object.entries(columns).map(([column, columnTitle]) => (
            <th key={column} scope="col" class={`col-${column}`}>
              {columnTitle}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id} id={`${name}-${row.id}`} class={row.id === openId ? "open" : ""}>
            {renderCells(row, {
              href: hrefOf({ ...location, openId: row.id }),
              tabIndex: row.id === tabStop ? 0 : -1,
              "aria-current": row.id === openId ? "true" : undefined,
              onFocus: () => setFocusedId(row.id),
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Focuses the link of a row. @returns whether the row is in the document. */
export function focusRow(name: string, id: number | undefined): boolean {
  const link = document.querySelector<HTMLElement>(`#${name}-${id} a`);
  link?.focus();
  return link !== null;
}
