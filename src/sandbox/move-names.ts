/** What can happen to a transaction after its creation. */
export const MOVES = ["pay", "expire", "refund", "chargeback", "cancel"] as const;

export type MoveName = (typeof MOVES)[number];
