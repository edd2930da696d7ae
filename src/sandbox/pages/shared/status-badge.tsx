import type { SandboxStatus } from "../../transaction.ts";

/** The status as a word; the colour says no more than the word. */
export function StatusBadge({ status }: { readonly status: SandboxStatus }) {
  return <span class={`badge ${status}`}>{status}</span>;
}
