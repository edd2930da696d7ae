import type { Overview } from "../../control/views.ts";
import { CopyButton } from "../shared/copy-button.tsx";

const BODY = {
  paymentMethod: "pix",
  amount: 1990,
  customer: {
    name: "Maria Exemplo",
    email: "maria@example.com",
    phone: "11999998888",
    document: { type: "cpf", number: "52998224725" },
  },
  items: [{ title: "Camiseta", unitPrice: 1990, quantity: 1, tangible: true }],
  externalRef: "order-1",
  ip: "203.0.113.7",
  metadata: "{}",
  traceable: true,
  pix: { expiresInDays: 1 },
};

/** Shows how to create the first transaction. */
export function GettingStarted({ overview }: { readonly overview: Overview | undefined }) {
  if (overview === undefined) return null;

  const { baseUrl, secretKey, publicKey } = overview;
  const command = [
    `curl ${baseUrl}/api/v1/transactions`,
    `-u ${secretKey}:${publicKey}`,
    "-H 'content-type: application/json'",
    `-d '${JSON.stringify({ ...BODY, postbackUrl: `${baseUrl}/sandbox/inbox` })}'`,
  ].join(" \\\n  ");
  return (
    <div class="empty">
      <p>
        <strong>No transactions yet.</strong> Use the base URL and the two keys above in your code, or create
        a pix from a terminal:
      </p>
      <pre>
        <code>{command}</code>
      </pre>
      <CopyButton value={command} what="the command" />
    </div>
  );
}
