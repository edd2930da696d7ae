import type { MoveName, TimelineEntry } from "../../transactions/sandbox-transaction.ts";
import { formatReais, Moment, StatusBadge } from "../shared/format.tsx";
import { choose } from "../shared/language.ts";

const texts = choose({
  en: {
    title: "Timeline",
    created: "created",
    byScenario: "by the card's scenario",
    moves: {
      pay: "paid",
      expire: "expired",
      cancel: "cancelled",
      refund: "refund",
      chargeback: "charged back",
    } satisfies Record<MoveName, string>,
    of: (move: string, amount: string) => `${move} of ${amount}`,
  },
  pt: {
    title: "Linha do tempo",
    created: "criação",
    byScenario: "pelo cenário do cartão",
    moves: {
      pay: "pagamento",
      expire: "expiração",
      cancel: "cancelamento",
      refund: "estorno",
      chargeback: "chargeback",
    },
    of: (move: string, amount: string) => `${move} de ${amount}`,
  },
});

/** Every status of a transaction, oldest first. */
export function Timeline({ entries }: { readonly entries: readonly TimelineEntry[] }) {
  return (
    <section aria-labelledby="timeline-heading">
      <h3 id="timeline-heading">{texts.title}</h3>
      <ol class="timeline">
        {entries.map((entry, index) => (
          <li key={index}>
            <Moment at={entry.at} withDate />
            <StatusBadge status={entry.status} />
            <span class="muted">{causeOf(entry, index)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function causeOf({ move, amount }: TimelineEntry, index: number): string {
  if (index === 0) return texts.created;
  if (move === undefined) return texts.byScenario;
  return amount === undefined ? texts.moves[move] : texts.of(texts.moves[move], formatReais(amount));
}
