/**
 * Payments of which nobody knows what became of them.
 *
 *   npm run example unresolved                                     shows how it comes to that, on the embedded sandbox
 *   npm run example unresolved -- list --store payments.db
 *   npm run example unresolved -- resolve order-1 --attempt 1 --not-charged --store redis://localhost
 */

import { COMMANDS, FLAGS, readCommand } from "./unresolved/command.ts";
import { showResolved, showUnresolved, unresolvedIn } from "./unresolved/list-and-resolve.ts";
import { showTimeOut } from "./unresolved/show-time-out.ts";
import { example } from "./unresolved/support/example.ts";
import { openStore } from "./unresolved/support/open-store.ts";

await example({
  name: "unresolved",
  summary: "Payments of which nobody knows what became of them.",
  commands: COMMANDS,
  flags: FLAGS,
  where: "Without a command it runs on a sandbox of its own; with one it calls no service at all.",
  notes:
    "Look into the dashboard of the service before you say --not-charged: a customer may pay twice otherwise.",
  async run(tools) {
    const command = readCommand(tools.words, tools.flags);
    if (command.name === "show") return showTimeOut(tools);

    const { name, store, close } = await openStore(command.store);
    tools.onEnd(close);
    if (command.name === "list") {
      const orders = await unresolvedIn(store, command.olderThanMs);
      tools.tell(orders, () => showUnresolved(orders, name));
    } else {
      const { externalRef, finding } = command;
      const { state } = await store.resolve(externalRef, finding);
      tools.tell({ externalRef, state }, showResolved);
    }
  },
});
