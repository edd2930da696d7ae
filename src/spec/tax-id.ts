/** The document numbers of Brazil: CPF of a person, CNPJ of a company. Both end with two check digits, modulo 11. */

/** The punctuation in which people write a document number. */
export function withoutPunctuation(documentNumber: string): string {
  return documentNumber.replaceAll(/[.\-/\s]/g, "");
}

/**
 * Whether a text is a CPF with correct check digits. Points, dashes, slashes and spaces are ignored. It does not show
 * whether the number belongs to a person.
 *
 * ```ts
 * isCpf("529.982.247-25"); // true
 * isCpf("529.982.247-52"); // false
 * isCpf("111.111.111-11"); // false: the arithmetic is right, but no such number is issued
 * ```
 */
export function isCpf(text: string): boolean {
  const cpf = withoutPunctuation(text);
  return /^\d{11}$/.test(cpf) && !isRepeated(cpf) && hasCheckDigits(cpf, 11);
}

/**
 * Whether a text is a CNPJ with correct check digits. Points, dashes, slashes and spaces are ignored, and letters, which
 * are valid since July 2026, may be lower-case. It does not show whether the number belongs to a company.
 *
 * ```ts
 * isCnpj("12.345.678/0001-95"); // true
 * isCnpj("12.ABC.345/01DE-35"); // true
 * isCnpj("12.ABC.345/01DE-53"); // false
 * ```
 */
export function isCnpj(text: string): boolean {
  const cnpj = withoutPunctuation(text);
  // Checked before it is upper-cased, which would convert a dotless i to an I.
  return /^[\dA-Z]{12}\d{2}$/i.test(cnpj) && !isRepeated(cnpj) && hasCheckDigits(cnpj.toUpperCase(), 9);
}

function isRepeated(id: string): boolean {
  return /^(.)\1*$/.test(id);
}

/** The second check digit also covers the first one. */
function hasCheckDigits(id: string, highestWeight: number): boolean {
  const base = id.slice(0, -2);
  const first = checkDigit(base, highestWeight);
  return id.slice(-2) === `${first}${checkDigit(`${base}${first}`, highestWeight)}`;
}

/** The weights are 2, 3, 4 and so on from right to left, and start again after the highest. A letter counts as its ASCII code - 48. */
function checkDigit(text: string, highestWeight: number): number {
  let sum = 0;
  for (let place = 0; place < text.length; place += 1) {
    sum += (text.charCodeAt(text.length - 1 - place) - 48) * (2 + (place % (highestWeight - 1)));
  }
  const rest = sum % 11;
  return rest < 2 ? 0 : 11 - rest;
}
