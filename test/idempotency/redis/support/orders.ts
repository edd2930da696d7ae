import type { ClaimedOrder, PaymentsStore } from "payments-sdk/idempotency";

export function anOrder(owner: string, externalRef = "order-1"): ClaimedOrder {
  return { externalRef, amount: 1990, paymentMethod: "pix", owner };
}

export const POSTBACK = {
  trust: "signed",
  externalRef: "order-1",
  id: 81_001,
  rawStatus: "approved",
  amount: 1990,
} as const;

/** References, sorted. */
export async function unresolvedIn(store: PaymentsStore): Promise<readonly string[]> {
  const refs: string[] = [];
  for await (const { externalRef } of store.unresolved()) refs.push(externalRef);
  return refs.sort();
}
