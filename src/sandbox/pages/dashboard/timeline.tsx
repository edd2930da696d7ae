import type { TimelineEntry } from "../../transaction.ts";
import { Moment } from "../shared/moment.tsx";
import { reais } from "../shared/money.ts";
import { StatusBadge } from "../shared/status-badge.tsx";

/** How a transaction came to its status, oldest first. */
export function Timeline({ entries }: { readonly entries: readonly TimelineEntry[] }) {
  return (
    <section aria-labelledby="timeline-heading">
      <h3 id="timeline-heading">Timeline</h3>
      <ol class="timeline">
        {entries.map((entry, index) => (
          <li key={index}>
            <Moment at={entry.at} withDate />
            <StatusBadge status={entry.status} />
            <span class="muted">{reasonOf(entry, index)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function reasonOf({ move, amount }: TimelineEntry, index: number): string {
  if (index === 0) return "created";
  if (move === undefined) return "by its scenario";
  return amount === undefined ? move : `${move} of ${reais(amount)}`;
}
