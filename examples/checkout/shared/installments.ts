import { formatBRL } from "payments-sdk";

/**
 * The installments of an amount as text. They add up to the amount: the first one has the remaining cents.
 *
 * The specification does not mention interest or how an amount is divided, so the shop promises only the total.
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
