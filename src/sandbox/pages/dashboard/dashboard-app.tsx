import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { FaultsView, Overview } from "../../control/views.ts";
import { Announcer } from "../shared/accessibility.tsx";
import { useFetched } from "../shared/api.ts";
import { SandboxNow } from "../shared/format.tsx";
import { translate, words } from "../shared/translate.ts";
import { type Live, useLive, useVersion } from "../shared/use-live.ts";
import { ClockPanel } from "./clock-panel.tsx";
import { ArmedFaultsBanner, FaultsPanel } from "./faults-panel.tsx";
import { FilteredList, type PageState } from "./filtered-list.tsx";
import { Header, OfflineBanner } from "./header.tsx";
import { focusRow } from "./list-table.tsx";
import { type DashboardLocation, hrefOf, useDashboardLocation } from "./location.ts";
import { REQUESTS } from "./request-list.tsx";
import { RequestView } from "./request-view.tsx";
import { TestCards } from "./test-cards.tsx";
import { TRANSACTIONS } from "./transaction-list.tsx";
import { TransactionView } from "./transaction-view.tsx";

const messages = translate({
  skip: ["Skip to the list", "Pular para a lista"],
});

function Dashboard() {
  const live = useLive();
  const location = useDashboardLocation();
  const overview = useOverview(live);
  const page = { live, location, overview };
  const faultsVersion = useVersion(live, ({ type }) => type === "faults");
  const { value: faults } = useFetched<FaultsView>("faults", faultsVersion);
  const armed = faults?.armed ?? [];
  const isOpen = location.openId !== undefined;
  useFocusOnRowWhenClosed(location);

  useEffect(() => {
    document.title = `${titleOf(location)} · ${words.sandbox}`;
  }, [location.view, location.openId]);
  useEffect(() => {
    const close = (event: KeyboardEvent) => {
      const closesOther = document.querySelector("dialog[open], :popover-open") !== null;
      if (event.key !== "Escape" || event.defaultPrevented || closesOther || !isOpen) return;
      window.location.hash = hrefOf({ ...location, openId: undefined });
    };
    document.addEventListener("keydown", close);
    return () => document.removeEventListener("keydown", close);
  }, [location]);

  // The tools are in a drawer. A request and its response side by side leave no room for them on more screens.
  const hasDrawer = useMedia(`(max-width: ${isOpen && location.view === "requests" ? 1699 : 1199}px)`);
  return (
    <div class={hasDrawer ? "shell has-drawer" : "shell"}>
      <button
        type="button"
        class="skip visually-hidden"
        onClick={() => document.getElementById("list")?.focus()}
      >
        {messages.skip}
      </button>
      <Header isConnected={live.isConnected === true} overview={overview} view={location.view} />
      <div class="banners">
        <OfflineBanner isConnected={live.isConnected === true} />
        <ArmedFaultsBanner armed={armed} />
      </div>
      <SandboxNow.Provider value={overview?.now}>
        <main class={`layout ${location.view} ${isOpen ? "has-open" : ""}`}>
          {location.view === "transactions" ? (
            <FilteredList key="transactions" list={TRANSACTIONS} {...page} />
          ) : (
            <FilteredList key="requests" list={REQUESTS} {...page} />
          )}
          <CurrentItem {...page} />
          <div class="stack tools" id="tools" popover={hasDrawer ? "auto" : undefined}>
            {hasDrawer && (
              <button type="button" class="quiet" popovertarget="tools" popovertargetaction="hide">
                {words.close}
              </button>
            )}
            <FaultsPanel armed={armed} kinds={faults?.kinds ?? []} />
            <ClockPanel now={overview?.now} />
            <TestCards />
          </div>
        </main>
      </SandboxNow.Provider>
      <Announcer />
    </div>
  );
}

const OVERVIEW_EVERY_MS = 30_000;

/** The overview. It is fetched again and again, because the clock of the sandbox may stand still. */
function useOverview(live: Live): Overview | undefined {
  const [reads, setReads] = useState(0);
  const version = useVersion(live, ({ type }) => type === "clock");
  useEffect(() => {
    const timer = setInterval(() => setReads((before) => before + 1), OVERVIEW_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return useFetched<Overview>("overview", `${version}.${reads}`).value;
}

function CurrentItem({ live, location, overview }: PageState) {
  const { view, openId } = location;
  const version = useVersion(
    live,
    ({ type, id }) => id === openId && (type === "request") === (view === "requests"),
    `${view}/${openId}`,
  );
  if (openId === undefined) return null;
  const props = { id: openId, title: titleOf(location), version, location };
  return view === "transactions" ? (
    <TransactionView key={openId} {...props} />
  ) : (
    <RequestView key={openId} {...props} overview={overview} />
  );
}

function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => window.matchMedia(query).matches);
  useEffect(() => {
    const media = window.matchMedia(query);
    const follow = () => setMatches(media.matches);
    follow();
    media.addEventListener("change", follow);
    return () => media.removeEventListener("change", follow);
  }, [query]);
  return matches;
}

function titleOf({ view, openId }: DashboardLocation): string {
  if (openId === undefined) return words[view];
  return `${view === "transactions" ? words.transaction : words.request} ${openId}`;
}

function useFocusOnRowWhenClosed({ view, openId }: DashboardLocation): void {
  const last = useRef({ view, openId });
  useEffect(() => {
    const closed = last.current.view === view && openId === undefined ? last.current.openId : undefined;
    last.current = { view, openId };
    if (closed === undefined) return;
    const name = view === "transactions" ? "transaction" : "request";
    if (!focusRow(name, closed)) document.getElementById("list")?.focus(); // not loaded, or scrolled away
  }, [view, openId]);
}

if (window.location.hash === "") window.history.replaceState(null, "", hrefOf({ view: "transactions" }));
render(<Dashboard />, document.body);
