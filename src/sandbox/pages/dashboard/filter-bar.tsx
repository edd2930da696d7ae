import { useEffect, useRef, useState } from "preact/hooks";
import { choose } from "../shared/language.ts";
import { changeFilter, type Filter, type Route } from "./route.ts";

const texts = choose({
  en: {
    clear: "Clear",
    total: (count: number) => `${count} in total`,
    found: (count: number) => (count === 1 ? "1 result" : `${count} results`),
  },
  pt: {
    clear: "Limpar",
    total: (count: number) => `${count} no total`,
    found: (count: number) => (count === 1 ? "1 resultado" : `${count} resultados`),
  },
});

const SEARCH_DELAY_MS = 250;

export interface Choice {
  /** Query parameter of the control API. */
  readonly name: string;
  readonly label: string;
  readonly options: readonly (readonly [value: string, label: string])[];
}

interface Props {
  readonly route: Route;
  readonly search: string;
  readonly choices: readonly Choice[];
  /** How many entries match; `undefined` while they are loaded. */
  readonly count: number | undefined;
}

/** The search and the filters of a list. */
export function FilterBar({ route, search, choices, count }: Props) {
  const { filter } = route;
  const [clears, setClears] = useState(0);
  const isFiltered = Object.keys(filter).length > 0;
  const change = (name: string, value: string) => changeFilter(route, { ...filter, [name]: value });
  const clear = () => {
    setClears(clears + 1);
    changeFilter(route, {});
  };

  return (
    <search class="filters">
      {/* A new key discards the text that is not searched yet. */}
      <SearchField key={clears} label={search} filter={filter} onSearch={(text) => change("q", text)} />
      {choices.map(({ name, label, options }) => (
        <select
          key={name}
          aria-label={label}
          class={filter[name] ? "active" : ""}
          value={filter[name] ?? ""}
          onChange={(event) => change(name, event.currentTarget.value)}
        >
          <option value="">{label}</option>
          {options.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      ))}
      {/* A screen reader hears the result of a search, and not every change of the total. */}
      <p class="count" role="status">
        {isFiltered && count !== undefined && texts.found(count)}
      </p>
      {!isFiltered && count !== undefined && <p class="count">{texts.total(count)}</p>}
      {isFiltered && (
        <button type="button" class="quiet" onClick={clear}>
          {texts.clear}
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
  const search = useRef(onSearch); // the newest: the route can change during the delay
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
