import { InvalidRequestError } from "../errors/invalid-request-error.ts";

/** Reais with or without points between thousands, with two places after a comma or none. */
const BRL = /^(?:R\$)?\s*(\d{1,3}(?:\.\d{3})+|\d+)(?:,(\d{2}))?$/;

/**
 * Cents of an amount as Brazilians write it: `1.234,56`, `R$ 19,90`, `10`.
 *
 * A point is only read between thousands, because `1.234` is not one and a bit.
 *
 * @throws {InvalidRequestError} on any other text, and on amounts beyond 2^53 - 1 cents.
 */
export function parseBRL(text: string): number {
  const match = typeof text === "string" ? BRL.exec(text.trim()) : null;
  const cents = match === null ? Number.NaN : Number(`${match[1]?.replaceAll(".", "")}${match[2] ?? "00"}`);
  return exact(cents, 'must be reais such as "1.234,56", with a comma before the cents');
}

let formatter: Intl.NumberFormat | undefined;

/**
 * Cents as Brazilians write reais: `R$ 1.234,56`, with the no-break space that `Intl` puts there.
 *
 * @throws {InvalidRequestError} on anything but a whole number that JavaScript holds exactly.
 */
export function formatBRL(cents: number): string {
  exact(cents, "must be a whole number of cents");
  formatter ??= new Intl.NumberFormat("pt-BR", { style: "currency", currency: "BRL" });
  const digits = String(Math.abs(cents)).padStart(3, "0");
  // A decimal text keeps what a division by 100 would lose.
  const decimal =
    `${cents < 0 ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}` as Intl.StringNumericLiteral;
  return formatter.format(decimal);
}

/**
 * Cents of an amount of the revenue endpoint, which is decimal reais. A third place rounds half up.
 *
 * @throws {InvalidRequestError} on a number that is negative, not finite, or beyond 2^53 - 1 cents.
 */
export function toCents(reais: number): number {
  // Numbers this small are written with an exponent, and are no cents.
  if (typeof reais === "number" && reais >= 0 && reais < 0.001) return 0;
  const match = typeof reais === "number" ? /^(\d+)(?:\.(\d+))?$/.exec(String(reais)) : null;
  if (match === null) return exact(Number.NaN, "must be a number of reais, zero or more");
  const places = (match[2] ?? "").padEnd(3, "0");
  const down = Number(`${match[1]}${places.slice(0, 2)}`);
  return exact(Number(places[2]) >= 5 ? down + 1 : down, "is too large to be exact");
}

function exact(cents: number, message: string): number {
  if (Number.isSafeInteger(cents)) return cents;
  throw new InvalidRequestError([{ field: "amount", message }], { outcome: "not_applicable" });
}
