import { type Command, Option } from "commander";
import {
  createCommand,
  HEADER_OPTION,
  parseTransactionId,
  REFERENCE_ARGUMENT,
  YES_OPTION,
} from "../command.ts";
import type { Context } from "../context.ts";
import { ALL_NAMESPACES_OPTION, addStoreFlags, PASSWORD_ADVICE, withStore } from "../open-store.ts";
import type { DeliverFlags } from "./deliver-postbacks.ts";
import type { CloseFlags, ListFlags } from "./open-postbacks.ts";

/** The `payments postbacks` commands. Each loads its code when it runs. */
export function postbacksCommand(context: Context): Command {
  return createCommand(context, {
    name: "postbacks",
    summary: "List signed postbacks whose callback has not succeeded, deliver them again, or close them.",
    details: PASSWORD_ADVICE,
    examples: [
      "payments postbacks list",
      "payments postbacks deliver order-1 --to https://shop.example/postbacks",
    ],
    commands: [listCommand(context), deliverCommand(context), closeCommand(context)],
  });
}

function listCommand(context: Context): Command {
  const command = createCommand(context, {
    name: "list",
    summary: "List open postbacks, oldest first.",
    details:
      "failed: the callback failed. abandoned: its process ended, or could not start it. running: it runs now, or another postback of the same transaction does. With --json, each postback is one line of JSON.",
    examples: ["payments postbacks list --state failed --store /srv/shop/payments.db"],
  });
  return addStoreFlags(command)
    .addOption(
      new Option("--state <state>", "only in this state").choices(["failed", "abandoned", "running"]),
    )
    .option(...ALL_NAMESPACES_OPTION)
    .option(...HEADER_OPTION)
    .action(async (flags: ListFlags) => {
      const { listPostbacks } = await import("./open-postbacks.ts");
      await withStore(context, flags, (opened) => listPostbacks(context, opened, flags));
    });
}

function deliverCommand(context: Context): Command {
  const command = createCommand(context, {
    name: "deliver",
    summary: "Send the open postbacks of an order to your shop's handler again.",
    details:
      "Oldest first, one after the other, until a response is not 2xx: the exit code is then 1. Running ones are not sent. The URL is signed with PAYMENTS_POSTBACK_SECRET and PAYMENTS_POSTBACK_KID for five minutes; redirects are not followed.\n\nIf the order is approved over its amount in the store, for example after orders resolve, and no approved postback is open, its payment is sent too. No callback runs if onPaid or onReview has handled it before, or close ended it: if it was not shipped, ship by hand.",
    examples: [
      "payments postbacks deliver order-1 --to https://shop.example/postbacks",
      "payments postbacks deliver order-1 --to http://localhost:3000/postbacks --id 4711",
    ],
  })
    .argument(...REFERENCE_ARGUMENT)
    .requiredOption("--to <url>", "URL of your handler: https, or on this machine")
    .option("--id <id>", "only postbacks of this transaction", parseTransactionId);
  return addStoreFlags(command).action(async (externalRef: string, flags: DeliverFlags) => {
    const { deliverPostbacks } = await import("./deliver-postbacks.ts");
    await withStore(context, flags, (opened) => deliverPostbacks(context, opened, externalRef, flags));
  });
}

function closeCommand(context: Context): Command {
  const command = createCommand(context, {
    name: "close",
    summary: "End the open postbacks of an order without running your callback.",
    details:
      "They count as handled: no retry and no later delivery runs your callback for them, and nothing is shipped, cancelled or refunded. Running ones stay open.\n\nA record that cannot be read is removed, so its postbacks do not count as handled: if the service repeats one of them, your callback runs for it.",
    examples: ["payments postbacks close order-1"],
  })
    .argument(...REFERENCE_ARGUMENT)
    .option(...YES_OPTION);
  return addStoreFlags(command).action(async (externalRef: string, flags: CloseFlags) => {
    const { closePostbacks } = await import("./open-postbacks.ts");
    await withStore(context, flags, (opened) => closePostbacks(context, opened, externalRef, flags));
  });
}
