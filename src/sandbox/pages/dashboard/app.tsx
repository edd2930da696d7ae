import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Overview } from "../../control/views.ts";
import { Announcer } from "../shared/accessibility.tsx";
import { SandboxNow } from "../shared/format.tsx";
import { choose } from "../shared/language.ts";
import { useFetched } from "../shared/use-fetched.ts";
import { ArmedFaultsBanner } from "./armed-faults-banner.tsx";
import { ClockPanel } from "./clock-panel.tsx";
import { FaultsPanel } from "./faults-panel.tsx";
import { Header } from "./header.tsx";
import { OfflineBanner } from "./offline-banner.tsx";
import { RequestList } from "./request-list.tsx";
import { RequestView } from "./request-view.tsx";
import { hrefOf, navigate, type Route, useRoute } from "./route.ts";
import { TestCards } from "./test-cards.tsx";
import { Tools } from "./tools.tsx";
import { TransactionList } from "./transaction-list.tsx";
import { TransactionView } from "./transaction-view.tsx";
import { type Live, useLive, useVersion } from "./use-live.ts";
import { useMedia } from "./use-media.ts";
import { focusRow } from "./virtual-table.tsx";

const texts = choose({
  en: {
    title: "Payments sandbox",
    transaction: (id: number) => `Transaction ${id}`,
    request: (id: number) => `Request ${id}`,
    transactions: "Transactions",
    requests: "Requests",
    skip: "Skip to the list",
  },
  pt: {
    title: "Sandbox de pagamentos",
    transaction: (id: number) => `Transação ${id}`,
    request: (id: number) => `Requisição ${id}`,
    transactions: "Transações",
    requests: "Requisições",
    skip: "Pular para a lista",
  },
});

function Dashboard() {
  const live = useLive();
  const route = useRoute();
  const { overview, now } = useOverview(live);
  const [areToolsOpen, setToolsOpen] = useState(false);
  useFocusOnRowWhenClosed(route);

  useEffect(() => {
    document.title = `${titleOf(route)} · ${texts.title}`;
  }, [route.view, route.openId]);
  useEffect(() => {
    const close = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.defaultPrevented || document.querySelector("dialog[open]")) return;
      if (areToolsOpen) setToolsOpen(false);
      else if (route.openId !== undefined) navigate({ ...route, openId: undefined });
    };
    document.addEventListener("keydown", close);
    return () => document.removeEventListener("keydown", close);
  }, [route, areToolsOpen]);

  const isOpen = route.openId !== undefined;
  // Two bodies side by side need the room of the tools on more screens.
  const hasDrawer = useMedia(`(max-width: ${isOpen && route.view === "requests" ? 1699 : 1199}px)`);
  return (
    <div class={hasDrawer ? "shell has-drawer" : "shell"}>
      <button type="button" class="skip" onClick={() => document.getElementById("list")?.focus()}>
        {texts.skip}
      </button>
      <Header
        live={live}
        overview={overview}
        view={route.view}
        areToolsOpen={areToolsOpen}
        onToggleTools={() => setToolsOpen(!areToolsOpen)}
      />
      <div class="banners">
        <OfflineBanner isConnected={live.isConnected} />
        <ArmedFaultsBanner armed={live.armed} />
      </div>
      <SandboxNow.Provider value={now}>
        <main class={`layout ${route.view} ${isOpen ? "has-open" : ""}`}>
          {route.view === "transactions" ? (
            <TransactionList live={live} route={route} overview={overview} />
          ) : (
            <RequestList live={live} route={route} />
          )}
          <OpenItem live={live} route={route} overview={overview} />
          <Tools isOpen={areToolsOpen} setOpen={setToolsOpen}>
            <FaultsPanel armed={live.armed} />
            <ClockPanel now={now} />
            <TestCards />
          </Tools>
        </main>
      </SandboxNow.Provider>
      <Announcer />
    </div>
  );
}

const OVERVIEW_EVERY_MS = 30_000;

/** The overview, and the time in the sandbox. It is asked for again and again, because its clock may stand still. */
function useOverview({ epoch, now: advancedTo }: Live) {
  const [reads, setReads] = useState(0);
  const [now, setNow] = useState<string>();
  const { value: overview } = useFetched<Overview>("overview", `${epoch}.${reads}`);
  useEffect(() => {
    const timer = setInterval(() => setReads((before) => before + 1), OVERVIEW_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  useEffect(() => setNow(advancedTo), [advancedTo]);
  useEffect(() => setNow(overview?.now), [overview]);
  return { overview, now };
}

interface OpenItemProps {
  readonly live: Live;
  readonly route: Route;
  readonly overview: Overview | undefined;
}

function OpenItem({ live, route, overview }: OpenItemProps) {
  const { view, openId } = route;
  const version = useVersion(
    live,
    ({ transactions, requests, deliveries }) =>
      openId !== undefined &&
      (view === "requests"
        ? requests.some(({ id }) => id === openId)
        : deliveries.includes(openId) || transactions.some(({ id }) => id === openId)),
    `${view}/${openId}`,
  );
  if (openId === undefined) return null;
  return view === "transactions" ? (
    <TransactionView key={openId} id={openId} version={version} route={route} />
  ) : (
    <RequestView key={openId} id={openId} version={version} route={route} overview={overview} />
  );
}

function titleOf({ view, openId }: Route): string {
  if (openId === undefined) return texts[view];
  return view === "transactions" ? texts.transaction(openId) : texts.request(openId);
}

/** Focuses the row of an item when the item is closed. */
function useFocusOnRowWhenClosed({ view, openId }: Route): void {
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
