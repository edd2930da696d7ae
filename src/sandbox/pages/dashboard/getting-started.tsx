import type { Overview } from "../../control/views.ts";
import { CopyButton } from "../shared/copy-button.tsx";
import { choose } from "../shared/language.ts";

const texts = choose({
  en: {
    title: "No transactions yet.",
    hint: "Use the base URL and the two keys above in your code, try New payment, or create a pix from a terminal:",
    command: "the command",
  },
  pt: {
    title: "Nenhuma transação ainda.",
    hint: "Use a URL base e as duas chaves acima no seu código, experimente Novo pagamento ou crie um Pix no terminal:",
    command: "o comando",
  },
});

/** With every field that the endpoint's table requires: both readings of the specification accept it. */
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
        <strong>{texts.title}</strong> {texts.hint}
      </p>
      <pre>
        <code>{command}</code>
      </pre>
      <CopyButton value={command} what={texts.command} />
    </div>
  );
}
