// Every message of the card form, in both languages.

import type { InputName, Problem } from "./card-checks.ts";
import type { Language } from "./element-base.ts";

type CardMessages = typeof pt;

/** The message below the fields. */
export type Status = keyof CardMessages["statuses"];

const pt = {
  /** The name of the whole form for screen readers. */
  form: "Cartão",
  labels: {
    number: "Número do cartão",
    holder: "Nome impresso no cartão",
    expiry: "Validade (MM/AA)",
    code: "CVV",
  } satisfies Record<InputName, string>,
  /** The fields within a sentence. */
  fields: {
    number: "o número do cartão",
    holder: "o nome impresso no cartão",
    expiry: "a validade",
    code: "o CVV",
  } satisfies Record<InputName, string>,
  problems: {
    empty: (field: string) => `Preencha ${field}.`,
    wrong: (field: string) => `Confira ${field}.`,
    expired: (_field: string) => "Cartão vencido.",
  } satisfies Record<Problem, (field: string) => string>,
  /** Where the security code is, by its length; 0 if the brand is unknown. */
  codeHints: {
    0: "3 ou 4 dígitos",
    3: "3 no verso",
    4: "4 na frente",
  } as Readonly<Record<number, string>>,
  statuses: {
    "": "",
    busy: "Verificando o cartão…",
    fields: "Confira os campos marcados. Nada foi cobrado.",
    customer: "O cartão não foi aceito. Confira os dados. Nada foi cobrado.",
    network: "O serviço não respondeu. Verifique sua conexão e tente de novo. Nada foi cobrado.",
    offline: "Você está sem internet. Conecte-se e tente de novo. Nada foi cobrado.",
    unavailable:
      "O pagamento com cartão não está disponível agora. Tente mais tarde ou pague de outra forma. Nada foi cobrado.",
  },
};

const en: CardMessages = {
  form: "Card",
  labels: {
    number: "Card number",
    holder: "Name on card",
    expiry: "Expiry (MM/YY)",
    code: "CVV",
  },
  fields: {
    number: "the card number",
    holder: "the name on the card",
    expiry: "the date",
    code: "the CVV",
  },
  problems: {
    empty: (field) => `Enter ${field}.`,
    wrong: (field) => `Check ${field}.`,
    expired: () => "Card expired.",
  },
  codeHints: {
    0: "3 or 4 digits",
    3: "3 on the back",
    4: "4 on the front",
  },
  statuses: {
    "": "",
    busy: "Checking the card…",
    fields: "Check the marked fields. You have not been charged.",
    customer: "The card was not accepted. Check its details. You have not been charged.",
    network: "The service did not respond. Check your connection and try again. You have not been charged.",
    offline: "You are offline. Connect and try again. You have not been charged.",
    unavailable:
      "Card payments are not available right now. Try later or pay in another way. You have not been charged.",
  },
};

export const CARD_MESSAGES: Readonly<Record<Language, CardMessages>> = { pt, en };
