import { useEffect, useState } from "preact/hooks";
import type { Overview } from "../../control/views.ts";
import { CopyButton } from "../shared/copy-button.tsx";
import { translate, words } from "../shared/translate.ts";
import { hrefOf, type View } from "./location.ts";
import { NewPayment } from "./payment-form.tsx";

const messages = translate({
  live: ["Live", "Ao vivo"],
  reconnecting: ["Reconnecting…", "Reconectando…"],
  noMoney: ["no real money", "sem dinheiro real"],
  views: ["Views", "Seções"],
  tools: ["Faults and clock", "Falhas e relógio"],
  shortTools: ["Faults", "Falhas"],
  baseUrl: ["Base URL", "URL base"],
  secretKey: ["Secret key", "Chave secreta"],
  publicKey: ["Public key", "Chave pública"],
  keys: ["Base URL and keys", "URL base e chaves"],
  down: ["The sandbox does not respond.", "O sandbox não responde."],
  start: ["Start it again with", "Inicie-o de novo com"],
});

interface Props {
  readonly isConnected: boolean;
  readonly overview: Overview | undefined;
  readonly view: View;
}

export function Header({ isConnected, overview, view }: Props) {
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
            <span class="short-label" data-short={messages.shortTools}>
              {messages.tools}
            </span>
          </button>
          <NewPayment overview={overview} />
        </div>
      </div>
    </header>
  );
}

const KEYS = ["baseUrl", "secretKey", "publicKey"] as const;

/** `undefined` if the browser blocks it. */
const storage = (() => {
  try {
    return window.localStorage;
  } catch {
    return undefined;
  }
})();
const COPIED = "payments-sandbox-copied";
const wasCopied = () => storage?.getItem(COPIED) === "true";

/** Folded once the reader has copied a key and leaves the page, for example to paste it. */
function Keys({ overview }: { readonly overview: Overview }) {
  const [startsOpen] = useState(() => window.innerWidth > 720 && !wasCopied());

  function foldLater(): void {
    if (wasCopied()) return; // the reader has unfolded it again
    try {
      storage?.setItem(COPIED, "true");
    } catch {} // full
    const fold = () => document.querySelector(".keys")?.removeAttribute("open");
    window.addEventListener("blur", fold, { once: true });
  }

  return (
    <details class="keys" open={startsOpen}>
      <summary class="small">{messages.keys}</summary>
      <dl class="inline">
        {KEYS.map((name) => (
          <div key={name} class="inline">
            <dt>{messages[name]}</dt>
            <dd class="inline">
              <code>{overview[name]}</code>
              <CopyButton value={overview[name]} what={messages[name]} onCopied={foldLater} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** Shorter interruptions are normal: a fault closes the port for a second. */
const OFFLINE_AFTER_MS = 2_000;

export function OfflineBanner({ isConnected }: { readonly isConnected: boolean }) {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    if (isConnected) return setShown(false);
    const timer = setTimeout(() => setShown(true), OFFLINE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isConnected]);
  return (
    <div role="alert">
      {isShown && (
        <p class="problem">
          <strong>{messages.down}</strong> {messages.start} <code>npx payments sandbox</code>.
        </p>
      )}
    </div>
  );
}
