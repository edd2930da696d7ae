import { useEffect, useRef } from "preact/hooks";
import type { CheckoutView } from "../../control/views.ts";
import type { SandboxStatus } from "../../transactions/sandbox-transaction.ts";
import { announce, focusIfLost } from "../shared/accessibility.tsx";
import { formatReais, Moment } from "../shared/format.tsx";
import { PixCode } from "../shared/pix-code.tsx";
import { t, translateRefusedReason } from "../shared/texts.ts";

type StatusMessage = readonly [title: string, text: string];

const statuses: Readonly<Record<SandboxStatus, StatusMessage>> = {
  pending: t<StatusMessage>(
    ["Waiting for confirmation", "The payment is not confirmed yet. You do not have to pay again."],
    ["Aguardando confirmação", "O pagamento ainda não foi confirmado. Não é preciso pagar de novo."],
  ),
  processing: t<StatusMessage>(
    ["Being processed", "The payment is being processed. You do not have to pay again."],
    ["Em processamento", "O pagamento está sendo processado. Não é preciso pagar de novo."],
  ),
  approved: t<StatusMessage>(
    ["Paid", "The payment was approved. You can close this page."],
    ["Pagamento aprovado", "Recebemos o seu pagamento. Você já pode fechar esta página."],
  ),
  refused: t<StatusMessage>(
    ["Declined", "You were not charged. Go back to the shop to pay in another way."],
    ["Pagamento recusado", "Nada foi cobrado. Volte à loja para pagar de outra forma."],
  ),
  expired: t<StatusMessage>(
    ["Expired", "The payment was not made in time. You were not charged. Do not use the old code."],
    ["Pagamento expirado", "O prazo acabou e nada foi cobrado. Não use mais o código antigo."],
  ),
  cancelled: t<StatusMessage>(
    ["Cancelled", "The payment was cancelled. You were not charged. Do not use the old code."],
    ["Pagamento cancelado", "O pagamento foi cancelado e nada foi cobrado. Não use mais o código antigo."],
  ),
  refunded: t<StatusMessage>(
    ["Refunded", "The amount was returned. It may take a few days to appear."],
    ["Pagamento estornado", "O valor foi devolvido. Pode levar alguns dias até ele aparecer."],
  ),
  chargedback: t<StatusMessage>(
    ["Charged back", "The payment was disputed, and the amount was returned."],
    ["Pagamento contestado", "O pagamento foi contestado e o valor foi devolvido."],
  ),
};

const PENDING_PIX = t("Waiting for your payment", "Aguardando o seu pagamento");

const STEPS = t(
  [
    "Open your bank's app and choose Pix.",
    "Scan the QR code, or choose Pix Copia e Cola and paste the code.",
    "Check the amount and the recipient, and confirm.",
  ],
  [
    "Abra o app do seu banco e escolha Pix.",
    "Escaneie o QR code ou escolha Pix copia e cola e cole o código.",
    "Confira o valor e o recebedor e confirme.",
  ],
);

export function titleOfStatus({ status, pix }: CheckoutView): string {
  return status === "pending" && pix ? PENDING_PIX : statuses[status][0];
}

interface Props {
  readonly view: CheckoutView;
  /** Whether the status changed while the page was open. */
  readonly hasChanged: boolean;
}

export function CheckoutState({ view, hasChanged }: Props) {
  const { status, pix } = view;
  if (status !== "pending" || !pix) return <Result key={status} view={view} hasChanged={hasChanged} />;
  return (
    <section class="stack" aria-labelledby="waiting">
      <h2 id="waiting">{PENDING_PIX}</h2>
      <ol class="stack steps">
        {STEPS.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <PixCode pix={pix} />
      <p class="muted">
        {t("Pay before", "Pague até")} <Moment at={pix.expirationDate} inWords />.{" "}
        {t("This page updates automatically.", "Esta página é atualizada automaticamente.")}
      </p>
    </section>
  );
}

function Result({ view, hasChanged }: Props) {
  const { status, refundedAmount, refusedReason } = view;
  const [title, text] = statuses[status];
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!hasChanged) return;
    announce(`${title}. ${text}`);
    focusIfLost(heading.current); // the pay button was removed
  }, []);
  return (
    <section class={`stack result ${status}`} aria-labelledby="result">
      <h2 id="result" tabIndex={-1} ref={heading}>
        {title}
      </h2>
      <p>{text}</p>
      {refusedReason !== undefined && (
        <p>
          {t("Reason:", "Motivo:")} {translateRefusedReason(refusedReason)}
        </p>
      )}
      {/* After a partial refund, the payment is still approved. */}
      {refundedAmount > 0 && status === "approved" && (
        <p>
          {t(`${formatReais(refundedAmount)} was refunded.`, `Estorno de ${formatReais(refundedAmount)}.`)}
        </p>
      )}
    </section>
  );
}
