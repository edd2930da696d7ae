import type { FaultKind } from "../../faults/fault.ts";
import { choose } from "../shared/language.ts";
import { CHANGING_FAULTS, faultTexts } from "./fault-texts.ts";

const texts = choose({
  en: {
    title: "A fault replaced the response to the create call:",
    lost: "The merchant may not know that this transaction exists. To them, the outcome is unknown: they should not send the payment again, but wait for the postback or check the reference with the service.",
    refused: "No one can pay this pix. The merchant should offer another way to pay.",
    changed:
      "The merchant received a response that differs from the specification. Their code should still find the transaction in it, and not send the payment again.",
  },
  pt: {
    title: "Uma falha simulada substituiu a resposta da chamada de criação:",
    lost: "O lojista pode não saber que esta transação existe. Para ele, o resultado é desconhecido: não deve enviar o pagamento de novo, e sim esperar o postback ou conferir a referência com o serviço.",
    refused: "Ninguém pode pagar este Pix. O lojista deve oferecer outra forma de pagamento.",
    changed:
      "O lojista recebeu uma resposta diferente da especificação. O código dele ainda deve encontrar a transação nela, sem enviar o pagamento de novo.",
  },
});

function consequenceOf(fault: FaultKind): string {
  if (fault === "pix_refused") return texts.refused;
  return CHANGING_FAULTS.has(fault) ? texts.changed : texts.lost;
}

/** Explains what a fault means for the merchant whose response it replaced. */
export function LostResponse({ fault }: { readonly fault: FaultKind | undefined }) {
  if (fault === undefined) return null;
  return (
    <div class="note" role="note">
      <p>
        <strong>{texts.title}</strong> <code>{fault}</code>
      </p>
      <p>{faultTexts[fault]}</p>
      <p>{consequenceOf(fault)}</p>
    </div>
  );
}
