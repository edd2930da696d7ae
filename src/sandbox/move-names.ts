/** What can happen to a transaction after its creation. */
export const MOVES = ["pay", "expire", "refund", "chargeback", "cancel"] as const;

/**
 * A move of a gateway, by the name of its method.
 *
 * @useDeclaredType
 */
export type MoveName = (typeof MOVES)[number];
