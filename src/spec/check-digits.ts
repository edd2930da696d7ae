/** Numbers that people type, and that end with check digits: card numbers, and the documents CPF and CNPJ of Brazil. */

/** The text as ASCII: phones in some languages type full-width digits, and some copied texts contain them. */
export function toAscii(input: string): string {
  return input.normalize("NFKC");
}

/**
 * What is between the digits of a number that people type or paste: spaces, dashes of every length, and invisible
 * characters such as a soft hyphen, a zero-width space or a mark of the writing direction.
 */
const SEPARATORS = /[\s\p{Dash}\p{Cf}]/gu;

export function withoutSeparators(text: string): string {
  return text.replaceAll(SEPARATORS, "");
}

/**
 * Whether the last digit of a number is its check digit (Luhn algorithm, ISO/IEC 7812-1, annex B).
 *
 * @param digits - Digits only.
 */
export function hasLuhnDigit(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const weighted = Number(digit) * (place % 2 === 0 ? 1 : 2);
    return total + (weighted > 9 ? weighted - 9 : weighted);
  }, 0);
  return sum % 10 === 0;
}

/** Without the punctuation in which people write a document number. */
export function withoutPunctuation(documentNumber: string): string {
  return withoutSeparators(documentNumber).replaceAll(/[./]/g, "");
}

/**
 * Whether a text is a CPF with correct check digits. Points, dashes, slashes, spaces and invisible characters are
 * ignored. It does not show whether the number belongs to a person.
 *
 * ```ts
 * isCpf("529.982.247-25"); // true
 * isCpf("529.982.247-52"); // false
 * isCpf("111.111.111-11"); // false: the arithmetic is right, but no such number is issued
 * ```
 */
export function isCpf(text: string): boolean {
  if (typeof text !== "string") return false;
  const cpf = withoutPunctuation(text);
  return /^(?!(.)\1*$)\d{11}$/.test(cpf) && hasCheckDigits(cpf, 11);
}

/**
 * Whether a text is a CNPJ with correct check digits. Points, dashes, slashes, spaces and invisible characters are
 * ignored, and letters, which are valid since July 2026, may be lower-case. It does not show whether the number belongs
 * to a company.
 *
 * ```ts
 * isCnpj("12.345.678/0001-95"); // true
 * isCnpj("12.ABC.345/01DE-35"); // true
 * isCnpj("12.ABC.345/01DE-53"); // false
 * ```
 */
export function isCnpj(text: string): boolean {
  if (typeof text !== "string") return false;
  const cnpj = withoutPunctuation(text);
  // Checked before it is upper-cased, which would convert a dotless i to an I.
  return /^(?!(.)\1*$)[\dA-Z]{12}\d{2}$/i.test(cnpj) && hasCheckDigits(cnpj.toUpperCase(), 9);
}

/**
 * Whether the last two digits are the check digits of what is before them. From right to left the weights are 2, 3, 4 and
 * so on, and start again after the highest. A letter counts as its ASCII code - 48.
 */
function hasCheckDigits(id: string, highestWeight: number): boolean {
  return [id.length - 2, id.length - 1].every((end) => {
    let sum = 0;
    for (let place = 0; place < end; place += 1) {
      sum += (id.charCodeAt(end - 1 - place) - 48) * (2 + (place % (highestWeight - 1)));
    }
    const rest = sum % 11;
    return id[end] === String(rest < 2 ? 0 : 11 - rest);
  });
}
