import {
  type CardBrand,
  type CardParams,
  cardBrand,
  formatCardNumber,
  isLuhnValid,
  parseExpiry,
} from "payments-sdk/browser";
import { element } from "./dom.ts";
import { type Field, type Problems, showText, typedInto } from "./fields.ts";

export const CARD_FIELDS = ["number", "holderName", "expiry", "cvv"] as const;

const BRANDS: Readonly<Record<CardBrand, string>> = {
  visa: "Visa",
  mastercard: "Mastercard",
  elo: "Elo",
  hipercard: "Hipercard",
  amex: "Amex",
  diners: "Diners",
  aura: "Aura",
};

/** Which input a field of the SDK's issues belongs to: the date is two fields of it, and one input of ours. */
export const INPUT_OF: Readonly<Record<string, Field>> = {
  number: "number",
  holderName: "holderName",
  expirationMonth: "expiry",
  expirationYear: "expiry",
  cvv: "cvv",
};

export const PROBLEMS: Readonly<Record<(typeof CARD_FIELDS)[number], string>> = {
  number: "Confira o número do cartão.",
  holderName: "Informe o nome como está no cartão.",
  expiry: "Use mês e ano, como 03/31.",
  cvv: "São 3 ou 4 dígitos.",
};

export function readCard(): CardParams {
  const expiry = parseExpiry(typedInto("expiry")) ?? { expirationMonth: "", expirationYear: "" };
  return {
    number: typedInto("number"),
    holderName: typedInto("holderName"),
    cvv: typedInto("cvv"),
    ...expiry,
  };
}

/** What a buyer can see is wrong before anything is sent. The SDK looks again, and so does the service. */
export function problemsOfCard({ number, holderName, expirationMonth, cvv }: CardParams): Problems {
  const digits = number.replaceAll(/\D/g, "").length;
  return {
    ...((digits < 12 || digits > 19) && { number: PROBLEMS.number }),
    ...(holderName === "" && { holderName: PROBLEMS.holderName }),
    ...(expirationMonth === "" && { expiry: PROBLEMS.expiry }),
    ...(!/^\d{3,4}$/.test(cvv) && { cvv: PROBLEMS.cvv }),
  };
}

export function clearCard(): void {
  for (const field of CARD_FIELDS) element(field, HTMLInputElement).value = "";
  showBrand("");
}

/** Groups the number and the date as they are typed. */
export function watchCardFields(): void {
  const number = element("number", HTMLInputElement);
  number.addEventListener("input", () => {
    keepCaret(number, formatCardNumber(number.value));
    showBrand(number.value);
  });
  number.addEventListener("change", () => setTimeout(hint, HINT_AFTER_MS));
  const expiry = element("expiry", HTMLInputElement);
  expiry.addEventListener("input", () => {
    if (expiry.selectionStart === expiry.value.length) expiry.value = formatExpiry(expiry.value);
  });
}

/** Not at once: the text would move the button away from under the click that left the input. */
const HINT_AFTER_MS = 400;

/** A check digit that does not fit is worth a hint, and no more: some good cards have none. */
function hint(): void {
  const number = typedInto("number");
  if (number !== "" && !isLuhnValid(number))
    showText("number", "Confira o número: um dígito parece trocado.");
}

function showBrand(typed: string): void {
  const brand = cardBrand(typed);
  const shown = element("brand", HTMLElement);
  shown.textContent = brand === undefined ? "" : BRANDS[brand];
  shown.hidden = brand === undefined;
}

/** Puts another text into an input, with the caret behind the same digit as before. */
function keepCaret(input: HTMLInputElement, text: string): void {
  const digitsBefore = input.value.slice(0, input.selectionStart ?? 0).replaceAll(/\D/g, "").length;
  input.value = text;
  let caret = 0;
  for (let seen = 0; seen < digitsBefore && caret < text.length; caret += 1) {
    if (/\d/.test(text[caret] ?? "")) seen += 1;
  }
  input.setSelectionRange(caret, caret);
}

/** `3/31`, `03 / 2031` and `0331` become `03/31` and the like; a slash at the end stays only where it was typed. */
function formatExpiry(typed: string): string {
  const text = typed.trim();
  const [month = "", year] = text.split(/\D+/);
  const digits = text.replaceAll(/\D/g, "");
  if (year !== undefined && month.length <= 2) return `${month.padStart(2, "0")}/${year.slice(0, 4)}`;
  if (/^[2-9]$/.test(digits)) return `0${digits}`;
  return digits.length > 2 ? `${digits.slice(0, 2)}/${digits.slice(2, 6)}` : digits;
}
