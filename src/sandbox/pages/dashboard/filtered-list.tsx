import type { FunctionComponent } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Overview } from "../../control/views.ts";
import { Problem } from "../shared/action.tsx";
import { plural, translate, words } from "../shared/translate.ts";
import type { Live } from "../shared/use-live.ts";
import { type ListLayout, ListTable } from "./list-table.tsx";
import { changeFilter, type DashboardLocation, type Filter, hrefOf } from "./location.ts";
import { type ListEntries, useLiveList } from "./use-live-list.ts";

const messages = translate({
  clear: ["Clear", "Limpar"],
  total: [(count: number) => `${count} in total`, (count: number) => `${count} no total`],
  found: [plural("result", "results"), plural("resultado", "resultados")],
});

const SEARCH_DELAY_MS = 250;

interface Choice {
  /** Query parameter of the control API. */
  readonly name: string;
  readonly label: string;
  readonly values: readonly string[];
  /** How a value is shown. Default: as it is. */
  readonly valueLabels?: Readonly<Record<string, string>>;
}

/** A list of the control API with its search and filters. */
export interface ListDefinition<Name extends keyof ListEntries> extends ListLayout<Name> {
  readonly search: string;
  readonly choices: readonly Choice[];
  readonly noMatch: string;
  readonly Empty: FunctionComponent<{ readonly overview: Overview | undefined }>;
}

/** What the dashboard passes to the parts that follow the gateway. */
export interface PageState {
  readonly live: Live;
  readonly location: DashboardLocation;
  readonly overview: Overview | undefined;
}

interface Props<Name extends keyof ListEntries> extends PageState {
  readonly list: ListDefinition<Name>;
}

export function FilteredList<Name extends keyof ListEntries>(props: Props<Name>) {
  const { list, live, location, overview } = props;
  const { loaded, problem, loadTo } = useLiveList(live, list.name, location.filter);
  const isFiltered = Object.keys(location.filter).length > 0;
  const isEmpty = loaded?.rows.length === 0;
  return (
    <section class="list" id="list" aria-labelledby="list-heading" tabIndex={-1}>
      <h2 id="list-heading" class="visually-hidden">
        {list.title}
      </h2>
      {(!isEmpty || isFiltered) && (
        <FilterBar location={location} search={list.search} choices={list.choices} count={loaded?.total} />
      )}
      <Problem text={problem} />
      {loaded === undefined && problem === undefined && <p class="muted">{words.loading}</p>}
      {isEmpty && (isFiltered ? <p class="muted">{list.noMatch}</p> : <list.Empty overview={overview} />)}
      {loaded !== undefined && !isEmpty && (
        <ListTable
          key={JSON.stringify(location.filter)}
          list={list}
          rows={loaded.rows}
          total={loaded.total}
          openId={location.openId}
          hrefOf={({ id }) => hrefOf({ ...location, openId: id })}
          loadTo={loadTo}
        />
      )}
    </section>
  );
}

interface FilterBarProps extends Pick<ListDefinition<"request">, "search" | "choices"> {
  readonly location: DashboardLocation;
  /** How many entries match; `undefined` while they are loaded. */
  readonly count: number | undefined;
}

function FilterBar({ location, search, choices, count }: FilterBarProps) {
  const { filter } = location;
  const [clears, setClears] = useState(0);
  const isFiltered = Object.keys(filter).length > 0;
  const change = (name: string, value: string) => changeFilter(location, { ...filter, [name]: value });
  const clear = () => {
    setClears(clears + 1);
    changeFilter(location, {});
  };

  return (
    <search class="inline filters">
      {/* A new key discards the text that is not searched yet. */}
      <SearchField key={clears} label={search} filter={filter} onSearch={(text) => change("q", text)} />
      {choices.map(({ name, label, values, valueLabels = {} }) => (
        <select
          key={name}
          aria-label={label}
          class={filter[name] ? "active" : ""}
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
      <p class="count small" role="status">
        {isFiltered && count !== undefined && messages.found(count)}
      </p>
      {!isFiltered && count !== undefined && <p class="count small">{messages.total(count)}</p>}
      {isFiltered && (
        <button type="button" class="quiet" onClick={clear}>
          {messages.clear}
        </button>
      )}
    </search>
  );
}

interface SearchProps {
  readonly label: string;
  readonly filter: Filter;
  onSearch(text: string): void;
}

function SearchField({ label, filter, onSearch }: SearchProps) {
  const searched = filter["q"] ?? "";
  const [text, setText] = useState(searched);
  const sent = useRef(searched);
  const search = useRef(onSearch); // the newest: the location can change during the delay
  search.current = onSearch;

  useEffect(() => {
    if (searched !== sent.current) setText(searched); // by a link, or by the back button
    sent.current = searched;
  }, [searched]);
  useEffect(() => {
    if (text.trim() === sent.current) return;
    const timer = window.setTimeout(() => {
      sent.current = text.trim();
      search.current(sent.current);
    }, SEARCH_DELAY_MS);
    return () => window.clearTimeout(timer);
  }, [text]);

  return (
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      autocomplete="off"
      spellcheck={false}
      value={text}
      onInput={(event) => setText(event.currentTarget.value)}
    />
  );
}
