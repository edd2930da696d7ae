import type { Language } from "./element-base.ts";

/** What the element shows. `invalid`: the code can no longer be paid, but did not expire. */
export type PixState = "pending" | "paid" | "expired" | "invalid";

interface PixTexts {
  readonly hint: string;
  readonly picture: string;
  readonly code: string;
  readonly copy: string;
  readonly copied: string;
  /** Shown longer than `copied`, and read by screen readers. */
  readonly paste: string;
  readonly copyByHand: string;
  readonly expiresIn: string;
  readonly and: string;
  readonly days: readonly [one: string, many: string];
  readonly lastMinute: string;
  /** What replaces the code: a headline and a sentence. */
  readonly ends: Readonly<Record<Exclude<PixState, "pending">, readonly [string, string]>>;
}

// An expired code may have been paid in its last seconds: no one should be asked to pay again.
const PAID_ALREADY =
  "Se você já pagou, não pague de novo: a confirmação pode levar alguns instantes e aparece aqui.";
const PAID_ALREADY_EN =
  "If you have already paid, do not pay again: the confirmation may take a moment and appears here.";

export const PIX_TEXTS: Readonly<Record<Language, PixTexts>> = {
  pt: {
    hint: "Abra o aplicativo do seu banco, escolha Pix e cole o código ou escaneie o QR code.",
    picture: "QR code do Pix",
    code: "Pix copia e cola",
    copy: "Copiar código",
    copied: "Código copiado",
    paste: "Código copiado. Cole no aplicativo do seu banco.",
    copyByHand: "O código está selecionado. Copie com Ctrl+C ou ⌘C.",
    expiresIn: "Expira em ",
    and: " e ",
    days: ["dia", "dias"],
    lastMinute: "O código expira em menos de um minuto.",
    ends: {
      paid: ["Pagamento confirmado", "Recebemos o seu Pix."],
      expired: ["O código expirou", PAID_ALREADY],
      invalid: ["Este código não é mais válido", PAID_ALREADY],
    },
  },
  en: {
    hint: "Open your bank's app, choose Pix, and paste the code or scan the QR code.",
    picture: "Pix QR code",
    code: "Pix code (copy and paste)",
    copy: "Copy code",
    copied: "Code copied",
    paste: "Code copied. Paste it in your bank's app.",
    copyByHand: "The code is selected. Copy it with Ctrl+C or ⌘C.",
    expiresIn: "Expires in ",
    and: " and ",
    days: ["day", "days"],
    lastMinute: "The code expires in less than a minute.",
    ends: {
      paid: ["Payment confirmed", "We have received your Pix."],
      expired: ["The code has expired", PAID_ALREADY_EN],
      invalid: ["This code is no longer valid", PAID_ALREADY_EN],
    },
  },
};

/** `Expira em 23:59:58`; from a day up `Expira em 2 dias e 3 h`. */
export function timeLeft(milliseconds: number, { expiresIn, days, and }: PixTexts): string {
  const seconds = Math.ceil(milliseconds / 1_000);
  const wholeDays = Math.floor(seconds / 86_400);
  // As if the time had started at midnight on 1970-01-01.
  const clock = new Date(seconds * 1_000).toISOString().slice(11, 19);
  if (wholeDays === 0) return expiresIn + clock;
  const hours = Number(clock.slice(0, 2));
  return `${expiresIn}${wholeDays} ${days[wholeDays === 1 ? 0 : 1]}${hours > 0 ? `${and}${hours} h` : ""}`;
}
