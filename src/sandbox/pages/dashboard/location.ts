import { useEffect, useState } from "preact/hooks";

export const VIEWS = ["transactions", "requests", "tools"] as const;

type View = (typeof VIEWS)[number];

/** The query parameters of a list of the control API, such as `q` and `status`. */
export type Filter = Readonly<Record<string, string>>;

/** What the page shows. It is in the URL, so that a reload and the back button work. */
export interface DashboardLocation {
  readonly view: View;
  readonly openId?: number | undefined;
  readonly filter?: Filter;
}

const PATTERN = new RegExp(`^#/(${VIEWS.join("|")})(?:/(\\d+))?(?:\\?(.*))?$`);

function parseHash(hash: string): Required<DashboardLocation> {
  const [, name, id, query] = PATTERN.exec(hash) ?? [];
  return {
    view: VIEWS.find((view) => view === name) ?? "transactions",
    openId: id === undefined ? undefined : Number(id),
    filter: Object.fromEntries(new URLSearchParams(query)),
  };
}

export function hrefOf({ view, openId, filter = {} }: DashboardLocation): string {
  const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== "")).toString();
  return `#/${view}${openId === undefined ? "" : `/${openId}`}${query && `?${query}`}`;
}

export function useDashboardLocation() {
  const [hash, setHash] = useState(window.location.hash);
  useEffect(() => {
    const follow = () => setHash(window.location.hash);
    window.addEventListener("hashchange", follow);
    return () => window.removeEventListener("hashchange", follow);
  }, []);
  const location = parseHash(hash);

  /** Replaces the entry in the history: the back button does not undo a search letter by letter. */
  function changeFilter(filter: Filter): void {
    const href = hrefOf({ ...location, filter });
    window.history.replaceState(null, "", href);
    setHash(href);
  }
  return { location, changeFilter };
}
