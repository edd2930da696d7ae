import { useEffect, useRef } from "preact/hooks";
import type { TransactionDetail } from "../../control/views.ts";
import type { SandboxTransaction, TimelineEntry } from "../../transactions/sandbox-transaction.ts";
import { announce, focusIfLost } from "../shared/accessibility.tsx";
import { Fact, formatReais, Moment, StatusBadge } from "../shared/format.tsx";
import { useFetched } from "../shared/live.ts";
import { PixCode } from "../shared/pix-code.tsx";
import { methodNames, statusNames } from "../shared/texts.ts";
import { FaultNote } from "./fault-notes.tsx";
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
      announce(`Transaction ${id} is now ${name}.`);
      focusIfLost(document.getElementById("detail-heading")); // the button of a move is removed with the move
    }
    previous.current = status;
  }, [status]);

  return (
    <OpenItem
      {...props}
      fetched={fetched}
      notFound={`There is no transaction ${id}. The sandbox loses its data when it stops.`}
      links={<a href={hrefOf({ view: "requests", q: String(id) })}>Its requests</a>}
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
      {refusedReason !== undefined && <p class="problem">{refusedReason}</p>}
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
      <h3 id="details-heading">Details</h3>
      <dl class="stack facts">
        <Fact name="Reference">{transaction.externalId}</Fact>
        <Fact name="Created">
          <Moment at={transaction.createdAt} />
        </Fact>
        <Fact name="Expires">{pix && <Moment at={pix.expirationDate} />}</Fact>
        <Fact name="Method">{methodNames[paymentMethod]}</Fact>
        <Fact name="Card scenario">{transaction.scenario}</Fact>
        <Fact name="Paid">{formatReais(paidAmount)}</Fact>
        <Fact name="Refunded">{refundedAmount > 0 && formatReais(refundedAmount)}</Fact>
        <Fact name="Customer">
          {customer.name}, {customer.email}
        </Fact>
        <Fact name="Postback URL">{transaction.postBackUrl}</Fact>
        <Fact name="Checkout page">
          <a href={`checkout/${transaction.secureId}`}>{transaction.secureUrl}</a>
        </Fact>
      </dl>
    </section>
  );
}

function Timeline({ entries }: { readonly entries: readonly TimelineEntry[] }) {
  return (
    <section aria-labelledby="timeline-heading">
      <h3 id="timeline-heading">Timeline</h3>
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
