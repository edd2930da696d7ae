import type { Language } from "./element-base.ts";
import { formatAmount, PIX_MESSAGES } from "./pix-messages.ts";

/** What a pix shows while it can be paid. */
export interface PixContent {
  readonly code: string;
  readonly qrcode: string;
  /** Cents; anything else is not shown. */
  readonly amount: number | string | undefined;
  readonly payee: string;
}

/** Creates an element: `h` in a page; `createElement` of React needs other names for some of the attributes. */
type Create<Created> = (
  tag: "button" | "div" | "input" | "label" | "p" | "span" | "strong",
  attributes: Readonly<Record<string, string>>,
  ...children: readonly (Created | string)[]
) => Created;

/**
 * The text and the empty box of the picture, in this order also on a phone, which cannot scan its own screen. The last
 * child of the text is the countdown.
 */
export function createPixParts<Created>(
  create: Create<Created>,
  language: Language,
  { code, amount, payee }: PixContent,
  countdown: string,
): [text: Created, picture: Created] {
  const messages = PIX_MESSAGES[language];
  const charge: Created[] = [];
  const price = formatAmount(amount, language);
  if (price !== "") charge.push(create("strong", {}, price));
  if (payee !== "") charge.push(create("span", {}, messages.payee + payee));
  const parts: Created[] = [];
  if (charge.length > 0) parts.push(create("p", { class: "payment-pix-charge" }, ...charge));
  parts.push(create("p", { class: "payment-pix-hint" }, messages.hint));
  if (code !== "") {
    // Of no form, which Enter would submit.
    const input = { class: "payment-pix-code", value: code, readonly: "", form: "" };
    const label = create("label", {}, messages.code, create("input", input));
    const button = create("button", { class: "payment-pix-copy", type: "button" }, messages.copy);
    parts.push(create("div", { class: "payment-pix-field" }, label, button));
  }
  parts.push(create("p", { class: "payment-pix-countdown", role: "timer" }, countdown));
  const picture = { class: "payment-pix-picture", role: "img", "aria-label": messages.picture };
  return [create("div", { class: "payment-pix-text" }, ...parts), create("div", picture)];
}
