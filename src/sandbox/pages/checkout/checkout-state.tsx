import { useEffect, useRef } from "preact/hooks";
import type { CheckoutView } from "../../control/views.ts";
import type { SandboxStatus } from "../../transaction.ts";
import { announce } from "../shared/announcer.tsx";
import { focusIfLost } from "../shared/focus.ts";
import { Moment } from "../shared/moment.tsx";
import { reais } from "../shared/money.ts";
import { PixCode } from "../shared/pix-code.tsx";
import { StatusBadge } from "../shared/status-badge.tsx";

interface Props {
  readonly view: CheckoutView;
  /** Whether it came to its status while the page was open. */
  readonly isNews: boolean;
  readonly busy: boolean;
  onPay(): void;
}

/** What became of it, in the buyer's words. */
const ENDS: Readonly<Record<Exclude<SandboxStatus, "pending" | "processing">, readonly [string, string]>> = {
  approved: ["Paid", "The payment was approved. You can close this page."],
  refused: ["Declined", "The payment was refused. Nobody was charged."],
  expired: ["Expired", "It was not paid in time. Nobody was charged."],
  cancelled: ["Cancelled", "It was given up. Nobody was charged."],
  refunded: ["Refunded", "The payment was given back."],
  chargedback: ["Charged back", "The payment was disputed and taken back."],
};

export function CheckoutState({ view, isNews, busy, onPay }: Props) {
  const { status, pix, refusedReason } = view;
  if (status !== "pending" && status !== "processing") {
    return <End key={status} isNews={isNews} status={status} reason={refusedReason ?? givenBack(view)} />;
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
          Pay until <Moment at={pix.expirationDate} withDate />.
        </p>
      )}
      <button type="button" class="primary large" aria-disabled={busy} onClick={onPay}>
        Pay (sandbox, no money moves)
      </button>
    </>
  );
}

/** A part that was refunded leaves the payment approved. */
function givenBack({ status, refundedAmount }: CheckoutView): string | undefined {
  return status === "approved" && refundedAmount > 0
    ? `${reais(refundedAmount)} of it were given back.`
    : undefined;
}

interface EndProps {
  readonly status: keyof typeof ENDS;
  readonly reason: string | undefined;
  readonly isNews: boolean;
}

function End({ status, reason, isNews }: EndProps) {
  const [title, text] = ENDS[status];
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!isNews) return;
    announce(`${title}. ${text}`);
    focusIfLost(heading.current); // the button to pay is gone
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
