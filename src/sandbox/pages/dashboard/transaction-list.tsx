import { useEffect, useRef } from "preact/hooks";
import type { Overview, TransactionSummary } from "../../control/views.ts";
import { focusIfLost } from "../shared/focus.ts";
import { Moment } from "../shared/moment.tsx";
import { reais } from "../shared/money.ts";
import { Problem } from "../shared/problem.tsx";
import { StatusBadge } from "../shared/status-badge.tsx";
import { useAction } from "../shared/use-action.ts";
import { NothingYet } from "./nothing-yet.tsx";
import { PAGE } from "./rows.ts";
import type { LiveList } from "./use-live.ts";
import { addressOfTransaction } from "./use-open-transaction.ts";

interface Props {
  readonly list: LiveList;
  readonly openId: number | undefined;
  readonly overview: Overview | undefined;
}

export function TransactionList({ list, openId, overview }: Props) {
  const { rows, hasMore, problem, showOlder } = list;
  const older = useAction();

  return (
    <section id="transactions" class="list" aria-labelledby="transactions-heading" tabIndex={-1}>
      <h2 id="transactions-heading">Transactions</h2>
      <Problem text={problem} />
      {rows === undefined && <p class="muted">Loading…</p>}
      {rows?.length === 0 && <NothingYet overview={overview} />}
      {rows !== undefined && rows.length > 0 && (
        <table aria-labelledby="transactions-heading">
          <thead>
            <tr>
              <th scope="col">Transaction</th>
              <th scope="col">Status</th>
              <th scope="col" class="number">
                Amount
              </th>
              <th scope="col" class="wide">
                Method
              </th>
              <th scope="col" class="wide">
                Reference
              </th>
              <th scope="col" class="widest">
                Customer
              </th>
              <th scope="col" class="wide">
                Created
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row key={row.id} row={row} isOpen={row.id === openId} />
            ))}
          </tbody>
        </table>
      )}
      {hasMore && (
        <p class="more">
          <button type="button" aria-disabled={older.busy} onClick={() => older.run(showOlder)}>
            Show older
          </button>
        </p>
      )}
      {rows !== undefined && rows.length > PAGE && !hasMore && <EndOfList count={rows.length} />}
      <Problem text={older.problem} />
    </section>
  );
}

/** Takes the place, and the focus, of the button that brought the last ones. */
function EndOfList({ count }: { readonly count: number }) {
  const text = useRef<HTMLParagraphElement>(null);
  useEffect(() => focusIfLost(text.current), []);
  return (
    <p class="more muted" tabIndex={-1} ref={text}>
      These are all: {count} transactions.
    </p>
  );
}

function Row({ row, isOpen }: { readonly row: TransactionSummary; readonly isOpen: boolean }) {
  const method = row.paymentMethod === "pix" ? "pix" : "card";
  return (
    <tr id={`row-${row.id}`} class={isOpen ? "open" : ""}>
      <td>
        <a class="id" href={addressOfTransaction(row.id)} aria-current={isOpen ? "true" : undefined}>
          {row.id}
        </a>
        <span class="narrow-only sub">
          {method}
          {row.externalId !== undefined && (
            <>
              {" · "}
              <bdi>{row.externalId}</bdi>
            </>
          )}
        </span>
      </td>
      <td>
        <StatusBadge status={row.status} />
      </td>
      <td class="number">
        {reais(row.amount)}
        {row.refundedAmount > 0 && <span class="sub">−{reais(row.refundedAmount)}</span>}
      </td>
      <td class="wide">{method}</td>
      <td class="wide cut">
        {row.externalId === undefined ? <span class="muted">none</span> : <bdi>{row.externalId}</bdi>}
      </td>
      <td class="widest cut">
        <bdi>{row.customerName}</bdi>
      </td>
      <td class="wide">
        <Moment at={row.createdAt} />
      </td>
    </tr>
  );
}
