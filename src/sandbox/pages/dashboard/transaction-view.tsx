import { useEffect, useRef } from "preact/hooks";
import type { TransactionDetail } from "../../control/views.ts";
import { announce } from "../shared/announcer.tsx";
import { messageOf } from "../shared/api.ts";
import { focusIfLost } from "../shared/focus.ts";
import { reais } from "../shared/money.ts";
import { PixCode } from "../shared/pix-code.tsx";
import { Problem } from "../shared/problem.tsx";
import { StatusBadge } from "../shared/status-badge.tsx";
import { isGone, useFetched } from "../shared/use-fetched.ts";
import { Facts } from "./facts.tsx";
import { Moves } from "./moves.tsx";
import { Postbacks } from "./postbacks.tsx";
import { Timeline } from "./timeline.tsx";

interface Props {
  readonly id: number;
  /** Another number means that something happened to it. */
  readonly version: number;
}

/** One transaction, with all that is known about it and all that can be done to it. */
export function TransactionView({ id, version }: Props) {
  const { value: detail, error, refresh } = useFetched<TransactionDetail>(`transactions/${id}`, version);
  const heading = useRef<HTMLHeadingElement>(null);
  const status = detail?.transaction.status;
  const seen = useRef(status);

  useEffect(() => heading.current?.focus(), []);
  useEffect(() => {
    if (seen.current && status && seen.current !== status) {
      announce(`Transaction ${id} is now ${status}.`);
      focusIfLost(heading.current); // the button of a move goes with the move
    }
    seen.current = status;
  }, [id, status]);

  return (
    <section class="detail" aria-labelledby="detail-heading">
      <div class="detail-head">
        <h2 id="detail-heading" tabIndex={-1} ref={heading}>
          Transaction {id}
        </h2>
        <a class="close" href="#/">
          Close
        </a>
      </div>
      <Problem text={error === undefined ? undefined : textOf(error, id)} />
      {detail === undefined && error === undefined && <p class="muted">Loading…</p>}
      {detail && <Detail detail={detail} onChanged={refresh} />}
    </section>
  );
}

interface DetailProps {
  readonly detail: TransactionDetail;
  onChanged(): void;
}

function Detail({ detail, onChanged }: DetailProps) {
  const { transaction, deliveries } = detail;
  return (
    <>
      <p class="amount">
        {reais(transaction.amount)} <StatusBadge status={transaction.status} />
      </p>
      {transaction.refusedReason !== undefined && <p class="reason">{transaction.refusedReason}</p>}
      <Moves detail={detail} onChanged={onChanged} />
      {transaction.pix && <PixCode pix={transaction.pix} />}
      <Facts transaction={transaction} />
      <Timeline entries={transaction.timeline} />
      <Postbacks transaction={transaction} deliveries={deliveries} onChanged={onChanged} />
    </>
  );
}

function textOf(error: unknown, id: number): string {
  return isGone(error)
    ? `There is no transaction ${id}: the sandbox forgets all when it ends.`
    : messageOf(error);
}
