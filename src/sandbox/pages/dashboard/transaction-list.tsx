import { useEffect, useRef } from "preact/hooks";
import type { Overview, TransactionSummary } from "../../control/views.ts";
import { focusIfLost } from "../shared/accessibility.tsx";
import { Problem, useAction } from "../shared/action.tsx";
import { formatReais, Moment, StatusBadge } from "../shared/format.tsx";
import { GettingStarted } from "./getting-started.tsx";
import { PAGE_SIZE } from "./rows.ts";
import type { LiveList } from "./use-live.ts";
import { hrefOfTransaction } from "./use-open-transaction.ts";

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
      {rows?.length === 0 && <GettingStarted overview={overview} />}
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
          <button type="button" aria-disabled={older.isRunning} onClick={() => older.run(showOlder)}>
            Show older
          </button>
        </p>
      )}
      {rows !== undefined && rows.length > PAGE_SIZE && !hasMore && <EndOfList count={rows.length} />}
      <Problem text={older.problem} />
    </section>
  );
}

/** Replaces the "Show older" button after the last page, and receives its focus. */
function EndOfList({ count }: { readonly count: number }) {
  const text = useRef<HTMLParagraphElement>(null);
  useEffect(() => focusIfLost(text.current), []);
  return (
    <p class="more muted" tabIndex={-1} ref={text}>
      End of the list: {count} transactions.
    </p>
  );
}

function Row({ row, isOpen }: { readonly row: TransactionSummary; readonly isOpen: boolean }) {
  const method = row.paymentMethod === "pix" ? "pix" : "card";
  return (
    <tr id={`row-${row.id}`} class={isOpen ? "open" : ""}>
      <td>
        <a class="id" href={hrefOfTransaction(row.id)} aria-current={isOpen ? "true" : undefined}>
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
        {formatReais(row.amount)}
        {row.refundedAmount > 0 && <span class="sub">−{formatReais(row.refundedAmount)}</span>}
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
