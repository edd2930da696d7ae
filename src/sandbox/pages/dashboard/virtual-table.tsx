import {
  defaultRangeExtractor,
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type VirtualizerOptions,
} from "@tanstack/virtual-core";
import type { ComponentChildren, ComponentProps } from "preact";
import { useLayoutEffect, useReducer, useRef, useState } from "preact/hooks";
import { plural, translate } from "../shared/translate.ts";
import type { Row } from "./use-live-list.ts";

const messages = translate({
  keys: [
    "The arrow keys, Page Up, Page Down, Home and End move between the rows.",
    "Use as setas, Page Up, Page Down, Home e End para navegar entre as linhas.",
  ],
  newer: [plural("new", "new"), plural("nova", "novas")],
  toTop: ["go to the top of the list", "ir ao topo da lista"],
});

/** Height of the head and of a row of one line, see list.css. */
const HEAD_PX = 32;
const ROW_PX = 42;

interface Column {
  /** The class of its cells is `col-` and this. */
  readonly name: string;
  readonly title: string;
}

/** The attributes of the link that opens a row. */
export type RowLink = ComponentProps<"a">;

export interface TableProps<T extends Row> {
  /** Class of the table, and start of the ids of its rows. */
  readonly name: string;
  readonly label: string;
  readonly columns: readonly Column[];
  /** Newest first. At least one. */
  readonly rows: readonly T[];
  /** How many rows there are, loaded or not. */
  readonly total: number;
  readonly openId: number | undefined;
  hrefOf(row: T): string;
  /** The cells of a row, one for each column. The first contains the link. */
  renderCells(row: T, link: RowLink): ComponentChildren;
}

/**
 * A table that has only the rows near the visible ones in the document. New rows do not move those that the reader
 * has scrolled to. It has one tab stop: keys move between the rows.
 */
export function VirtualTable<T extends Row>({
  name,
  label,
  columns,
  rows,
  total,
  openId,
  ...row
}: TableProps<T>) {
  const scroller = useRef<HTMLDivElement>(null);
  const [isAtTop, setAtTop] = useState(true);
  const [focusableId, setFocusableId] = useState(openId);
  const wantsFocus = useRef(false);
  const newestSeen = useRef(rows[0]?.id ?? 0);
  if (isAtTop) newestSeen.current = rows[0]?.id ?? 0;

  const focusable = Math.max(
    0,
    rows.findIndex(({ id }) => id === focusableId),
  );
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => rows[index]?.id ?? index,
    scrollMargin: HEAD_PX,
    scrollPaddingStart: HEAD_PX,
    overscan: 8,
    anchorTo: isAtTop ? "start" : "end", // "end" keeps the visible rows in place when others are added above
    // A row that has the focus stays in the document while others are scrolled to.
    rangeExtractor: (range) =>
      [...new Set([...defaultRangeExtractor(range), focusable])].sort((a, b) => a - b),
  });
  const items = virtualizer.getVirtualItems();
  const unseen = isAtTop ? 0 : rows.filter(({ id }) => id > newestSeen.current).length;

  useLayoutEffect(() => {
    const link = wantsFocus.current && linkOf(name, focusableId);
    if (!link) return;
    wantsFocus.current = false;
    link.focus({ preventScroll: true });
  });

  function moveTo(index: number): void {
    const target = Math.min(Math.max(index, 0), rows.length - 1);
    const id = rows[target]?.id;
    wantsFocus.current = id !== focusableId; // otherwise nothing changes, and a later change would take the focus
    setFocusableId(id);
    if (target === 0) virtualizer.scrollToOffset(0);
    else virtualizer.scrollToIndex(target);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW_PX) - 2);
    const targets: Readonly<Record<string, number>> = {
      ArrowDown: focusable + 1,
      ArrowUp: focusable - 1,
      PageDown: focusable + page,
      PageUp: focusable - page,
      Home: 0,
      End: rows.length - 1,
    };
    const target = targets[event.key];
    if (target === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    moveTo(target);
  }

  return (
    <div class="rows">
      {unseen > 0 && (
        <button
          type="button"
          class="newer"
          aria-label={`${messages.newer(unseen)}: ${messages.toTop}`}
          onClick={() => moveTo(0)}
        >
          ↑ {messages.newer(unseen)}
        </button>
      )}
      <div
        class="scroller"
        ref={scroller}
        onScroll={(event) => setAtTop(event.currentTarget.scrollTop < ROW_PX / 2)}
      >
        <p class="visually-hidden" id={`${name}-keys`}>
          {messages.keys}
        </p>
        <table
          class={name}
          aria-label={label}
          aria-describedby={`${name}-keys`}
          aria-rowcount={total + 1}
          onKeyDown={onKeyDown}
        >
          <thead>
            <tr aria-rowindex={1}>
              {columns.map((column) => (
                <th key={column.name} scope="col" class={`col-${column.name}`}>
                  {column.title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody style={{ height: `${virtualizer.getTotalSize()}px` }}>
            {items.map(({ key, index, start }) => {
              const entry = rows[index];
              if (entry === undefined) return null;
              const isOpen = entry.id === openId;
              return (
                <tr
                  key={key}
                  id={`${name}-${entry.id}`}
                  class={isOpen ? "open" : ""}
                  data-index={index}
                  aria-rowindex={index + 2}
                  ref={virtualizer.measureElement}
                  style={{ transform: `translateY(${start - HEAD_PX}px)` }}
                >
                  {row.renderCells(entry, {
                    class: "id",
                    href: row.hrefOf(entry),
                    tabIndex: index === focusable ? 0 : -1,
                    ...(isOpen && { "aria-current": "true" }),
                    onFocus: () => setFocusableId(entry.id),
                  })}
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </div>
  );
}

/** Focuses the link of a row. @returns whether the row is in the document. */
export function focusRow(name: string, id: number): boolean {
  const link = linkOf(name, id);
  link?.focus();
  return link !== null;
}

function linkOf(name: string, id: number | undefined): HTMLElement | null {
  return document.querySelector<HTMLElement>(`#${name}-${id} a`);
}

type Options = Omit<
  VirtualizerOptions<HTMLElement, HTMLElement>,
  "scrollToFn" | "observeElementRect" | "observeElementOffset" | "onChange"
>;

/** TanStack Virtual for preact: its adapters for other frameworks make the same calls. */
function useVirtualizer(tableOptions: Options): Virtualizer<HTMLElement, HTMLElement> {
  const [, render] = useReducer((count: number, _action: undefined) => count + 1, 0);
  const options = {
    ...tableOptions,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange: () => render(undefined),
  };
  const [virtualizer] = useState(() => new Virtualizer<HTMLElement, HTMLElement>(options));
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), []);
  useLayoutEffect(() => virtualizer._willUpdate());
  return virtualizer;
}
