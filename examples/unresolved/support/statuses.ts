/** What the service may say of a transaction. */
export const STATUSES = [
  "pending",
  "processing",
  "approved",
  "refused",
  "cancelled",
  "expired",
  "refunded",
  "chargedback",
] as const;
