import { isCpf } from "payments-sdk";
import type { Buyer } from "../shared/order-view.ts";
import { input, write } from "./dom.ts";

/** An input for a {@link Buyer}, with different texts for a missing and for a wrong value. */
interface Field {
  readonly empty: string;
  readonly wrong: string;
  isRight(value: string): boolean;
  /** Formats what has been typed so far. */
  readonly format?: (value: string) => string;
}

const FIELDS: Readonly<Record<keyof Buyer, Field>> = {
  name: {
    empty: "Digite seu nome completo.",
    wrong: "Digite nome e sobrenome.",
    isRight: (name) => /\p{L}\S*\s+\S*\p{L}/u.test(name),
  },
  email: {
    empty: "Digite seu e-mail.",
    wrong: "Confira o e-mail. Exemplo: nome@exemplo.com.br",
    isRight: (email) => /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(email),
  },
  phone: {
    empty: "Digite seu celular com DDD.",
    wrong: "Confira o número: DDD e 8 ou 9 dígitos, como (11) 99999-8888.",
    isRight: (phone) => /^[1-9]{2}(9\d{8}|[2-5]\d{7})$/.test(phoneDigits(phone)),
    format: formatPhone,
  },
  document: {
    empty: "Digite seu CPF.",
    wrong: "Confira o CPF: há um dígito errado ou faltando.",
    isRight: isCpf,
    format: formatCpf,
  },
};

/** Digits of a phone keyboard of another script, such as full-width ones, become 0 to 9. */
const digitsOf = (text: string): string => text.normalize("NFKC").replaceAll(/\D/g, "");

/** Without the country code, which browsers may fill in. */
const phoneDigits = (text: string): string => digitsOf(text).replace(/^0*55(?=\d{10,11}$)|^0+/, "");

/** `(11) 99999-8888`, or `(11) 3333-4444`. */
function formatPhone(text: string): string {
  const digits = phoneDigits(text);
  const [, area = "", first = "", last = ""] =
    /^(\d{2})(\d{4}(?=\d{0,4}$)|\d{5})(\d{0,4})/.exec(digits) ?? [];
  if (area === "") return digits.length > 2 ? `(${digits.slice(0, 2)}) ${digits.slice(2)}` : digits;
  return `(${area}) ${first}${last && `-${last}`}`;
}

/** `529.982.247-25`. */
function formatCpf(text: string): string {
  const digits = digitsOf(text).slice(0, 11);
  return digits
    .replace(/^(\d{3})(?=\d)/, "$1.")
    .replace(/^(.{7})(?=\d)/, "$1.")
    .replace(/^(.{11})(?=\d)/, "$1-");
}

const names = Object.keys(FIELDS) as (keyof Buyer)[];

/** The buyer, or `undefined` if a field is missing or wrong. The field then shows its problem. */
export function readBuyer(): Buyer | undefined {
  const wrong = names.filter((name) => !check(name));
  if (wrong.length > 0) return undefined;
  const [name = "", email = "", phone = "", document = ""] = names.map((field) => input(field).value.trim());
  return { name, email, phone: phoneDigits(phone), document };
}

/** Marks the fields that the service rejected. */
export function rejectBuyer(fields: readonly string[]): void {
  for (const name of names.filter((known) => fields.includes(known))) mark(name, FIELDS[name].wrong);
}

function check(name: keyof Buyer): boolean {
  const value = input(name).value.trim();
  const { empty, wrong, isRight } = FIELDS[name];
  const problem = value === "" ? empty : isRight(value) ? "" : wrong;
  mark(name, problem);
  return problem === "";
}

function mark(name: keyof Buyer, problem: string): void {
  input(name).setAttribute("aria-invalid", String(problem !== ""));
  write(`${name}-wrong`, problem);
}

/**
 * Formats and checks the fields of the form: a wrong one is marked when the buyer leaves it, an empty one on payment.
 * While the buyer types, only text at the end is formatted, so that the caret never moves.
 */
export function watchBuyer(): void {
  for (const name of names) {
    const field = input(name);
    const { format = (value: string) => value } = FIELDS[name];
    const rewrite = () => {
      const formatted = format(field.value);
      if (formatted !== field.value) field.value = formatted;
    };
    field.addEventListener("input", (event) => {
      const isDeletion = event instanceof InputEvent && event.inputType.startsWith("delete");
      if (field.selectionEnd === field.value.length && !isDeletion) rewrite();
      if (field.getAttribute("aria-invalid") === "true") check(name);
    });
    field.addEventListener("change", () => {
      rewrite();
      if (field.value.trim() !== "") check(name);
    });
  }
}
