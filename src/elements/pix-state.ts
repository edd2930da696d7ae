import type { PixState } from "./pix-messages.ts";

/** How long after the expiry a payment may still be confirmed. */
export const LATE_CONFIRMATION_MS = 15 * 60_000;

export function isOpen(status: string): boolean {
  return status === "pending" || status === "processing";
}

/** What to show for a status, if so many milliseconds are left; `NaN` if that is not known. */
export function stateOf(status: string, left: number): PixState {
  if (status === "paid" || status === "approved") return "paid";
  if (!isOpen(status)) return status === "expired" ? "expired" : "invalid";
  if (left <= -LATE_CONFIRMATION_MS) return "expired";
  return left <= 0 ? "late" : "pending";
}
