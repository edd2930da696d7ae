import type { OrderRecord } from "../../idempotency.ts";
import { formatBRL } from "../../index.ts";
import type { Context } from "../context.ts";
import { formatAge } from "../duration.ts";
import { bold, createOutput, type Output, red, type Text } from "../output.ts";
import type { OpenStore, StoreFlags } from "../store.ts";
import { describeState, nextSteps, warnOfDuplicates } from "./advice.ts";
import { colorState, colorStatus } from "./colors.ts";
import { findOrder, suggestCommand } from "./find-order.ts";

export interface ShowFlags extends StoreFlags {
  readonly json?: boolean;
}

/** @throws {Failure} `no_such_order` */
export async function show(
  context: Context,
  opened: OpenStore,
  externalRef: string,
  flags: ShowFlags,
): Promise<void> {
  const output = createOutput(context, flags.json);
  const order = await findOrder(opened, externalRef);
  output.result(order, () => {
    printOrder(order, output);
    output.line();
    output.line(bold("What to do"));
    const suggest = (options: string) => suggestCommand("resolve", externalRef, options, flags);
    for (const step of nextSteps(order, suggest)) output.line("  ", step);
  });
}

export function printOrder(order: OrderRecord, output: Output): void {
  const { externalRef, state, amount, paymentMethod, attempt, since, transactionId } = order;
  const { transaction, earlierIds } = order;
  const row = (label: string, ...values: readonly Text[]) =>
    output.line(`  ${label.padEnd(LABEL_WIDTH)}`, ...values);
  output.line(bold(externalRef));
  row("state", colorState(state), `: ${describeState(order)}`);
  row("amount", describePayment(order));
  row("attempt", String(attempt));
  row("since", `${since} (${formatAge(Date.now() - Date.parse(since))} ago)`);
  if (transactionId !== undefined) row("transaction", String(transactionId));
  if (transaction !== undefined) row("status", colorStatus(transaction.status));
  if (transaction?.amount !== undefined && transaction.amount !== amount) {
    row("charged", red(`${formatBRL(transaction.amount)}, not the amount of the order`));
  }
  if (transaction?.status === "pending" && paymentMethod === "pix") {
    row("pix code", transaction.pix?.qrcodeText ? "known: create calls return it" : "not known");
  }
  if (attempt > 1 && earlierIds.length === 0) {
    row("earlier", "the service may also have transactions of earlier attempts");
  }
  if (earlierIds.length > 0) row("earlier", `transactions of earlier attempts: ${earlierIds.join(", ")}`);
  const warning = warnOfDuplicates(order);
  if (warning !== undefined) row("warning", red(warning));
}

const LABEL_WIDTH = 13;

/** For example `R$ 39,90, credit_card in 3 installments`. */
export function describePayment({ amount, paymentMethod, installments }: OrderRecord): string {
  const parts = installments === undefined || installments === "1" ? "" : ` in ${installments} installments`;
  return `${formatBRL(amount)}, ${paymentMethod}${parts}`;
}
