/**
 * Lists the payments of which nobody knows what became of them, and records what a person found out.
 *
 *   npm run example unresolved                                     shows how it comes to that, on the embedded sandbox
 *   npm run example unresolved -- list --store payments.db
 *   npm run example unresolved -- resolve order-1 --attempt 1 --not-charged --store redis://localhost
 */
import { env, exit } from "node:process";
import { isPaymentsError } from "payments-sdk";
import { type Command, readCommand, USAGE } from "./unresolved/command.ts";
import { listUnresolved, resolveOrder } from "./unresolved/list-and-resolve.ts";
import { openStore } from "./unresolved/open-store.ts";
import { showTimeOut } from "./unresolved/show-time-out.ts";

const command = understand();
try {
  await obey(command);
} catch (error) {
  console.error(isPaymentsError(error) ? `${error.name}: ${error.message}` : (error as Error).message);
  exit(1);
}

function understand(): Command {
  try {
    return readCommand(process.argv.slice(2), env);
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    return exit(1);
  }
}

async function obey(given: Command): Promise<void> {
  if (given.name === "help") return console.log(USAGE);
  if (given.name === "show") return showTimeOut();
  const { store, close } = await openStore(given.location, given.namespace);
  try {
    if (given.name === "list") await listUnresolved(store, given.olderThanMs);
    else await resolveOrder(store, given.externalRef, given.finding);
  } finally {
    await close();
  }
}
