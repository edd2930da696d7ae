import { FAULT_DESCRIPTIONS, type FaultKind } from "../../faults/fault.ts";

export function FaultBadge({ fault }: { readonly fault: FaultKind | undefined }) {
  if (fault === undefined) return null;
  return (
    <span class="badge fault" title={`${fault}: ${FAULT_DESCRIPTIONS[fault]}`}>
      fault
    </span>
  );
}

/** Explains why the response to a request was not that of the service. */
export function FaultNote({ fault }: { readonly fault: FaultKind | undefined }) {
  if (fault === undefined) return null;
  return (
    <p class="note">
      <strong>Simulated fault:</strong> <code>{fault}</code>. {FAULT_DESCRIPTIONS[fault]}
    </p>
  );
}
