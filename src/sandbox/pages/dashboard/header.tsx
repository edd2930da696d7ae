import type { Overview } from "../../control/views.ts";
import { CopyButton } from "../shared/copy-button.tsx";

interface Props {
  readonly isConnected: boolean;
  readonly overview: Overview | undefined;
}

export function Header({ isConnected, overview }: Props) {
  return (
    <header class="page-header">
      <div class="title-line">
        <h1>Payments sandbox</h1>
        <p class={isConnected ? "connection live" : "connection"} role="status">
          {isConnected ? "Live" : "Reconnecting…"}
        </p>
      </div>
      <p class="lead">{overview?.companyName ?? "…"} · no money moves</p>
      {overview && (
        <dl class="keys">
          <Key name="Base URL" value={overview.baseUrl} />
          <Key name="Secret key" value={overview.secretKey} />
          <Key name="Public key" value={overview.publicKey} />
        </dl>
      )}
    </header>
  );
}

function Key({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <code>{value}</code>
        <CopyButton
          value={value}
          what={`the ${name.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())}`}
        />
      </dd>
    </div>
  );
}
