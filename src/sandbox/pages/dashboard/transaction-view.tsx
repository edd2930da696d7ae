import { useEffect, useRef } from "preact/hooks";
import type { TransactionDetail } from "../../control/views.ts";
import type { SandboxTransaction, TimelineEntry } from "../../transactions/sandbox-transaction.ts";
import { announce, focusIfLost } from "../shared/accessibility.tsx";
import { Fact, formatReais, Moment, StatusBadge } from "../shared/format.tsx";
import { useFetched } from "../shared/live.ts";
import { PixCode } from "../shared/pix-code.tsx";
import { methodNames, statusNames, t, translateRefusedReason, words } from "../shared/texts.ts";
import { FaultNote } from "./fault-texts.tsx";
import { hrefOf } from "./location.ts";
import { Moves, moveNames } from "./moves.tsx";
import { type ItemProps, OpenItem } from "./open-item.tsx";
import { Postbacks } from "./postbacks.tsx";

export function TransactionView(props: ItemProps) {
  const { id } = props;
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
      {...props}
      fetched={fetched}
      notFound={t(
        `There is no transaction ${id}. The sandbox loses its data when it stops.`,
        `A transação ${id} não existe. O sandbox perde os dados quando é encerrado.`,
      )}
      links={<a href={hrefOf({ view: "requests", q: String(id) })}>{t("Its requests", "Requisições")}</a>}
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
      <p class="inline sum">
        {formatReais(transaction.amount)} <StatusBadge status={transaction.status} />
      </p>
      {refusedReason !== undefined && (
        <p class="problem" title={refusedReason}>
          {translateRefusedReason(refusedReason)}
        </p>
      )}
      <FaultNote fault={transaction.fault} />
      <Moves detail={detail} onChanged={onChanged} />
      {pix && transaction.status === "pending" && <PixCode pix={pix} />}
      <Details transaction={transaction} />
      <Timeline entries={transaction.timeline} />
      <Postbacks deliveries={deliveries} />
    </>
  );
}

/** What is not shown here, such as the items, is in the transaction's requests. */
function Details({ transaction }: { readonly transaction: SandboxTransaction }) {
  const { customer, pix, paymentMethod, paidAmount, refundedAmount } = transaction;
  return (
    <section aria-labelledby="details-heading">
      <h3 id="details-heading">{t("Details", "Detalhes")}</h3>
      <dl class="stack facts">
        <Fact name={words.reference}>{transaction.externalId}</Fact>
        <Fact name={t("Created", "Criada em")}>
          <Moment at={transaction.createdAt} />
        </Fact>
        <Fact name={t("Expires", "Expira em")}>{pix && <Moment at={pix.expirationDate} />}</Fact>
        <Fact name={words.method}>{methodNames[paymentMethod]}</Fact>
        <Fact name={t("Card scenario", "Cenário do cartão")}>{transaction.scenario}</Fact>
        <Fact name={t("Paid", "Pago")}>{formatReais(paidAmount)}</Fact>
        <Fact name={t("Refunded", "Estornado")}>{refundedAmount > 0 && formatReais(refundedAmount)}</Fact>
        <Fact name={words.customer}>
          {customer.name}, {customer.email}
        </Fact>
        <Fact name={t("Postback URL", "URL de postback")}>{transaction.postBackUrl}</Fact>
        <Fact name={t("Checkout page", "Página de checkout")}>
          <a href={`checkout/${transaction.secureId}`}>{transaction.secureUrl}</a>
        </Fact>
      </dl>
    </section>
  );
}

function Timeline({ entries }: { readonly entries: readonly TimelineEntry[] }) {
  return (
    <section aria-labelledby="timeline-heading">
      <h3 id="timeline-heading">{t("Timeline", "Linha do tempo")}</h3>
      <ol class="stack timeline">
        {entries.map(({ at, status, move, amount }, index) => (
          <li key={index} class="inline">
            <Moment at={at} />
            <StatusBadge status={status} />
            <span class="muted">
              {move && moveNames[move]} {amount !== undefined && formatReais(amount)}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
