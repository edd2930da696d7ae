import { useState } from "preact/hooks";
import type { Overview } from "../../control/views.ts";
import { choose } from "../shared/language.ts";
import { Dialog } from "./dialog.tsx";
import { PaymentForm } from "./payment-form.tsx";

const texts = choose({ en: { title: "New payment" }, pt: { title: "Novo pagamento" } });

interface Props {
  readonly overview: Overview | undefined;
  /** Whether the lists of the dashboard are up to date. */
  readonly isConnected: boolean;
}

/** A button that opens a form for a payment, so that a person can try the service without code. */
export function NewPayment({ overview, isConnected }: Props) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <button
        type="button"
        class="primary"
        aria-disabled={overview === undefined}
        aria-haspopup="dialog"
        onClick={() => setOpen(overview !== undefined)}
      >
        {texts.title}
      </button>
      <Dialog title={texts.title} isOpen={isOpen} onClose={close}>
        {overview && <PaymentForm overview={overview} isConnected={isConnected} onClose={close} />}
      </Dialog>
    </>
  );
}
