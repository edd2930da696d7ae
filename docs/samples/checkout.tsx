import "payments-sdk/elements.css";
import "payments-sdk/elements-brands.css";
import { PaymentCardForm, PaymentPix } from "payments-sdk/elements/react";
import { useRef, useState } from "react";
import "./checkout.css";
import { createPix, ENDED, type Pix, pay } from "./shop";

export function Checkout() {
  const card = useRef<PaymentCardForm>(null);
  const [isPaying, setPaying] = useState(false);
  const [text, setText] = useState("");
  const [pix, setPix] = useState<Pix>();
  const [status, setStatus] = useState("pending");

  async function onSubmit(event: { preventDefault(): void }) {
    event.preventDefault();
    setPaying(true); // one payment at a time
    const result = await pay(card.current?.value);
    setText(result.text);
    if (!result.again) return card.current?.reset();
    card.current?.clearSecurityCode();
    card.current?.focus();
    setPaying(false);
  }

  async function onPix() {
    setPaying(true);
    const result = await createPix();
    setText(result.text);
    if (result.pix) {
      setPix(result.pix);
      setStatus("pending");
    }
    setPaying(false);
  }

  return (
    <>
      <form method="post" onSubmit={onSubmit} hidden={status === "approved"}>
        <PaymentCardForm
          ref={card}
          baseUrl="http://127.0.0.1:4010"
          publicKey="pk_sandbox_public"
          name="token"
        />
        <button type="submit" disabled={isPaying}>
          Pay R$19.90
        </button>
      </form>
      <p id="message" role="status">
        {text}
      </p>
      {pix && !isPaying && (
        <PaymentPix
          code={pix.qrcodeText}
          qrcode={pix.qrcode}
          expiresAt={pix.expirationDate}
          statusUrl={pix.statusUrl}
          amount={1990}
          onPaymentStatus={(event) => {
            setStatus(event.detail.status);
            setText("");
          }}
          onPaymentPixExpired={() => setStatus("expired")}
        />
      )}
      {(!pix || ENDED.includes(status)) && (
        <button type="button" disabled={isPaying} onClick={onPix}>
          {pix ? "New code" : "Pay with pix"}
        </button>
      )}
    </>
  );
}
