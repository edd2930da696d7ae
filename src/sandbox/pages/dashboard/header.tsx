import type { Overview } from "../../control/views.ts";
import { CopyButton } from "../shared/copy-button.tsx";
import { plural, translate, words } from "../shared/translate.ts";
import { hrefOf, type View } from "./location.ts";
import { NewPayment } from "./payment-form.tsx";

const messages = translate({
  live: ["Live", "Ao vivo"],
  reconnecting: ["Reconnecting…", "Reconectando…"],
  noMoney: ["no real money", "sem dinheiro real"],
  views: ["Views", "Seções"],
  tools: ["Faults and clock", "Falhas e relógio"],
  armed: [plural("armed", "armed"), plural("ativa", "ativas")],
  baseUrl: ["Base URL", "URL base"],
  secretKey: ["Secret key", "Chave secreta"],
  publicKey: ["Public key", "Chave pública"],
  keys: ["Base URL and keys", "URL base e chaves"],
  what: [
    { baseUrl: "the base URL", secretKey: "the secret key", publicKey: "the public key" },
    { baseUrl: "a URL base", secretKey: "a chave secreta", publicKey: "a chave pública" },
  ],
});

interface Props {
  readonly isConnected: boolean;
  readonly armedCount: number;
  readonly overview: Overview | undefined;
  readonly view: View;
}

export function Header({ isConnected, armedCount, overview, view }: Props) {
  return (
    <header class="page-header">
      <div class="inline">
        <h1>{words.sandbox}</h1>
        <p class={isConnected ? "connection small live" : "connection small"} role="status">
          {isConnected ? messages.live : messages.reconnecting}
        </p>
        <p class="small">
          <bdi>{overview?.companyName ?? "…"}</bdi> · {messages.noMoney}
        </p>
      </div>
      {overview && <Keys overview={overview} />}
      <div class="inline spread nav-line">
        <nav class="inline" aria-label={messages.views}>
          {(["transactions", "requests"] as const).map((name) => (
            <a key={name} href={hrefOf({ view: name })} aria-current={view === name ? "page" : undefined}>
              {words[name]}
            </a>
          ))}
        </nav>
        <div class="inline nav-actions">
          <button type="button" class="tools-button" popovertarget="tools">
            {messages.tools}
            {armedCount > 0 && <span class="badge fault">{messages.armed(armedCount)}</span>}
          </button>
          <NewPayment overview={overview} isConnected={isConnected} />
        </div>
      </div>
    </header>
  );
}

const KEYS = ["baseUrl", "secretKey", "publicKey"] as const;

function Keys({ overview }: { readonly overview: Overview }) {
  return (
    <details class="keys" open={window.innerWidth > 720}>
      <summary class="small">{messages.keys}</summary>
      <dl class="inline">
        {KEYS.map((name) => (
          <div key={name} class="inline">
            <dt>{messages[name]}</dt>
            <dd class="inline">
              <code>{overview[name]}</code>
              <CopyButton value={overview[name]} what={messages.what[name]} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
