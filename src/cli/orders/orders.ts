import { type Command, Option } from "commander";
import {
  commandLineOf,
  createCommand,
  HEADER_OPTION,
  parseCount,
  parseDuration,
  parseTransactionId,
  REFERENCE_ARGUMENT,
  YES_OPTION,
} from "../command.ts";
import type { Context } from "../context.ts";
import {
  ALL_NAMESPACES_OPTION,
  addStoreFlags,
  PASSWORD_ADVICE,
  type StoreFlags,
  withStore,
} from "../open-store.ts";
import type { ListFlags } from "./list-orders.ts";
import { ORDER_STATES, TRANSACTION_STATUSES } from "./order-advice.ts";
import type { ResolveFlags } from "./resolve-order.ts";

/** The `payments orders` commands. Each loads its code when it runs. */
export function ordersCommand(context: Context): Command {
  return createCommand(context, {
    name: "orders",
    summary: "Look up orders in your shop's store, and resolve those whose outcome is unknown.",
    details: PASSWORD_ADVICE,
    examples: ["payments orders list --state unresolved", "payments orders show order-1"],
    commands: [listCommand(context), showCommand(context), resolveCommand(context)],
  });
}

function listCommand(context: Context): Command {
  const command = createCommand(context, {
    name: "list",
    summary: "List orders.",
    details:
      "Orders are printed as they are read, up to 1,000 at once, each group oldest first. With --limit, all are read, and the oldest are printed. With --json, each order is one line of JSON. If the namespace has no orders at all, the command fails.",
    examples: ["payments orders list --state unresolved --older-than 15m --store /srv/shop/payments.db"],
  });
  return addStoreFlags(command)
    .addOption(new Option("--state <state>", "only orders in this state").choices(ORDER_STATES))
    .addOption(
      new Option("--status <status>", "only orders whose transaction has this status").choices([
        ...TRANSACTION_STATUSES,
        "unrecognized",
      ]),
    )
    .option("--older-than <duration>", "only orders unchanged for 90s, 15m, 2h, 3d, ...", parseDuration)
    .option("--limit <n>", "maximum number of orders", parseCount)
    .option(...ALL_NAMESPACES_OPTION)
    .option(...HEADER_OPTION)
    .action(async (flags: ListFlags) => {
      const { listOrders } = await import("./list-orders.ts");
      await withStore(context, flags, (opened) => listOrders(context, opened, flags));
    });
}

function showCommand(context: Context): Command {
  const command = createCommand(context, {
    name: "show",
    summary: "Show an order, and what to do next.",
    examples: ["payments orders show order-1 --store /srv/shop/payments.db"],
  }).argument(...REFERENCE_ARGUMENT);
  return addStoreFlags(command).action(async (externalRef: string, flags: StoreFlags) => {
    const { showOrder } = await import("./show-order.ts");
    await withStore(context, flags, (opened) => showOrder(context, opened, externalRef, flags));
  });
}

function resolveCommand(context: Context): Command {
  const command = createCommand(context, {
    name: "resolve",
    summary: "Record what the service shows or reports about an order.",
    details:
      "After --not-charged or a status that charged no one, the next create call is sent. If a transaction does exist, the customer pays twice: wait 15 minutes, or add --early. With --transaction, all orders are read, which can take seconds: a transaction that another order has is refused.\n\nNo callback of your handler runs. If the order is paid, --deliver-to runs it. Without that option, if PAYMENTS_POSTBACK_URL is set, the command asks in a terminal whether to deliver.\n\n--correct replaces a transaction that was recorded by hand, in one step: no create call is sent meanwhile. It is refused once a response or a signed postback, also a delivered one, has named it. It also accepts another order's transaction, and a status that cannot follow the stored one.",
    examples: [
      "payments orders resolve order-1 --attempt 1 --not-charged",
      "payments orders resolve order-1 --attempt 1 --transaction 4711 --status approved",
      "payments orders resolve order-1 --attempt 1 --transaction 4712 --status approved --correct",
    ],
  })
    .argument(...REFERENCE_ARGUMENT)
    .requiredOption("--attempt <n>", "the attempt number that `orders show` prints", parseCount)
    .option("--not-charged", "the attempt has no transaction")
    .option("--transaction <id>", "id of the attempt's transaction", parseTransactionId)
    .addOption(
      new Option("--status <status>", "the status of that transaction").choices(TRANSACTION_STATUSES),
    )
    .option("--correct", "correct what is recorded: see below")
    .option("--early", "free the order before 15 minutes have passed")
    .option(
      "--deliver-to <url>",
      "if it is paid: send it to your shop's handler, as `postbacks deliver` does",
    )
    .option(...YES_OPTION);
  return addStoreFlags(command).action(async (externalRef: string, flags: ResolveFlags) => {
    const { resolveOrder, toResolution } = await import("./resolve-order.ts");
    const resolution = toResolution(flags, commandLineOf(command));
    await withStore(context, flags, (opened) =>
      resolveOrder(context, opened, externalRef, { resolution, flags }),
    );
  });
}
