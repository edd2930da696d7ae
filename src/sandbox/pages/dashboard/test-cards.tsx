import { TEST_CARDS, type TestCard } from "../../cards/test-cards.ts";
import type { SandboxStatus } from "../../transactions/sandbox-transaction.ts";
import { CopyButton } from "../shared/copy-button.tsx";
import { translate } from "../shared/translate.ts";

const messages = translate({
  title: ["Test cards", "Cartões de teste"],
  intro: [
    "The number decides what happens. Any other number is approved; any security code works.",
    "O número decide o que acontece. Qualquer outro número é aprovado; qualquer código de segurança serve.",
  ],
  copy: [(number: string) => `the card number ${number}`, (number: string) => `o número de cartão ${number}`],
  later: [
    (first: string, then: string, seconds: number) =>
      `${first}; after ${seconds} seconds, ${then.toLowerCase()}`,
    (first: string, then: string, seconds: number) =>
      `${first}; após ${seconds} segundos, ${then.toLowerCase()}`,
  ],
  stays: [
    (status: string) => `${status} until you change it`,
    (status: string) => `${status} até você mudar`,
  ],
});

const statuses: Readonly<Record<SandboxStatus, string>> = translate({
  pending: ["Pending", "Pendente"],
  processing: ["Processing", "Em processamento"],
  approved: ["Approved", "Aprovado"],
  refused: ["Refused", "Recusado"],
  cancelled: ["Cancelled", "Cancelado"],
  expired: ["Expired", "Expirado"],
  refunded: ["Refunded", "Estornado"],
  chargedback: ["Charged back", "Chargeback"],
});

/** Why a card is refused, by scenario. */
const reasons: Readonly<Record<string, string>> = translate({
  not_authorized: ["not authorized by the issuer", "não autorizado pelo emissor"],
  insufficient_limit: ["insufficient limit", "limite insuficiente"],
  wrong_cvv: ["wrong security code", "código de segurança incorreto"],
  expired_card: ["expired card", "cartão vencido"],
  antifraud: ["anti-fraud rules", "regras antifraude"],
  stolen_card: ["stolen card", "cartão roubado"],
  lost_card: ["lost card", "cartão perdido"],
  too_often: ["used too often", "usado vezes demais"],
  issuer_unavailable: ["the issuer did not respond", "o emissor não respondeu"],
  processing_then_refused: ["anti-fraud rules", "regras antifraude"],
});

/** What happens to a payment with a card, in words. */
export function describeCard({ scenario, status, refusedReason, later }: TestCard): string {
  const reason = (later ?? { refusedReason }).refusedReason;
  const words = (outcome: SandboxStatus) =>
    outcome === "refused" && reason
      ? `${statuses.refused}: ${reasons[scenario] ?? reason}`
      : statuses[outcome];

  if (later) return messages.later(words(status), words(later.status), later.afterMs / 1_000);
  return status === "approved" || status === "refused" ? words(status) : messages.stays(words(status));
}

/** In groups of four digits, as on a card. */
export function formatCardNumber(number: string): string {
  return number.replace(/\d{4}(?=\d)/g, "$& ");
}

/** The numbers that select an outcome. */
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
