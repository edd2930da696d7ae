import { InvalidRequestError } from "../errors/usage-errors.ts";

/** Reais, optionally with points between thousands, and with a comma and two decimal places. */
const BRL = /^(?:R\$)?\s*(\d{1,3}(?:\.\d{3})+|\d+)(?:,(\d{2}))?$/;

/**
 * Parses an amount in Brazilian notation and returns cents:
 *
 * ```ts
 * parseBRL("1.234,56"); // 123456
 * parseBRL("R$ 19,90"); // 1990
 * parseBRL("10"); // 1000: ten reais
 * ```
 *
 * A point separates thousands, so `"19.90"` is refused instead of guessed.
 *
 * @throws {InvalidRequestError} on any other text, and on amounts above 2^53 - 1 cents.
 */
export function parseBRL(text: string): number {
  const match = typeof text === "string" ? BRL.exec(text.trim()) : null;
  const cents = match === null ? Number.NaN : Number(`${match[1]?.replaceAll(".", "")}${match[2] ?? "00"}`);
  return exact(cents, 'must be reais such as "1.234,56", with a comma before the cents');
}

let formatter: Intl.NumberFormat | undefined;

/**
 * Formats cents as reais:
 *
 * ```ts
 * formatBRL(123456); // "R$ 1.234,56", with a no-break space after R$, as in Intl.NumberFormat
 * formatBRL(-50); // "-R$ 0,50"
 * ```
 *
 * @throws {InvalidRequestError} if `cents` is not a safe integer.
 */
export function formatBRL(cents: number): string {
  exact(cents, "must be a whole number of cents");
  formatter ??= new Intl.NumberFormat("pt-BR", { style: "currency", currency: "BRL" });
  const digits = String(Math.abs(cents)).padStart(3, "0");
  // As a decimal string, because a division by 100 would round large amounts.
  const decimal = `${cents < 0 ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
  return formatter.format(decimal as Intl.StringNumericLiteral);
}

const TOO_LARGE = "is too large to be exact";

/**
 * Converts decimal reais, as the revenue endpoint returns them, to cents. A fraction of a cent is rounded, half a cent
 * away from zero. Revenue can be negative, for example after refunds:
 *
 * ```ts
 * toCents(1234.56); // 123456
 * toCents(1234.565); // 123457
 * toCents(-0.005); // -1
 * ```
 *
 * @throws {InvalidRequestError} if `reais` is not finite, or beyond 2^53 - 1 cents.
 */
export function toCents(reais: number): number {
  // JavaScript writes very small numbers with an exponent; they round to zero.
  if (typeof reais === "number" && Math.abs(reais) < 0.001) return 0;
  const match = typeof reais === "number" ? /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(reais)) : null;
  if (match === null)
    return exact(Number.NaN, Number.isFinite(reais) ? TOO_LARGE : "must be a number of reais");
  const places = (match[3] ?? "").padEnd(3, "0");
  const down = Number(`${match[2]}${places.slice(0, 2)}`);
  const cents = Number(places[2]) >= 5 ? down + 1 : down;
  return exact(match[1] && cents > 0 ? -cents : cents, TOO_LARGE);
}

function exact(cents: number, message: string): number {
  if (Number.isSafeInteger(cents)) return cents;
  throw new InvalidRequestError([{ field: "amount", message }]);
}
