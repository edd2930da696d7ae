import { formatBRL } from "payments-sdk";
import type { IdempotencyStore, UnresolvedOrder } from "payments-sdk/idempotency";
import { row, shown } from "./support/terminal.ts";

const REASONS: Readonly<Record<UnresolvedOrder["reason"], string>> = {
  no_answer: "no answer that could be used",
  no_end: "its process never came back",
};

/** What a person must look at. */
export async function unresolvedIn(store: IdempotencyStore, olderThanMs = 0): Promise<UnresolvedOrder[]> {
  const orders: UnresolvedOrder[] = [];
  for await (const order of store.unresolved({ olderThanMs })) orders.push(order);
  return orders;
}

/** @param store - What it is called. */
export function showUnresolved(orders: readonly UnresolvedOrder[], store: string): void {
  for (const { externalRef, amount, paymentMethod, attempt, reason, since, earlierIds } of orders) {
    row("Order", externalRef);
    row("Amount", `${formatBRL(amount)}, ${paymentMethod}, attempt ${attempt}`);
    row("Since", `${since}, ${REASONS[reason]}`);
    if (earlierIds.length > 0) row("Not it", `earlier transactions: ${earlierIds.join(", ")}`);
    console.log();
  }
  console.log(`  ${orders.length} unresolved in ${shown(store)}.`);
}

export function showResolved({
  externalRef,
  state,
}: {
  externalRef: string;
  state: "created" | "free";
}): void {
  const consequence =
    state === "free" ? "the next create for it is sent" : "a create for it gives the transaction";
  console.log(`  ${shown(externalRef)} is ${state}: ${consequence}.`);
}
