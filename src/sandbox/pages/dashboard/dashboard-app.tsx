import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { FaultsView, Overview } from "../../control/views.ts";
import { Announcer } from "../shared/accessibility.tsx";
import { CopyButton } from "../shared/copy-button.tsx";
import { useConnected, useFetched } from "../shared/live.ts";
import { t, words } from "../shared/texts.ts";
import { FaultsBanner } from "./faults-banner.tsx";
import { focusRow, List } from "./list.tsx";
import { type DashboardLocation, hrefOf, useDashboardLocation, VIEWS } from "./location.ts";
import { NewPayment } from "./payment-form.tsx";
import { REQUESTS } from "./request-list.tsx";
import { RequestView } from "./request-view.tsx";
import { Tools } from "./tools.tsx";
import { GettingStarted, TRANSACTIONS } from "./transaction-list.tsx";
import { TransactionView } from "./transaction-view.tsx";

const TITLE = t("Payments sandbox", "Sandbox de pagamentos");

const viewNames = {
  transactions: words.transactions,
  requests: words.requests,
  tools: t("Tools", "Ferramentas"),
};

function Dashboard() {
  const { location, changeFilter } = useDashboardLocation();
  const { view, openId } = location;
  const { value: overview } = useFetched<Overview>("overview");
  const { value: faults } = useFetched<FaultsView>("faults", "faults");
  const title = titleOf(location);
  useFocusOnRowWhenClosed(location);
  useEffect(() => {
    document.title = `${title} · ${TITLE}`;
  }, [title]);
  useEffect(() => {
    const close = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || document.querySelector("dialog[open]") || openId === undefined) return;
      window.location.hash = hrefOf({ ...location, openId: undefined });
    };
    document.addEventListener("keydown", close);
    return () => document.removeEventListener("keydown", close);
  }, [location]);

  const list = { location, changeFilter };
  const item = openId !== undefined && { key: openId, id: openId, title, location };
  return (
    <div class="shell">
      <Header overview={overview} view={view} />
      <div class="banners">
        <OfflineBanner />
        <FaultsBanner armed={faults?.armed ?? []} />
      </div>
      <main tabIndex={-1} class={openId === undefined ? "layout" : `layout has-open ${view}`}>
        {view === "transactions" && (
          <>
            <List
              key="transactions"
              list={TRANSACTIONS}
              empty={<GettingStarted overview={overview} />}
              {...list}
            />
            {item && <TransactionView {...item} />}
          </>
        )}
        {view === "requests" && (
          <>
            <List key="requests" list={REQUESTS} empty={<NoRequests />} {...list} />
            {item && <RequestView {...item} />}
          </>
        )}
        {view === "tools" && <Tools kinds={faults?.kinds ?? []} />}
      </main>
      <Announcer />
    </div>
  );
}

interface HeaderProps {
  readonly overview: Overview | undefined;
  readonly view: DashboardLocation["view"];
}

function Header({ overview, view }: HeaderProps) {
  const isConnected = useConnected() === true;
  return (
    <header class="page-header">
      <div class="inline">
        <h1>{TITLE}</h1>
        <p class={isConnected ? "connection small live" : "connection small"} role="status">
          {isConnected ? t("Live", "Ao vivo") : t("Reconnecting…", "Reconectando…")}
        </p>
        <p class="small">
          <bdi>{overview?.companyName ?? "…"}</bdi> · {t("no real money", "sem dinheiro real")}
        </p>
      </div>
      {overview && <Keys overview={overview} />}
      <div class="inline spread nav-line">
        <nav class="inline" aria-label={t("Views", "Seções")}>
          {VIEWS.map((name) => (
            <a key={name} href={hrefOf({ view: name })} aria-current={view === name ? "page" : undefined}>
              {viewNames[name]}
            </a>
          ))}
        </nav>
        <NewPayment overview={overview} />
      </div>
    </header>
  );
}

const KEYS = ["baseUrl", "secretKey", "publicKey"] as const;

const keyNames = {
  baseUrl: t("Base URL", "URL base"),
  secretKey: t("Secret key", "Chave secreta"),
  publicKey: t("Public key", "Chave pública"),
};

/** Folded at first on a phone, where they would fill the screen. */
function Keys({ overview }: { readonly overview: Overview }) {
  const [startsOpen] = useState(() => window.innerWidth > 720);
  return (
    <details class="keys" open={startsOpen}>
      <summary class="small">{t("Base URL and keys", "URL base e chaves")}</summary>
      <dl class="inline">
        {KEYS.map((name) => (
          <div key={name} class="inline">
            <dt>{keyNames[name]}</dt>
            <dd class="inline">
              <code>{overview[name]}</code>
              <CopyButton value={overview[name]} what={keyNames[name]} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** Shorter interruptions are normal: a fault closes the port for a second. */
const OFFLINE_AFTER_MS = 2_000;

function OfflineBanner() {
  const isConnected = useConnected();
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(!isConnected), isConnected ? 0 : OFFLINE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isConnected]);
  return (
    <div role="alert">
      {isShown && (
        <p class="problem">
          <strong>{t("The sandbox does not respond.", "O sandbox não responde.")}</strong>{" "}
          {t("Start it again with", "Inicie-o de novo com")} <code>npx payments sandbox</code>.
        </p>
      )}
    </div>
  );
}

function NoRequests() {
  return (
    <p class="muted">
      <strong>{t("No requests yet.", "Nenhuma requisição ainda.")}</strong>{" "}
      {t(
        "Every request to the API appears here with its response, including refused requests.",
        "Toda requisição à API aparece aqui com a resposta, inclusive as recusadas.",
      )}
    </p>
  );
}

function titleOf({ view, openId }: DashboardLocation): string {
  if (openId === undefined) return viewNames[view];
  return `${view === "transactions" ? words.transaction : words.request} ${openId}`;
}

function useFocusOnRowWhenClosed({ view, openId }: DashboardLocation): void {
  const last = useRef({ view, openId });
  useEffect(() => {
    const closed = last.current.view === view && openId === undefined ? last.current.openId : undefined;
    last.current = { view, openId };
    if (closed === undefined) return;
    const name = view === "transactions" ? "transaction" : "request";
    if (!focusRow(name, closed)) document.getElementById("list")?.focus();
  }, [view, openId]);
}

if (window.location.hash === "") window.history.replaceState(null, "", hrefOf({ view: "transactions" }));
render(<Dashboard />, document.body);
