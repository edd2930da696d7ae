import { TEST_CARDS, type TestCard } from "../../cards/test-cards.ts";
import type { SandboxStatus } from "../../transactions/sandbox-transaction.ts";
import { CopyButton } from "../shared/copy-button.tsx";
import { statusNames, translate, translateRefusedReason } from "../shared/translate.ts";

const messages = translate({
  title: ["Test cards", "Cartões de teste"],
  intro: [
    "The number decides what happens. Any other number is approved; any security code works.",
    "O número decide o que acontece. Qualquer outro número é aprovado; qualquer código de segurança serve.",
  ],
  copy: [(number: string) => `the card number ${number}`, (number: string) => `o número de cartão ${number}`],
  stays: [
    (status: string) => `${status} until you change it`,
    (status: string) => `${status} até você mudar`,
  ],
});

export function describeCard({ status, refusedReason, later }: TestCard): string {
  const reason = translateRefusedReason((later ?? { refusedReason }).refusedReason ?? "");
  const words = (outcome: SandboxStatus) =>
    outcome === "refused"
      ? `${statusNames.refused}: ${reason}`.replace(/^(\w+): \1/i, "$1") // "Refused: refused by"
      : statusNames[outcome];

  if (later) return `${words(status)} → ${words(later.status)} (${later.afterMs / 1_000} s)`;
  return status === "approved" || status === "refused" ? words(status) : messages.stays(words(status));
}

export function formatCardNumber(number: string): string {
  return number.replace(/\d{4}(?=\d)/g, "$& ");
}

export function TestCards() {
  return (
    <details class="panel test-cards">
      <summary>{messages.title}</summary>
      <p class="muted">{messages.intro}</p>
      <ul>{TEST_CARDS.map(showCard)}</ul>
    </details>
  );
}

function showCard(card: TestCard) {
  const number = formatCardNumber(card.number);
  return (
    <li key={number}>
      <strong>{describeCard(card)}</strong>
      <p class="inline spread">
        <code>{number}</code> <CopyButton value={card.number} what={messages.copy(number)} />
      </p>
    </li>
  );
}
