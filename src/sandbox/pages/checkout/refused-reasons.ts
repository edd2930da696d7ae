import { choose } from "../shared/language.ts";

/** The reasons of the test cards in the customer's language. */
const reasons = choose<Readonly<Record<string, string>>>({
  en: {},
  pt: {
    "Not authorized by the card issuer": "não autorizado pelo emissor do cartão",
    "Insufficient limit": "limite insuficiente",
    "Wrong data: the security code does not match": "o código de segurança não confere",
    "Wrong data: the card has expired": "o cartão está vencido",
    "Refused by the anti-fraud rules": "recusado pela análise antifraude",
    "The card was reported stolen": "há registro de roubo do cartão",
    "The card was reported lost": "há registro de perda do cartão",
    "The card was used too often": "o cartão foi usado vezes demais",
    "The card issuer did not answer": "o emissor do cartão não respondeu",
    "Amount outside the limits of the company": "valor fora dos limites da loja",
  },
});

/** A reason that is not known stays as it is. */
export function translateReason(reason: string): string {
  return Object.hasOwn(reasons, reason) ? (reasons[reason] ?? reason) : reason;
}
