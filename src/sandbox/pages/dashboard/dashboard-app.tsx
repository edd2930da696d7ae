import { render } from "preact";
import { useEffect } from "preact/hooks";
import type { FaultsView, Overview } from "../../control/views.ts";
import { Announcer } from "../shared/accessibility.tsx";
import { CopyButton } from "../shared/copy-button.tsx";
import { useConnected, useFetched } from "../shared/live.ts";
import { t, words } from "../shared/texts.ts";
import { FaultsBanner } from "./faults-banner.tsx";
import { type DashboardLocation, hrefOf, useDashboardLocation, VIEWS } from "./location.ts";
import { RequestList } from "./request-list.tsx";
import { RequestView } from "./request-view.tsx";
import { Tools } from "./tools.tsx";
import { TransactionList } from "./transaction-list.tsx";
import { TransactionView } from "./transaction-view.tsx";

const TITLE = t("Payments sandbox", "Sandbox de pagamentos");

const viewNames = {
  transactions: words.transactions,
  requests: words.requests,
  tools: t("Tools", "Ferramentas"),
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
  return `${view === "transactions" ? words.transaction : words.request} ${openId}`;
}

function Header({ view }: Pick<DashboardLocation, "view">) {
  const { value: overview } = useFetched<Overview>("overview");
  return (
    <header class="stack">
      <div class="inline">
        <h1>{TITLE}</h1>
        <Connection />
        <p class="small">
          <bdi>{overview?.companyName ?? "…"}</bdi> · {t("no real money", "sem dinheiro real")}
        </p>
      </div>
      {overview && <Keys overview={overview} />}
      <nav class="inline" aria-label={t("Views", "Seções")}>
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
          {t(
            "The sandbox does not respond. Start it again with",
            "O sandbox não responde. Inicie-o de novo com",
          )}{" "}
          <code>npx payments sandbox</code>.
        </>
      ) : (
        t("Live", "Ao vivo")
      )}
    </p>
  );
}

const keyNames = {
  baseUrl: t("Base URL", "URL base"),
  secretKey: t("Secret key", "Chave secreta"),
  publicKey: t("Public key", "Chave pública"),
};

/** Folded at first on a phone, where they would fill the screen. */
function Keys({ overview }: { readonly overview: Overview }) {
  return (
    <details open={window.innerWidth > 720}>
      <summary class="small">{t("Base URL and keys", "URL base e chaves")}</summary>
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
