import { useEffect, useState } from "preact/hooks";

const VIEWS = ["transactions", "requests"] as const;

export type View = (typeof VIEWS)[number];

/** The query parameters of a list of the control API, such as `q` and `status`. */
export type Filter = Readonly<Record<string, string>>;

/** What the page shows. It is in the URL, so that a reload and the back button work. */
export interface Route {
  readonly view: View;
  /** Id of the open transaction or request. */
  readonly openId: number | undefined;
  readonly filter: Filter;
}

const PATTERN = new RegExp(`^#/(${VIEWS.join("|")})(?:/(\\d+))?(?:\\?(.*))?$`);

function parseRoute(hash: string): Route {
  const [, name, id, query] = PATTERN.exec(hash) ?? [];
  return {
    view: VIEWS.find((view) => view === name) ?? "transactions",
    openId: id === undefined ? undefined : Number(id),
    filter: Object.fromEntries(new URLSearchParams(query)),
  };
}

/** The URL of a view, with an open item if it has one. */
export function hrefOf({ view, openId, filter = {} }: Partial<Route> & Pick<Route, "view">): string {
  const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== "")).toString();
  return `#/${view}${openId === undefined ? "" : `/${openId}`}${query && `?${query}`}`;
}

export function navigate(route: Route): void {
  window.location.hash = hrefOf(route);
}

/** Replaces the entry in the history: the back button does not undo a search letter by letter. */
export function changeFilter(route: Route, filter: Filter): void {
  window.location.replace(hrefOf({ ...route, filter }));
}

export function useRoute(): Route {
  const [hash, setHash] = useState(window.location.hash);
  useEffect(() => {
    const follow = () => setHash(window.location.hash);
    window.addEventListener("hashchange", follow);
    return () => window.removeEventListener("hashchange", follow);
  }, []);
  return parseRoute(hash);
}
