import { useEffect, useState } from "preact/hooks";

export const VIEWS = ["transactions", "requests", "tools"] as const;

type View = (typeof VIEWS)[number];

/** What the page shows. It is in the URL, so that a reload and the back button work. */
export interface DashboardLocation {
  readonly view: View;
  readonly openId?: number | undefined;
  /** What the list is searched for. */
  readonly q?: string;
}

const PATTERN = new RegExp(`^#/(${VIEWS.join("|")})(?:/(\\d+))?(?:\\?(.*))?$`);

function parseHash(hash: string): Required<DashboardLocation> {
  const [, name, id, query] = PATTERN.exec(hash) ?? [];
  return {
    view: VIEWS.find((view) => view === name) ?? "transactions",
    openId: id === undefined ? undefined : Number(id),
    q: new URLSearchParams(query).get("q") ?? "",
  };
}

export function hrefOf({ view, openId, q = "" }: DashboardLocation): string {
  const query = q === "" ? "" : `?${new URLSearchParams({ q })}`;
  return `#/${view}${openId === undefined ? "" : `/${openId}`}${query}`;
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
  function search(q: string): void {
    const href = hrefOf({ ...location, q });
    window.history.replaceState(null, "", href);
    setHash(href);
  }
  return { location, search };
}
