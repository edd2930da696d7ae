import { TEST_CARDS, type TestCard } from "../../cards/test-cards.ts";
import type { SandboxStatus } from "../../transactions/sandbox-transaction.ts";
import { CopyButton } from "../shared/copy-button.tsx";
import { statusNames } from "../shared/texts.ts";

interface Outcome {
  readonly status: SandboxStatus;
  readonly refusedReason?: string;
}

export function describeCard({ later, ...first }: TestCard): string {
  return later ? `${describe(first)} → ${describe(later)} (${later.afterMs / 1_000} s)` : describe(first);
}

function describe({ status, refusedReason }: Outcome): string {
  const reason = refusedReason === undefined ? "" : `: ${refusedReason}`;
  return statusNames[status] + reason;
}

export function formatCardNumber(number: string): string {
  return number.replace(/\d{4}(?=\d)/g, "$& ");
}

export function TestCards() {
  return (
    <section class="stack panel" aria-labelledby="cards-heading">
      <h2 id="cards-heading">Test cards</h2>
      <p class="muted">
        The number decides what happens. Any other number is approved; any security code works.
      </p>
      <ul class="stack cards">
        {TEST_CARDS.map((card) => {
          const number = formatCardNumber(card.number);
          return (
            <li key={number} class="inline spread">
              <span>
                <code>{number}</code> <span class="small">{describeCard(card)}</span>
              </span>
              <CopyButton value={card.number} what={`the card number ${number}`} />
            </li>
          );
        })}
      </ul>
    </section>
  );
}
