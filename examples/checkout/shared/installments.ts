import { formatBRL } from "payments-sdk";

/**
 * What the installments of an amount are, in words: they add up to the amount, to the cent. The first one has the
 * cents that cannot be divided.
 *
 * The specification says nothing about interest or about who divides, so the shop promises the total only.
 *
 * ```ts
 * describeInstallments(10_000, 3); // "1x de R$ 33,34 + 2x de R$ 33,33"
 * ```
 */
export function describeInstallments(amount: number, count: number): string {
  const rest = amount % count;
  const each = (amount - rest) / count;
  if (rest === 0) return `${count}x de ${formatBRL(each)}`;
  return `1x de ${formatBRL(each + rest)} + ${count - 1}x de ${formatBRL(each)}`;
}
