"use client";

import { useRouter } from "next/navigation";
import { PaymentCardForm, PaymentPix } from "payments-sdk/elements/react";
import { useEffect, useRef, useTransition } from "react";
import type { View } from "../../../lib/view";
import { payWithCard, payWithPix } from "./actions";

interface Props {
  id: string;
  view: View;
  baseUrl: string;
  publicKey: string;
}

export function Checkout({ id, view, baseUrl, publicKey }: Props) {
  const { amount, text, pix, canPayByPix, canPayByCard, isChecking } = view;
  const card = useRef<PaymentCardForm>(null);
  const { refresh } = useRouter();
  const [isPaying, startTransition] = useTransition();

  function pay(action: () => Promise<void>) {
    startTransition(async () => {
      await action().catch(() => location.reload()); // no response: the page of the server knows whether it was charged
      card.current?.clearSecurityCode();
    });
  }

  useEffect(() => {
    if (!isChecking) return;
    const timer = setInterval(() => document.hidden || refresh(), 3_000);
    return () => clearInterval(timer);
  }, [isChecking, refresh]);

  return (
    <>
      <p role="status">{isPaying ? "Paying…" : text}</p>
      {pix && (
        <PaymentPix
          {...pix}
          amount={amount}
          lang="en"
          onPaymentStatus={refresh}
          onPaymentPixExpired={refresh}
        />
      )}
      {canPayByPix && (
        <button type="button" disabled={isPaying} onClick={() => pay(() => payWithPix(id))}>
          Pay with pix
        </button>
      )}
      {canPayByCard && (
        // Not `action`: React resets the form after it, and the buyer would type the card again after a refusal.
        <form
          method="post"
          onSubmit={(event) => {
            event.preventDefault();
            const token = card.current?.value; // the element submits the form once it has a token
            if (token && !isPaying) pay(() => payWithCard(id, token));
          }}
        >
          <PaymentCardForm ref={card} baseUrl={baseUrl} publicKey={publicKey} name="cardToken" lang="en" />
          <button type="submit" disabled={isPaying}>
            Pay by card
          </button>
        </form>
      )}
    </>
  );
}
