import { useEffect, useRef } from "preact/hooks";
import type { CheckoutView } from "../../control/views.ts";
import type { SandboxStatus } from "../../transactions/sandbox-transaction.ts";
import { announce, focusIfLost } from "../shared/accessibility.tsx";
import { formatReais, Moment } from "../shared/format.tsx";
import { PixCode } from "../shared/pix-code.tsx";

type StatusMessage = readonly [title: string, text: string];

const statuses: Readonly<Record<SandboxStatus, StatusMessage>> = {
  pending: ["Waiting for confirmation", "The payment is not confirmed yet. You do not have to pay again."],
  processing: ["Being processed", "The payment is being processed. You do not have to pay again."],
  approved: ["Paid", "The payment was approved. You can close this page."],
  refused: ["Declined", "You were not charged. Go back to the shop to pay in another way."],
  expired: ["Expired", "The payment was not made in time. You were not charged. Do not use the old code."],
  cancelled: ["Cancelled", "The payment was cancelled. You were not charged. Do not use the old code."],
  refunded: ["Refunded", "The amount was returned. It may take a few days to appear."],
  chargedback: ["Charged back", "The payment was disputed, and the amount was returned."],
};

const PENDING_PIX = "Waiting for your payment";

const STEPS = [
  "Open your bank's app and choose Pix.",
  "Scan the QR code, or choose Pix Copia e Cola and paste the code.",
  "Check the amount and the recipient, and confirm.",
];

export function titleOfStatus({ status, pix }: CheckoutView): string {
  return status === "pending" && pix ? PENDING_PIX : statuses[status][0];
}

interface Props {
  readonly view: CheckoutView;
  /** Whether the status changed while the page was open. */
  readonly hasChanged: boolean;
}

export function CheckoutState({ view, hasChanged }: Props) {
  const { status, pix } = view;
  if (status !== "pending" || !pix) return <Result key={status} view={view} hasChanged={hasChanged} />;
  return (
    <section class="stack" aria-labelledby="waiting">
      <h2 id="waiting">{PENDING_PIX}</h2>
      <ol class="stack steps">
        {STEPS.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <PixCode pix={pix} />
      <p class="muted">
        Pay before <Moment at={pix.expirationDate} inWords />. This page updates automatically.
      </p>
    </section>
  );
}

function Result({ view, hasChanged }: Props) {
  const { status, refundedAmount, refusedReason } = view;
  const [title, text] = statuses[status];
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!hasChanged) return;
    announce(`${title}. ${text}`);
    focusIfLost(heading.current); // the pay button was removed
  }, []);
  return (
    <section class={`stack result ${status}`} aria-labelledby="result">
      <h2 id="result" tabIndex={-1} ref={heading}>
        {title}
      </h2>
      <p>{text}</p>
      {refusedReason !== undefined && <p>Reason: {refusedReason}</p>}
      {/* After a partial refund, the payment is still approved. */}
      {refundedAmount > 0 && status === "approved" && <p>{`${formatReais(refundedAmount)} was refunded.`}</p>}
    </section>
  );
}
