import { useEffect, useRef } from "preact/hooks";
import type { CheckoutView } from "../../control/views.ts";
import type { SandboxStatus } from "../../transactions/sandbox-transaction.ts";
import { announce, focusIfLost } from "../shared/accessibility.tsx";
import { formatReais, Moment } from "../shared/format.tsx";
import { choose } from "../shared/language.ts";
import { PixCode } from "../shared/pix-code.tsx";
import { Countdown } from "./countdown.tsx";
import { translateReason } from "./refused-reasons.ts";

type Words = readonly [title: string, text: string];

/** What each status means for the customer. */
const texts = choose<{
  readonly statuses: Readonly<Record<SandboxStatus, Words>>;
  readonly pendingPix: string;
  readonly steps: readonly string[];
  readonly payBefore: string;
  readonly updates: string;
  readonly reason: string;
  readonly wasRefunded: (amount: string) => string;
}>({
  en: {
    statuses: {
      pending: [
        "Waiting for confirmation",
        "The payment is not confirmed yet. You do not have to pay again.",
      ],
      processing: ["Being processed", "The payment is being processed. You do not have to pay again."],
      approved: ["Paid", "The payment was approved. You can close this page."],
      refused: ["Declined", "You were not charged. Go back to the shop to pay in another way."],
      expired: [
        "Expired",
        "The payment was not made in time. You were not charged. Do not use the old code.",
      ],
      cancelled: ["Cancelled", "The payment was cancelled. You were not charged. Do not use the old code."],
      refunded: ["Refunded", "The amount was returned. It may take a few days to appear."],
      chargedback: ["Charged back", "The payment was disputed, and the amount was returned."],
    },
    pendingPix: "Waiting for your payment",
    steps: [
      "Open your bank's app and choose Pix.",
      "Scan the QR code, or choose Pix Copia e Cola and paste the code.",
      "Check the amount and the recipient, and confirm.",
    ],
    payBefore: "Pay before",
    updates: "This page updates automatically.",
    reason: "Reason:",
    wasRefunded: (amount) => `${amount} was refunded.`,
  },
  pt: {
    statuses: {
      pending: [
        "Aguardando confirmação",
        "O pagamento ainda não foi confirmado. Não é preciso pagar de novo.",
      ],
      processing: ["Em processamento", "O pagamento está sendo processado. Não é preciso pagar de novo."],
      approved: ["Pagamento aprovado", "Recebemos o seu pagamento. Você já pode fechar esta página."],
      refused: ["Pagamento recusado", "Nada foi cobrado. Volte à loja para pagar de outra forma."],
      expired: ["Pagamento expirado", "O prazo acabou e nada foi cobrado. Não use mais o código antigo."],
      cancelled: [
        "Pagamento cancelado",
        "O pagamento foi cancelado e nada foi cobrado. Não use mais o código antigo.",
      ],
      refunded: ["Pagamento estornado", "O valor foi devolvido. Pode levar alguns dias até ele aparecer."],
      chargedback: ["Pagamento contestado", "O pagamento foi contestado e o valor foi devolvido."],
    },
    pendingPix: "Aguardando o seu pagamento",
    steps: [
      "Abra o app do seu banco e escolha Pix.",
      "Escaneie o QR code ou escolha Pix copia e cola e cole o código.",
      "Confira o valor e o recebedor e confirme.",
    ],
    payBefore: "Pague até",
    updates: "Esta página é atualizada automaticamente.",
    reason: "Motivo:",
    wasRefunded: (amount) => `Estorno de ${amount}.`,
  },
});

export function titleOfStatus({ status, pix }: CheckoutView): string {
  return status === "pending" && pix ? texts.pendingPix : texts.statuses[status][0];
}

interface Props {
  readonly view: CheckoutView;
  /** Whether the status changed while the page was open. */
  readonly hasChanged: boolean;
  onExpired(): void;
}

/** What the customer can do, or the result. */
export function CheckoutState({ view, hasChanged, onExpired }: Props) {
  const { status, pix } = view;
  if (status !== "pending" || !pix) return <Result key={status} view={view} hasChanged={hasChanged} />;
  return (
    <section class="pay-pix" aria-labelledby="waiting">
      <div class="waiting">
        <h2 id="waiting">{texts.pendingPix}</h2>
        <Countdown view={view} expiresAt={pix.expirationDate} onEnd={onExpired} />
      </div>
      <PixCode pix={pix} isPrimary>
        <ol class="steps">
          {texts.steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </PixCode>
      <p class="muted">
        {texts.payBefore} <Moment at={pix.expirationDate} inWords />. {texts.updates}
      </p>
    </section>
  );
}

/** Paths of the icons in a square of 24 units. */
const ICONS: Readonly<Record<SandboxStatus, string>> = {
  pending: "M12 7v5l3 2",
  processing: "M12 7v5l3 2",
  approved: "M7 12.5l3.5 3.5L17 9",
  refused: "M8.5 8.5l7 7m0-7l-7 7",
  expired: "M12 7v5l3 2",
  cancelled: "M8 12h8",
  refunded: "M16 12H8m3.5-3.5L8 12l3.5 3.5",
  chargedback: "M16 12H8m3.5-3.5L8 12l3.5 3.5",
};

interface ResultProps {
  readonly view: CheckoutView;
  readonly hasChanged: boolean;
}

function Result({ view, hasChanged }: ResultProps) {
  const { status, refundedAmount, refusedReason } = view;
  const [title, text] = texts.statuses[status];
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!hasChanged) return;
    announce(`${title}. ${text}`);
    focusIfLost(heading.current); // the pay button was removed
  }, []);
  return (
    <section class={`result ${status}`} aria-labelledby="result">
      <svg viewBox="0 0 24 24" width="40" height="40" aria-hidden="true">
        <circle cx="12" cy="12" r="11" />
        <path d={ICONS[status]} />
      </svg>
      <div>
        <h2 id="result" tabIndex={-1} ref={heading}>
          {title}
        </h2>
        <p>{text}</p>
        {refusedReason !== undefined && (
          <p>
            {texts.reason} {translateReason(refusedReason)}
          </p>
        )}
        {/* After a partial refund, the payment is still approved. */}
        {refundedAmount > 0 && status === "approved" && (
          <p>{texts.wasRefunded(formatReais(refundedAmount))}</p>
        )}
      </div>
    </section>
  );
}
