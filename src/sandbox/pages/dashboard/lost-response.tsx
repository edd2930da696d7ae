import type { FaultKind } from "../../faults/fault.ts";
import { choose } from "../shared/language.ts";
import { CHANGING_FAULTS, faultTexts } from "./fault-texts.ts";

const texts = choose({
  en: {
    title: "The response to its creation was replaced by a fault:",
    lost: "The merchant may not know that this transaction exists. The outcome is unknown to them: they should not send the payment again, but wait for the postback or look for the reference.",
    changed:
      "The merchant got a response that differs from the specification. Their code should still find the transaction in it, and not send the payment again.",
  },
  pt: {
    title: "A resposta à criação foi substituída por uma falha:",
    lost: "O lojista pode não saber que esta transação existe. Para ele, o resultado é desconhecido: não deve enviar o pagamento de novo, e sim esperar o postback ou procurar pela referência.",
    changed:
      "O lojista recebeu uma resposta diferente da especificação. O código dele ainda deve encontrar a transação nela, sem enviar o pagamento de novo.",
  },
});

/** Explains what a fault means for the merchant whose response it replaced. */
export function LostResponse({ fault }: { readonly fault: FaultKind | undefined }) {
  if (fault === undefined) return null;
  return (
    <div class="note" role="note">
      <p>
        <strong>{texts.title}</strong> <code>{fault}</code>
      </p>
      <p>{faultTexts[fault]}</p>
      <p>{CHANGING_FAULTS.has(fault) ? texts.changed : texts.lost}</p>
    </div>
  );
}
