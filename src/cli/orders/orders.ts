import type { Command } from "commander";
import { commandLineOf, createCommand } from "../command.ts";
import type { Context } from "../context.ts";
import { addStoreFlags, chooseStore, withStore } from "../store.ts";
import type { ListFlags } from "./list.ts";
import type { ResolveFlags } from "./resolve.ts";
import type { ShowFlags } from "./show.ts";
import { readCount, readDuration, readTransactionId, stateOption, statusOption } from "./values.ts";

/** The `payments orders` commands. Each loads its code when it runs. */
export function ordersCommand(context: Context): Command {
  return createCommand(context, {
    name: "orders",
    summary: "Look up orders in your shop's store, and resolve those whose outcome is unknown.",
    details: "Set a store URL with a password in PAYMENTS_STORE: other users of the machine can see options.",
    examples: ["payments orders list --state unresolved", "payments orders show order-1"],
    commands: [listCommand(context), showCommand(context), resolveCommand(context)],
  });
}

function listCommand(context: Context): Command {
  const command = createCommand(context, {
    name: "list",
    summary: "List orders, oldest first.",
    details: [
      "With --json, each order is one line of JSON. Without --limit, orders are sorted and printed in groups",
      "of 1,000. If the namespace has no orders at all, the command fails.",
    ].join("\n"),
    examples: ["payments orders list --state unresolved --older-than 15m --store payments.db"],
  });
  addStoreFlags(command)
    .addOption(stateOption("only orders in this state"))
    .addOption(statusOption("only orders whose transaction has this status"))
    .option("--older-than <duration>", "only orders unchanged for this long: 90s, 15m, 2h, 3d", readDuration)
    .option("--limit <number>", "maximum number of orders", readCount);
  return command.action(async () => {
    const { list } = await import("./list.ts");
    const flags = command.opts<ListFlags>();
    await withStore(chooseStore(context, flags), (opened) => list(context, opened, flags));
  });
}

function showCommand(context: Context): Command {
  const command = createCommand(context, {
    name: "show",
    summary: "Show an order, and what to do next.",
    examples: ["payments orders show order-1 --store payments.db"],
  }).argument("<reference>", "the externalRef of the order");
  return addStoreFlags(command).action(async (externalRef: string) => {
    const { show } = await import("./show.ts");
    const flags = command.opts<ShowFlags>();
    await withStore(chooseStore(context, flags), (opened) => show(context, opened, externalRef, flags));
  });
}

function resolveCommand(context: Context): Command {
  const command = createCommand(context, {
    name: "resolve",
    summary: "Record what the service shows or reports about an order.",
    details: [
      "After --not-charged, the next create call is sent. If a transaction does exist, the customer pays",
      "twice. Your onPostback does not run: the command prints what your shop has to do instead.",
      "With --transaction, the command reads all orders of the namespace, and refuses a transaction that",
      "another order has. This can take seconds in a large store.",
    ].join("\n"),
    examples: [
      "payments orders resolve order-1 --attempt 1 --not-charged",
      "payments orders resolve order-1 --attempt 1 --transaction 4711 --status approved",
    ],
  })
    .argument("<reference>", "the externalRef of the order")
    .requiredOption("--attempt <number>", "the attempt number that `orders show` prints", readCount)
    .option("--not-charged", "the attempt has no transaction")
    .option("--transaction <id>", "id of the attempt's transaction", readTransactionId)
    .addOption(statusOption("the status of that transaction"))
    .option(
      "--correct",
      "record it although the store has another status, or another order with this transaction",
    )
    .option("--yes", "do not ask for confirmation");
  return addStoreFlags(command).action(async (externalRef: string) => {
    const { resolve, toFinding } = await import("./resolve.ts");
    const flags = command.opts<ResolveFlags>();
    const finding = toFinding(flags, commandLineOf(command));
    const choice = chooseStore(context, flags);
    await withStore(choice, (opened) => resolve(context, opened, externalRef, { finding, flags }));
  });
}
