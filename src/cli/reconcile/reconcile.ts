import { resolve } from "node:path";
import type { Command } from "commander";
import { createCommand, HEADER_OPTION } from "../command.ts";
import type { Context } from "../context.ts";
import { addStoreFlags, assertHasOrders, type StoreFlags, withStore } from "../open-store.ts";
import { createProgress, Output } from "../output.ts";
import { readSettings } from "../settings.ts";
import type { Evidence, OpenAttempt } from "./compare-orders.ts";

interface ReconcileFlags extends StoreFlags {
  readonly all?: boolean;
  readonly header?: boolean;
}

export function reconcileCommand(context: Context): Command {
  const command = createCommand(context, {
    name: "reconcile",
    summary: "Compare the orders of your shop with the transactions of the service.",
    details:
      "Both files are CSV in UTF-8 with a first line of column names; amounts are whole cents. With a store, its unresolved orders are compared too. The exit code is 1 if an order needs attention. With --json, each order is one line of JSON.",
    examples: ["payments reconcile orders.csv transactions.csv"],
  })
    .argument(
      "<orders>",
      "the CSV file of your orders: externalRef, amount, and optionally status and transactionId, as your shop has them",
    )
    .argument(
      "<transactions>",
      "the CSV file of transactions: id, externalRef, status, amount; other columns are ignored. A transaction may have several rows, such as one for each postback, the earliest first",
    )
    .option("--all", "also print the orders without a problem")
    .option(...HEADER_OPTION);
  return addStoreFlags(command).action(
    async (orders: string, transactions: string, flags: ReconcileFlags) => {
      const evidence = await readEvidence(context, { orders, transactions }, flags);
      const { reconcile } = await import("./compare-orders.ts");
      reconcile(new Output(context, flags.json, flags.header), evidence, flags.all === true);
    },
  );
}

async function readEvidence(
  context: Context,
  files: { readonly orders: string; readonly transactions: string },
  flags: ReconcileFlags,
): Promise<Evidence> {
  const { readOrders, readTransactions } = await import("./read-files.ts");
  const progress = createProgress(context, "rows read");
  const toFile = (name: string) => ({ name, path: resolve(context.cwd, name), onRow: progress.count });
  try {
    const orders = readOrders(toFile(files.orders));
    const transactions = readTransactions(toFile(files.transactions));
    return { orders, transactions, unresolved: await readUnresolved(context, flags) };
  } finally {
    progress.clear();
  }
}

async function readUnresolved(context: Context, flags: ReconcileFlags): Promise<readonly OpenAttempt[]> {
  if (readSettings(context)("PAYMENTS_STORE", flags.store) === undefined) return [];
  return await withStore(context, flags, async (opened) => {
    const unresolved: OpenAttempt[] = [];
    for await (const order of opened.store.unresolved()) unresolved.push(order);
    if (unresolved.length === 0) await assertHasOrders(opened, new Output(context, flags.json));
    return unresolved;
  });
}
