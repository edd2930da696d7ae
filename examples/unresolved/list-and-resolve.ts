import { formatBRL } from "payments-sdk";
import type { Finding, IdempotencyStore, UnresolvedOrder } from "payments-sdk/idempotency";
import { row } from "../support/terminal.ts";

const REASONS: Readonly<Record<UnresolvedOrder["reason"], string>> = {
  no_answer: "no answer that could be used",
  no_end: "its process never came back",
};

/** Prints what a person must look at. */
export async function listUnresolved(store: IdempotencyStore, olderThanMs = 0): Promise<void> {
  let count = 0;
  for await (const order of store.unresolved({ olderThanMs })) {
    count += 1;
    const { externalRef, amount, paymentMethod, attempt, reason, since, earlierIds } = order;
    row("Order", shown(externalRef));
    row("Amount", `${formatBRL(amount)}, ${paymentMethod}, attempt ${attempt}`);
    row("Since", `${since}, ${REASONS[reason]}`);
    if (earlierIds.length > 0) row("Not it", `earlier transactions: ${earlierIds.join(", ")}`);
    console.log();
  }
  console.log(`  ${count} unresolved.`);
}

/** A reference may hold what a terminal would obey. */
function shown(externalRef: string): string {
  return /\p{Cc}/u.test(externalRef) ? JSON.stringify(externalRef) : externalRef;
}

/** Records what a person found in the dashboard of the service. */
export async function resolveOrder(
  store: IdempotencyStore,
  externalRef: string,
  finding: Finding,
): Promise<void> {
  const state = await store.resolve(externalRef, finding);
  const consequence =
    state === "free" ? "the next create for it is sent" : "a create for it gives the transaction";
  console.log(`  ${shown(externalRef)} is ${state}: ${consequence}.`);
}
