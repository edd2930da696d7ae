import { formatBRL, type InstallmentOption, installmentPlan } from "payments-sdk";

/** What the shop offers. */
export const planOf = (amount: number): InstallmentOption[] =>
  installmentPlan(amount, { max: 6, freeUntil: 3, monthlyRate: 0.0199, minInstallment: 1_000 });

/** Of {@link planOf}, for the buyer. */
export const INTEREST = "A partir de 4x, juros de 1,99% ao mês.";

/** The offer for a number of installments; `undefined` if there is none. */
export const installmentsOf = (amount: number, count: number): InstallmentOption | undefined =>
  planOf(amount).find(({ installments }) => installments === count);

/**
 * Does not promise "sem juros": the specification does not say what the service itself adds.
 *
 * ```ts
 * describeInstallments(planOf(10_000)[2]); // "1x de R$ 33,34 + 2x de R$ 33,33"
 * describeInstallments(planOf(10_000)[3]); // "4x de R$ 26,26 com juros (R$ 105,04)"
 * ```
 */
export function describeInstallments({
  installments,
  each,
  first,
  total,
  interest,
}: InstallmentOption): string {
  if (first !== each) return `1x de ${formatBRL(first)} + ${installments - 1}x de ${formatBRL(each)}`;
  const offer = `${installments}x de ${formatBRL(each)}`;
  return interest === 0 ? offer : `${offer} com juros (${formatBRL(total)})`;
}
