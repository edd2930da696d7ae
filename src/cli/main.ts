import { CommanderError } from "commander";
import { createCommand } from "./command.ts";
import { printFailure, Reported } from "./command-failure.ts";
import type { Context } from "./context.ts";
import { doctorCommand } from "./doctor.ts";
import { ordersCommand } from "./orders/orders.ts";
import { Output } from "./output.ts";
import { postbacksCommand } from "./postbacks/postbacks.ts";
import { reconcileCommand } from "./reconcile/reconcile.ts";
import { sandboxCommand } from "./sandbox-command.ts";
import { SETTING_NAMES } from "./settings.ts";
import { triggerCommand } from "./trigger.ts";

/**
 * Runs the `payments` command. A file per command has a factory, which imports the parts of the package that the
 * command uses only when it runs: `payments --help` loads none of them.
 *
 * @returns the exit code: 0, or 1 if the command failed.
 */
export async function main(context: Context): Promise<number> {
  const program = createCommand(context, {
    name: "payments",
    summary: "Tools for taking payments with payments-sdk.",
    details: `Settings come from options, then from environment variables, then from .env in the current folder: ${SETTING_NAMES.join(", ")}.`,
    examples: ["payments sandbox", "payments <command> --help"],
    commands: [
      sandboxCommand(context),
      doctorCommand(context),
      triggerCommand(context),
      ordersCommand(context),
      postbacksCommand(context),
      reconcileCommand(context),
    ],
  }).version(context.version, "-v, --version", "print the version");

  try {
    const args = context.argv.length > 0 ? context.argv : ["--help"];
    await program.parseAsync(args, { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode; // help or the version was printed
    if (error instanceof Reported) return 1;
    printFailure(error, new Output(context, context.argv.includes("--json")));
    return 1;
  }
}
