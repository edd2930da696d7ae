import type { Language } from "./element-base.ts";

/**
 * What the element shows. `late`: the countdown has ended, but a payment of the last seconds may still be confirmed.
 * `invalid`: the code can no longer be paid, but did not expire.
 */
export type PixState = "pending" | "paid" | "late" | "expired" | "invalid";

type PixMessages = typeof pt;

// An expired code may have been paid in its last seconds: no one should be asked to pay again.
const IF_PAID = "Se você já pagou, não pague de novo: ";
const IF_PAID_EN = "If you have already paid, do not pay again: ";
const CONTACT = `${IF_PAID}fale com a loja.`;
const CONTACT_EN = `${IF_PAID_EN}contact the shop.`;

const pt = {
  hint: "Abra o aplicativo do seu banco, escolha Pix e cole o código ou escaneie o QR code.",
  picture: "QR code do Pix",
  code: "Pix copia e cola",
  copy: "Copiar código",
  copied: "Código copiado",
  /** The code is selected. */
  copyByHand: "Copie com Ctrl+C ou ⌘C",
  payee: "Para ",
  expiresIn: "Expira em ",
  and: " e ",
  days: (count: number) => (count === 1 ? "1 dia" : `${count} dias`),
  lastMinute: "O código expira em menos de um minuto.",
  /** What replaces the code: a headline and a sentence. */
  results: {
    paid: ["Pagamento confirmado", "Recebemos o seu Pix."],
    late: ["O código expirou", `${IF_PAID}a confirmação pode levar alguns instantes e aparece aqui.`],
    expired: ["O código expirou", CONTACT],
    invalid: ["Este código não é mais válido", CONTACT],
  } satisfies Record<Exclude<PixState, "pending">, readonly [string, string]>,
};

const en: PixMessages = {
  hint: "Open your bank's app, choose Pix, and paste the code or scan the QR code.",
  picture: "Pix QR code",
  code: "Pix code (copy and paste)",
  copy: "Copy code",
  copied: "Code copied",
  copyByHand: "Copy with Ctrl+C or ⌘C",
  payee: "To ",
  expiresIn: "Expires in ",
  and: " and ",
  days: (count) => (count === 1 ? "1 day" : `${count} days`),
  lastMinute: "The code expires in less than a minute.",
  results: {
    paid: ["Payment confirmed", "We have received your Pix."],
    late: ["The code has expired", `${IF_PAID_EN}the confirmation may take a moment and appears here.`],
    expired: ["The code has expired", CONTACT_EN],
    invalid: ["This code is no longer valid", CONTACT_EN],
  },
};

export const PIX_MESSAGES: Readonly<Record<Language, PixMessages>> = { pt, en };

/** `R$ 19,90`, in English `R$19.90`; empty for anything but a positive whole number of cents. */
export function formatAmount(cents: number | string | undefined, language: Language): string {
  const digits = String(cents);
  if (!/^[1-9]\d{0,14}$/.test(digits)) return ""; // beyond are unsafe integers
  const decimal = digits.padStart(3, "0").replace(/..$/, ".$&"); // a division by 100 would round large amounts
  const format = new Intl.NumberFormat(language, { style: "currency", currency: "BRL" });
  return format.format(decimal as Intl.StringNumericLiteral);
}

/** `Expira em 23:59:58`; from a day up `Expira em 2 dias e 3 h`. */
export function timeLeft(milliseconds: number, { expiresIn, days, and }: PixMessages): string {
  const seconds = Math.ceil(milliseconds / 1_000);
  const wholeDays = Math.floor(seconds / 86_400);
  // As if the time had started at midnight on 1970-01-01.
  const clock = new Date(seconds * 1_000).toISOString().slice(11, 19);
  if (wholeDays === 0) return expiresIn + clock;
  const hours = Number(clock.slice(0, 2));
  return `${expiresIn}${days(wholeDays)}${hours > 0 ? `${and}${hours} h` : ""}`;
}
