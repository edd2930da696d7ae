import { useEffect, useRef } from "preact/hooks";
import type { CheckoutView } from "../../control/views.ts";
import type { SandboxStatus } from "../../transactions/transaction.ts";
import { announce, focusIfLost } from "../shared/accessibility.tsx";
import { formatReais, Moment, StatusBadge } from "../shared/format.tsx";
import { PixCode } from "../shared/pix-code.tsx";

interface Props {
  readonly view: CheckoutView;
  /** Whether the status changed while the page was open. */
  readonly hasChanged: boolean;
  readonly isPaying: boolean;
  onPay(): void;
}

/** Title and text of each final status, for the customer. */
const FINAL_STATUSES: Readonly<
  Record<Exclude<SandboxStatus, "pending" | "processing">, readonly [string, string]>
> = {
  approved: ["Paid", "The payment was approved. You can close this page."],
  refused: ["Declined", "The payment was refused. You were not charged."],
  expired: ["Expired", "The payment was not made in time. You were not charged."],
  cancelled: ["Cancelled", "The payment was cancelled. You were not charged."],
  refunded: ["Refunded", "The payment was refunded."],
  chargedback: ["Charged back", "The payment was disputed and reversed."],
};

export function CheckoutState({ view, hasChanged, isPaying, onPay }: Props) {
  const { status, pix, refusedReason } = view;
  if (status !== "pending" && status !== "processing") {
    return (
      <FinalState
        key={status}
        hasChanged={hasChanged}
        status={status}
        reason={refusedReason ?? describeRefund(view)}
      />
    );
  }
  return (
    <>
      <p>
        <StatusBadge status={status} />{" "}
        {status === "pending" ? "Waiting for the payment." : "The payment is being processed."}
      </p>
      {pix && <PixCode pix={pix} />}
      {pix && (
        <p class="muted">
          Pay before <Moment at={pix.expirationDate} withDate />.
        </p>
      )}
      <button type="button" class="primary large" aria-disabled={isPaying} onClick={onPay}>
        Pay (sandbox, no money moves)
      </button>
    </>
  );
}

/** After a partial refund, the payment is still approved. */
function describeRefund({ status, refundedAmount }: CheckoutView): string | undefined {
  return status === "approved" && refundedAmount > 0
    ? `${formatReais(refundedAmount)} was refunded.`
    : undefined;
}

interface FinalStateProps {
  readonly status: keyof typeof FINAL_STATUSES;
  readonly reason: string | undefined;
  readonly hasChanged: boolean;
}

function FinalState({ status, reason, hasChanged }: FinalStateProps) {
  const [title, text] = FINAL_STATUSES[status];
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!hasChanged) return;
    announce(`${title}. ${text}`);
    focusIfLost(heading.current); // the pay button was removed
  }, []);
  return (
    <div class={`end ${status}`}>
      <h2 tabIndex={-1} ref={heading}>
        {title}
      </h2>
      <p>{text}</p>
      {reason !== undefined && <p class="reason">{reason}</p>}
    </div>
  );
}
