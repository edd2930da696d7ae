import type { Overview } from "../../control/views.ts";
import { CopyButton } from "../shared/copy-button.tsx";
import { choose } from "../shared/language.ts";
import { NewPayment } from "./new-payment.tsx";
import { hrefOf, type View } from "./route.ts";
import { TOOLS_ID } from "./tools.tsx";
import type { Live } from "./use-live.ts";

const texts = choose({
  en: {
    title: "Payments sandbox",
    live: "Live",
    reconnecting: "Reconnecting…",
    noMoney: "no real money",
    views: "Views",
    transactions: "Transactions",
    requests: "Requests",
    tools: "Faults and clock",
    armed: (count: number) => `${count} armed`,
    baseUrl: "Base URL",
    secretKey: "Secret key",
    publicKey: "Public key",
    keys: "Base URL and keys",
    what: { baseUrl: "the base URL", secretKey: "the secret key", publicKey: "the public key" },
  },
  pt: {
    title: "Sandbox de pagamentos",
    live: "Ao vivo",
    reconnecting: "Reconectando…",
    noMoney: "sem dinheiro real",
    views: "Seções",
    transactions: "Transações",
    requests: "Requisições",
    tools: "Falhas e relógio",
    armed: (count: number) => (count === 1 ? "1 ativa" : `${count} ativas`),
    baseUrl: "URL base",
    secretKey: "Chave secreta",
    publicKey: "Chave pública",
    keys: "URL base e chaves",
    what: { baseUrl: "a URL base", secretKey: "a chave secreta", publicKey: "a chave pública" },
  },
});

interface Props {
  readonly live: Live;
  readonly overview: Overview | undefined;
  readonly view: View;
  readonly areToolsOpen: boolean;
  onToggleTools(): void;
}

export function Header({ live, overview, view, areToolsOpen, onToggleTools }: Props) {
  return (
    <header class="page-header">
      <div class="title-line">
        <h1>{texts.title}</h1>
        <p class={live.isConnected ? "connection live" : "connection"} role="status">
          {live.isConnected ? texts.live : texts.reconnecting}
        </p>
        <p class="lead">
          <bdi>{overview?.companyName ?? "…"}</bdi> · {texts.noMoney}
        </p>
      </div>
      {overview && <Keys overview={overview} />}
      <div class="nav-line">
        <nav aria-label={texts.views}>
          {(["transactions", "requests"] as const).map((name) => (
            <a key={name} href={hrefOf({ view: name })} aria-current={view === name ? "page" : undefined}>
              {texts[name]}
            </a>
          ))}
        </nav>
        <div class="nav-actions">
          <button
            type="button"
            class="tools-button"
            aria-expanded={areToolsOpen}
            aria-controls={TOOLS_ID}
            // Before the focus leaves the drawer, which closes it.
            onMouseDown={(event) => event.preventDefault()}
            onClick={onToggleTools}
          >
            {texts.tools}
            {live.armed.length > 0 && <span class="badge fault">{texts.armed(live.armed.length)}</span>}
          </button>
          <NewPayment overview={overview} isConnected={live.isConnected} />
        </div>
      </div>
    </header>
  );
}

const KEYS = ["baseUrl", "secretKey", "publicKey"] as const;

function Keys({ overview }: { readonly overview: Overview }) {
  return (
    <details class="keys" open={window.innerWidth > 720}>
      <summary>{texts.keys}</summary>
      <dl>
        {KEYS.map((name) => (
          <div key={name}>
            <dt>{texts[name]}</dt>
            <dd>
              <code>{overview[name]}</code>
              <CopyButton value={overview[name]} what={texts.what[name]} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
