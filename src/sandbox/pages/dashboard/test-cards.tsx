import { useState } from "preact/hooks";
import { TEST_CARDS, type TestCard } from "../../cards/test-cards.ts";
import type { SandboxStatus } from "../../transactions/sandbox-transaction.ts";
import { CopyButton } from "../shared/copy-button.tsx";
import { choose } from "../shared/language.ts";

const texts = choose({
  en: {
    title: "Test cards",
    intro: "The number decides what happens. Any other number is approved; any security code works.",
    number: "Number",
    outcome: "What happens",
    copy: (number: string) => `the card number ${number}`,
    later: (first: string, then: string, seconds: number) =>
      `${first}; after ${seconds} seconds, ${then.toLowerCase()}`,
    stays: (status: string) => `${status} until you change it`,
  },
  pt: {
    title: "Cartões de teste",
    intro:
      "O número decide o que acontece. Qualquer outro número é aprovado; qualquer código de segurança serve.",
    number: "Número",
    outcome: "O que acontece",
    copy: (number: string) => `o número de cartão ${number}`,
    later: (first: string, then: string, seconds: number) =>
      `${first}; após ${seconds} segundos, ${then.toLowerCase()}`,
    stays: (status: string) => `${status} até você mudar`,
  },
});

const statuses: Readonly<Record<SandboxStatus, string>> = choose({
  en: {
    pending: "Pending",
    processing: "Processing",
    approved: "Approved",
    refused: "Refused",
    cancelled: "Cancelled",
    expired: "Expired",
    refunded: "Refunded",
    chargedback: "Charged back",
  },
  pt: {
    pending: "Pendente",
    processing: "Em processamento",
    approved: "Aprovado",
    refused: "Recusado",
    cancelled: "Cancelado",
    expired: "Expirado",
    refunded: "Estornado",
    chargedback: "Chargeback",
  },
});

/** Why a card is refused, by scenario. */
const reasons: Readonly<Record<string, string>> = choose({
  en: {
    not_authorized: "not authorized by the issuer",
    insufficient_limit: "insufficient limit",
    wrong_cvv: "wrong security code",
    expired_card: "expired card",
    antifraud: "anti-fraud rules",
    stolen_card: "stolen card",
    lost_card: "lost card",
    too_often: "used too often",
    issuer_unavailable: "the issuer did not respond",
    processing_then_refused: "anti-fraud rules",
  },
  pt: {
    not_authorized: "não autorizado pelo emissor",
    insufficient_limit: "limite insuficiente",
    wrong_cvv: "código de segurança incorreto",
    expired_card: "cartão vencido",
    antifraud: "regras antifraude",
    stolen_card: "cartão roubado",
    lost_card: "cartão perdido",
    too_often: "usado vezes demais",
    issuer_unavailable: "o emissor não respondeu",
    processing_then_refused: "regras antifraude",
  },
});

/** What happens to a payment with a card, in words. */
export function describeCard({ scenario, status, refusedReason, later }: TestCard): string {
  const reason = (later ?? { refusedReason }).refusedReason;
  const words = (outcome: SandboxStatus) =>
    outcome === "refused" && reason
      ? `${statuses.refused}: ${reasons[scenario] ?? reason}`
      : statuses[outcome];

  if (later) return texts.later(words(status), words(later.status), later.afterMs / 1_000);
  return status === "approved" || status === "refused" ? words(status) : texts.stays(words(status));
}

/** In groups of four digits, as on a card. */
export function formatCardNumber(number: string): string {
  return number.replace(/\d{4}(?=\d)/g, "$& ");
}

/** The numbers that select an outcome. */
export function TestCards() {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="panel test-cards" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{texts.title}</summary>
      {isOpen && <Table />}
    </details>
  );
}

function Table() {
  return (
    <>
      <p class="muted">{texts.intro}</p>
      <table>
        <thead>
          <tr>
            <th scope="col">{texts.outcome}</th>
            <th scope="col">{texts.number}</th>
          </tr>
        </thead>
        <tbody>
          {TEST_CARDS.map((card) => (
            <tr key={card.number}>
              <th scope="row">{describeCard(card)}</th>
              <td>
                <code>{formatCardNumber(card.number)}</code>
                <CopyButton value={card.number} what={texts.copy(formatCardNumber(card.number))} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
