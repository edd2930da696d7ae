import type { TimelineEntry } from "../../transactions/transaction.ts";
import { formatReais, Moment, StatusBadge } from "../shared/format.tsx";

/** Every status of a transaction, oldest first. */
export function Timeline({ entries }: { readonly entries: readonly TimelineEntry[] }) {
  return (
    <section aria-labelledby="timeline-heading">
      <h3 id="timeline-heading">Timeline</h3>
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
  if (index === 0) return "created";
  if (move === undefined) return "by the card's scenario";
  return amount === undefined ? move : `${move} of ${formatReais(amount)}`;
}
