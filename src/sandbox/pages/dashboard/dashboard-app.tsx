import { render } from "preact";
import { useEffect } from "preact/hooks";
import type { FaultsView, Overview } from "../../control/views.ts";
import { Announcer } from "../shared/accessibility.tsx";
import { CopyButton } from "../shared/copy-button.tsx";
import { useConnected, useFetched } from "../shared/live.ts";
import { FaultsBanner } from "./faults-banner.tsx";
import { type DashboardLocation, hrefOf, useDashboardLocation, VIEWS } from "./location.ts";
import { RequestList } from "./request-list.tsx";
import { RequestView } from "./request-view.tsx";
import { Tools } from "./tools.tsx";
import { TransactionList } from "./transaction-list.tsx";
import { TransactionView } from "./transaction-view.tsx";

const TITLE = "Payments sandbox";

const viewNames = {
  transactions: "Transactions",
  requests: "Requests",
  tools: "Tools",
};

function Dashboard() {
  const { location, search } = useDashboardLocation();
  const { view, openId } = location;
  const { value: faults } = useFetched<FaultsView>("faults", "faults");
  const title = titleOf(location);
  useEffect(() => {
    document.title = `${title} · ${TITLE}`;
  }, [title]);

  const list = { location, search };
  const item = openId !== undefined && { key: openId, id: openId, title, location };
  return (
    <div class="stack shell">
      <Header view={view} />
      <FaultsBanner armed={faults?.armed ?? []} />
      <main tabIndex={-1} class={item ? "has-open" : ""}>
        {view === "transactions" && <TransactionList key="transactions" {...list} />}
        {view === "transactions" && item && <TransactionView {...item} />}
        {view === "requests" && <RequestList key="requests" {...list} />}
        {view === "requests" && item && <RequestView {...item} />}
        {view === "tools" && <Tools kinds={faults?.kinds ?? []} />}
      </main>
      <Announcer />
    </div>
  );
}

function titleOf({ view, openId }: DashboardLocation): string {
  if (openId === undefined) return viewNames[view];
  return `${view === "transactions" ? "Transaction" : "Request"} ${openId}`;
}

function Header({ view }: Pick<DashboardLocation, "view">) {
  const { value: overview } = useFetched<Overview>("overview");
  return (
    <header class="stack">
      <div class="inline">
        <h1>{TITLE}</h1>
        <Connection />
        <p class="small">
          <bdi>{overview?.companyName ?? "…"}</bdi> · no real money
        </p>
      </div>
      {overview && <Keys overview={overview} />}
      <nav class="inline" aria-label="Views">
        {VIEWS.map((name) => (
          <a key={name} href={hrefOf({ view: name })} aria-current={view === name ? "page" : undefined}>
            {viewNames[name]}
          </a>
        ))}
      </nav>
    </header>
  );
}

function Connection() {
  const isLost = useConnected() === false;
  return (
    <p class={isLost ? "problem" : "small live"} role="status">
      {isLost ? (
        <>
          The sandbox does not respond. Start it again with <code>npx payments sandbox</code>.
        </>
      ) : (
        "Live"
      )}
    </p>
  );
}

const keyNames = {
  baseUrl: "Base URL",
  secretKey: "Secret key",
  publicKey: "Public key",
};

/** Folded at first on a phone, where they would fill the screen. */
function Keys({ overview }: { readonly overview: Overview }) {
  return (
    <details open={window.innerWidth > 720}>
      <summary class="small">Base URL and keys</summary>
      <div class="inline">
        {(["baseUrl", "secretKey", "publicKey"] as const).map((name) => (
          <span key={name} class="inline">
            <span class="small">{keyNames[name]}</span>
            <code>{overview[name]}</code>
            <CopyButton value={overview[name]} what={keyNames[name]} />
          </span>
        ))}
      </div>
    </details>
  );
}

if (window.location.hash === "") window.history.replaceState(null, "", hrefOf({ view: "transactions" }));
render(<Dashboard />, document.body);
