/** Cents as `R$ 1.234,56`. No float touches an amount. */
export function reais(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, "0");
  const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ".");
  return `${cents < 0 ? "-" : ""}R$\u00a0${whole},${digits.slice(-2)}`;
}

/** Cents of `1.234,56`, `1234.56`, `9,9` or `9`; `undefined` for anything else. */
export function centsOf(text: string): number | undefined {
  const bare = text.replace(/^\s*(?:R\$)?\s*|\s+$/g, "");
  const grouped = /^\d{1,3}(?:\.\d{3})+(?:,\d{1,2})?$/.test(bare) ? bare.replaceAll(".", "") : bare;
  const [, whole, part = ""] = /^(\d{1,12})(?:[.,](\d{1,2}))?$/.exec(grouped) ?? [];
  return whole === undefined ? undefined : Number(whole) * 100 + Number(part.padEnd(2, "0"));
}
