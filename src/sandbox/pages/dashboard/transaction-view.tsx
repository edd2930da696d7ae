import { useEffect, useRef } from "preact/hooks";
import type { TransactionDetail } from "../../control/views.ts";
import type { FaultKind } from "../../faults/fault.ts";
import { announce, focusIfLost } from "../shared/accessibility.tsx";
import { formatReais, StatusBadge } from "../shared/format.tsx";
import { useFetched } from "../shared/live.ts";
import { PixCode } from "../shared/pix-code.tsx";
import { statusNames, t, translateRefusedReason } from "../shared/texts.ts";
import { Details, Timeline } from "./details.tsx";
import { faultTexts, replacesWholeResponse } from "./fault-texts.ts";
import { hrefOf } from "./location.ts";
import { Moves } from "./moves.tsx";
import { type ItemProps, OpenItem } from "./open-item.tsx";
import { Postbacks } from "./postbacks.tsx";

export function TransactionView({ id, title, location }: ItemProps) {
  const fetched = useFetched<TransactionDetail>(`transactions/${id}`, "transaction", "delivery");
  const status = fetched.value?.transaction.status;
  const previous = useRef(status);
  useEffect(() => {
    if (previous.current && status && previous.current !== status) {
      const name = statusNames[status].toLowerCase();
      announce(t(`Transaction ${id} is now ${name}.`, `O status da transação ${id} agora é ${name}.`));
      focusIfLost(document.getElementById("detail-heading")); // the button of a move is removed with the move
    }
    previous.current = status;
  }, [status]);

  return (
    <OpenItem
      title={title}
      location={location}
      fetched={fetched}
      notFound={t(
        `There is no transaction ${id}. The sandbox loses its data when it stops.`,
        `A transação ${id} não existe. O sandbox perde os dados quando é encerrado.`,
      )}
      links={
        <a href={hrefOf({ view: "requests", filter: { q: String(id) } })}>
          {t("Its requests", "Requisições")}
        </a>
      }
    >
      {(detail) => <Content detail={detail} onChanged={fetched.refresh} />}
    </OpenItem>
  );
}

function Content({ detail, onChanged }: { readonly detail: TransactionDetail; onChanged(): void }) {
  const { transaction, deliveries } = detail;
  const { pix, refusedReason, fault } = transaction;
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
      {fault !== undefined && <ReplacedResponse fault={fault} />}
      <Moves detail={detail} onChanged={onChanged} />
      {pix && <PixCode pix={pix} isOpen={transaction.status === "pending"} />}
      <Details transaction={transaction} />
      <Timeline entries={transaction.timeline} />
      <Postbacks transaction={transaction} deliveries={deliveries} onChanged={onChanged} />
    </>
  );
}

/** Explains what a fault means for the merchant whose response it replaced. */
function ReplacedResponse({ fault }: { readonly fault: FaultKind }) {
  return (
    <div class="note" role="note">
      <p>
        <strong>
          {t(
            "A fault replaced the response to the create call:",
            "Uma falha simulada substituiu a resposta da chamada de criação:",
          )}
        </strong>{" "}
        <code>{fault}</code>
      </p>
      <p>{faultTexts[fault]}</p>
      <p>{consequenceOf(fault)}</p>
    </div>
  );
}

function consequenceOf(fault: FaultKind): string {
  if (fault === "pix_refused") {
    return t(
      "No one can pay this pix. The merchant should offer another way to pay.",
      "Ninguém pode pagar este Pix. O lojista deve oferecer outra forma de pagamento.",
    );
  }
  if (replacesWholeResponse(fault)) {
    return t(
      "The merchant's code should still find the transaction in the response, and not send the payment again.",
      "O código do lojista ainda deve encontrar a transação na resposta, sem enviar o pagamento de novo.",
    );
  }
  return t(
    "The merchant may not know that this transaction exists. To them, the outcome is unknown: they should not send the payment again, but wait for the postback or check the reference with the service.",
    "O lojista pode não saber que esta transação existe. Para ele, o resultado é desconhecido: não deve enviar o pagamento de novo, e sim esperar o postback ou conferir a referência com o serviço.",
  );
}
