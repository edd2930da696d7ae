import { useEffect, useRef } from "preact/hooks";
import type { TransactionDetail } from "../../control/views.ts";
import { announce, focusIfLost } from "../shared/accessibility.tsx";
import { Problem } from "../shared/action.tsx";
import { isNotFound, messageOf } from "../shared/api.ts";
import { formatReais, StatusBadge } from "../shared/format.tsx";
import { choose } from "../shared/language.ts";
import { PixCode } from "../shared/pix-code.tsx";
import { useFetched } from "../shared/use-fetched.ts";
import { Details } from "./details.tsx";
import { LostResponse } from "./lost-response.tsx";
import { Moves } from "./moves.tsx";
import { Postbacks } from "./postbacks.tsx";
import { hrefOf, type Route } from "./route.ts";
import { Timeline } from "./timeline.tsx";

const texts = choose({
  en: {
    title: (id: number) => `Transaction ${id}`,
    close: "Close",
    loading: "Loading…",
    requests: "Its requests",
    changed: (id: number, status: string) => `Transaction ${id} is now ${status}.`,
    notFound: (id: number) => `There is no transaction ${id}. The sandbox loses its data when it stops.`,
  },
  pt: {
    title: (id: number) => `Transação ${id}`,
    close: "Fechar",
    loading: "Carregando…",
    requests: "Requisições desta transação",
    changed: (id: number, status: string) => `O status da transação ${id} agora é ${status}.`,
    notFound: (id: number) => `A transação ${id} não existe. O sandbox perde os dados quando é encerrado.`,
  },
});

interface Props {
  readonly id: number;
  /** Changes whenever the transaction has changed. */
  readonly version: string;
  readonly route: Route;
}

/** A transaction with its fields, history and possible moves. */
export function TransactionView({ id, version, route }: Props) {
  const { value: detail, error, refresh } = useFetched<TransactionDetail>(`transactions/${id}`, version);
  const heading = useRef<HTMLHeadingElement>(null);
  const status = detail?.transaction.status;
  const previous = useRef(status);

  useEffect(() => heading.current?.focus(), []);
  useEffect(() => {
    if (previous.current && status && previous.current !== status) {
      announce(texts.changed(id, status));
      focusIfLost(heading.current); // the button of a move is removed with the move
    }
    previous.current = status;
  }, [id, status]);

  return (
    <section class="detail" aria-labelledby="detail-heading">
      <div class="detail-head">
        <h2 id="detail-heading" tabIndex={-1} ref={heading}>
          {texts.title(id)}
        </h2>
        <div class="detail-links">
          <a href={hrefOf({ view: "requests", filter: { q: String(id) } })}>{texts.requests}</a>
          <a class="close" href={hrefOf({ view: route.view, filter: route.filter })}>
            {texts.close}
          </a>
        </div>
      </div>
      <Problem text={error === undefined ? undefined : describeError(error, id)} />
      {detail === undefined && error === undefined && <p class="muted">{texts.loading}</p>}
      {detail && <Content detail={detail} onChanged={refresh} />}
    </section>
  );
}

interface ContentProps {
  readonly detail: TransactionDetail;
  onChanged(): void;
}

function Content({ detail, onChanged }: ContentProps) {
  const { transaction, deliveries } = detail;
  return (
    <>
      <p class="amount">
        {formatReais(transaction.amount)} <StatusBadge status={transaction.status} />
      </p>
      {transaction.refusedReason !== undefined && <p class="reason">{transaction.refusedReason}</p>}
      <LostResponse fault={transaction.fault} />
      <Moves detail={detail} onChanged={onChanged} />
      {transaction.pix && <PixCode pix={transaction.pix} />}
      <Details transaction={transaction} />
      <Timeline entries={transaction.timeline} />
      <Postbacks transaction={transaction} deliveries={deliveries} onChanged={onChanged} />
    </>
  );
}

function describeError(error: unknown, id: number): string {
  return isNotFound(error) ? texts.notFound(id) : messageOf(error);
}
