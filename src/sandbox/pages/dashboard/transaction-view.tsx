import { useEffect, useRef } from "preact/hooks";
import type { TransactionDetail } from "../../control/views.ts";
import type { FaultKind } from "../../faults/fault.ts";
import { announce, focusIfLost } from "../shared/accessibility.tsx";
import { useFetched } from "../shared/api.ts";
import { formatReais, StatusBadge } from "../shared/format.tsx";
import { PixCode } from "../shared/pix-code.tsx";
import { statusNames, translate, translateRefusedReason } from "../shared/translate.ts";
import { Details, Timeline } from "./details.tsx";
import { CHANGING_FAULTS, faultMessages } from "./fault-messages.ts";
import { hrefOf } from "./location.ts";
import { type ItemProps, OpenItem } from "./open-item.tsx";
import { Postbacks } from "./postbacks.tsx";
import { Moves } from "./transaction-moves.tsx";

const messages = translate({
  requests: ["Its requests", "Requisições"],
  changed: [
    (id: number, status: string) => `Transaction ${id} is now ${status}.`,
    (id: number, status: string) => `O status da transação ${id} agora é ${status}.`,
  ],
  notFound: [
    (id: number) => `There is no transaction ${id}. The sandbox loses its data when it stops.`,
    (id: number) => `A transação ${id} não existe. O sandbox perde os dados quando é encerrado.`,
  ],
  replaced: [
    "A fault replaced the response to the create call:",
    "Uma falha simulada substituiu a resposta da chamada de criação:",
  ],
  lost: [
    "The merchant may not know that this transaction exists. To them, the outcome is unknown: they should not send the payment again, but wait for the postback or check the reference with the service.",
    "O lojista pode não saber que esta transação existe. Para ele, o resultado é desconhecido: não deve enviar o pagamento de novo, e sim esperar o postback ou conferir a referência com o serviço.",
  ],
  refused: [
    "No one can pay this pix. The merchant should offer another way to pay.",
    "Ninguém pode pagar este Pix. O lojista deve oferecer outra forma de pagamento.",
  ],
  differs: [
    "The merchant received a response that differs from the specification. Their code should still find the transaction in it, and not send the payment again.",
    "O lojista recebeu uma resposta diferente da especificação. O código dele ainda deve encontrar a transação nela, sem enviar o pagamento de novo.",
  ],
});

export function TransactionView({ id, title, version, location }: ItemProps) {
  const fetched = useFetched<TransactionDetail>(`transactions/${id}`, version);
  const status = fetched.value?.transaction.status;
  const previous = useRef(status);
  useEffect(() => {
    if (previous.current && status && previous.current !== status) {
      announce(messages.changed(id, statusNames[status].toLowerCase()));
      focusIfLost(document.getElementById("detail-heading")); // the button of a move is removed with the move
    }
    previous.current = status;
  }, [status]);

  return (
    <OpenItem
      title={title}
      location={location}
      fetched={fetched}
      notFound={messages.notFound(id)}
      links={<a href={hrefOf({ view: "requests", filter: { q: String(id) } })}>{messages.requests}</a>}
    >
      {(detail) => <Content detail={detail} onChanged={fetched.refresh} />}
    </OpenItem>
  );
}

function Content({ detail, onChanged }: { readonly detail: TransactionDetail; onChanged(): void }) {
  const { transaction, deliveries } = detail;
  const { pix, refusedReason } = transaction;
  return (
    <>
      <p class="inline amount">
        {formatReais(transaction.amount)} <StatusBadge status={transaction.status} />
      </p>
      {refusedReason !== undefined && (
        <p class="reason" title={refusedReason}>
          {translateRefusedReason(refusedReason)}
        </p>
      )}
      <LostResponse fault={transaction.fault} />
      <Moves detail={detail} onChanged={onChanged} />
      {pix && <PixCode pix={pix} isOpen={transaction.status === "pending"} />}
      <Details transaction={transaction} />
      <Timeline entries={transaction.timeline} />
      <Postbacks transaction={transaction} deliveries={deliveries} onChanged={onChanged} />
    </>
  );
}

function consequenceOf(fault: FaultKind): string {
  if (fault === "pix_refused") return messages.refused;
  return CHANGING_FAULTS.has(fault) ? messages.differs : messages.lost;
}

/** Explains what a fault means for the merchant whose response it replaced. */
function LostResponse({ fault }: { readonly fault: FaultKind | undefined }) {
  if (fault === undefined) return null;
  return (
    <div class="note" role="note">
      <p>
        <strong>{messages.replaced}</strong> <code>{fault}</code>
      </p>
      <p>{faultMessages[fault]}</p>
      <p>{consequenceOf(fault)}</p>
    </div>
  );
}
