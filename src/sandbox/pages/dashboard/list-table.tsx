import type { ComponentChildren, ComponentProps } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { plural, translate } from "../shared/translate.ts";
import type { ListEntries } from "./use-live-list.ts";

const messages = translate({
  keys: [
    "The arrow keys, Page Up, Page Down, Home and End move between the rows.",
    "Use as setas, Page Up, Page Down, Home e End para navegar entre as linhas.",
  ],
  newer: [plural("new", "new"), plural("nova", "novas")],
  toTop: ["go to the top of the list", "ir ao topo da lista"],
});

/** Height of a row of one line, see list.css. */
const ROW_PX = 42;
const ROWS_AHEAD = 50;

/** The attributes of the link that opens a row. */
export type RowLink = ComponentProps<"a">;

export interface ListLayout<Name extends keyof ListEntries> {
  /** Class of the table, and start of the ids of its rows. */
  readonly name: Name;
  readonly title: string;
  /** The titles of the columns, by their names: the class of a cell is `col-` and the name. */
  readonly columns: Readonly<Record<string, string>>;
  /** The cells of a row, one for each column. The first contains the link. */
  renderCells(row: ListEntries[Name], link: RowLink): ComponentChildren;
}

interface TableProps<Name extends keyof ListEntries> {
  readonly list: ListLayout<Name>;
  /** Newest first. At least one. */
  readonly rows: readonly ListEntries[Name][];
  /** How many rows there are, loaded or not. */
  readonly total: number;
  readonly openId: number | undefined;
  hrefOf(row: ListEntries[Name]): string;
  loadTo(id: number): void;
}

/**
 * A table that loads more rows when its end is near. New rows do not move those that the reader has scrolled to. It has
 * one tab stop: keys move between the rows.
 */
export function ListTable<Name extends keyof ListEntries>(props: TableProps<Name>) {
  const { list, rows, total, openId, loadTo } = props;
  const { name, title: label, columns } = list;
  const scroller = useRef<HTMLDivElement>(null);
  const [isAtTop, setAtTop] = useState(true);
  const [focusableId, setFocusableId] = useState(openId);
  const isMovingToEnd = useRef(false);
  const newestId = rows[0]?.id ?? 0;
  const newestSeen = useRef(newestId);
  if (isAtTop) newestSeen.current = newestId;
  const unseen = rows.filter(({ id }) => id > newestSeen.current).length;
  const tabStop = rows.find(({ id }) => id === focusableId)?.id ?? newestId;

  const newestShown = useRef(newestId);
  useLayoutEffect(() => {
    const above = document.getElementById(`${name}-${newestShown.current}`)?.offsetTop ?? 0;
    if (!isAtTop) scroller.current?.scrollBy(0, above);
    newestShown.current = newestId;
  }, [newestId]);
  useLayoutEffect(() => {
    if (!isMovingToEnd.current || rows.length < total) return;
    isMovingToEnd.current = false;
    moveTo(total);
  }, [rows]);

  function moveTo(index: number): void {
    focusRow(name, rows[Math.min(Math.max(index, 0), rows.length - 1)]?.id);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const focused = rows.findIndex(({ id }) => id === tabStop);
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW_PX) - 2);
    const targets: Readonly<Record<string, number>> = {
      ArrowDown: focused + 1,
      ArrowUp: focused - 1,
      PageDown: focused + page,
      PageUp: focused - page,
      Home: 0,
      End: rows.length - 1,
    };
    const target = targets[event.key];
    if (target === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    isMovingToEnd.current = event.key === "End" && rows.length < total;
    if (isMovingToEnd.current) loadTo(0);
    else moveTo(target);
  }

  /** A click anywhere in a row opens it, a middle click in a new tab, unless it ends a selection of text in the row. */
  function onClick(event: MouseEvent): void {
    const cell = event.target as HTMLElement;
    const row = cell.closest("tr");
    const link = cell.closest("a") ? null : row?.querySelector("a");
    const selection = getSelection();
    const isSelecting = selection?.isCollapsed === false && row?.contains(selection.anchorNode);
    if (!link || isSelecting) return;
    if (event.button === 1) window.open(link.href);
    else link.dispatchEvent(new MouseEvent("click", event)); // with its Ctrl key
  }

  function onScroll({ scrollTop, clientHeight, scrollHeight }: HTMLElement): void {
    setAtTop(scrollTop < ROW_PX / 2);
    const lastVisible = Math.ceil(((scrollTop + clientHeight) / scrollHeight) * rows.length);
    if (!isMovingToEnd.current) loadTo(rows[lastVisible + ROWS_AHEAD]?.id ?? (rows.at(-1)?.id ?? 0) - 1);
  }

  return (
    <div class="rows">
      {unseen > 0 && (
        <button
          type="button"
          class="primary newer"
          aria-label={`${messages.newer(unseen)}: ${messages.toTop}`}
          onClick={() => moveTo(0)}
        >
          ↑ {messages.newer(unseen)}
        </button>
      )}
      <div class="scroller" ref={scroller} onScroll={(event) => onScroll(event.currentTarget)}>
        <p class="visually-hidden" id={`${name}-keys`}>
          {messages.keys}
        </p>
        <table
          class={name}
          aria-label={label}
          aria-describedby={`${name}-keys`}
          aria-rowcount={total + 1}
          onClick={onClick}
          onAuxClick={onClick}
          onMouseDown={({ button }) => button === 0 && getSelection()?.removeAllRanges()}
          onKeyDown={onKeyDown}
        >
          <thead>
            <tr>
              {Object.entries(columns).map(([column, title]) => (
                <th key={column} scope="col" class={`col-${column}`}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <TableRow
                key={row.id}
                table={props}
                row={row}
                isOpen={row.id === openId}
                isTabStop={row.id === tabStop}
                onFocus={setFocusableId}
              />
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

interface RowProps<Name extends keyof ListEntries> {
  readonly table: TableProps<Name>;
  readonly row: ListEntries[Name];
  readonly isOpen: boolean;
  readonly isTabStop: boolean;
  onFocus(id: number): void;
}

/** Rendered again only if it has changed: a table may have thousands of rows. */
function TableRow<Name extends keyof ListEntries>(props: RowProps<Name>) {
  const { table, row, isOpen, isTabStop, onFocus } = props;
  const link = {
    href: table.hrefOf(row),
    tabIndex: isTabStop ? 0 : -1,
    ...(isOpen && { "aria-current": "true" as const }),
    onFocus: () => onFocus(row.id),
  };
  return useMemo(
    () => (
      <tr id={`${table.list.name}-${row.id}`} class={isOpen ? "open" : ""}>
        {table.list.renderCells(row, link)}
      </tr>
    ),
    [JSON.stringify(row), isOpen, isTabStop],
  );
}

/** Focuses the link of a row. @returns whether the row is in the document. */
export function focusRow(name: string, id: number | undefined): boolean {
  const link = document.querySelector<HTMLElement>(`#${name}-${id} a`);
  link?.focus();
  return link !== null;
}
