import type { OpenPostback } from "../../idempotency.ts";
import { Failure } from "../command-failure.ts";
import { confirm } from "../confirm.ts";
import type { Context } from "../context.ts";
import type { OpenStore, StoreFlags } from "../open-store.ts";
import { bold, Output } from "../output.ts";
import { noOpenPostbacks, printPostbacks, readOpenPostbacks } from "./list-postbacks.ts";

export interface CloseFlags extends StoreFlags {
  readonly yes?: boolean;
}

/** @throws {Failure} if nothing was closed. */
export async function closePostbacks(
  context: Context,
  opened: OpenStore,
  externalRef: string,
  flags: CloseFlags,
): Promise<void> {
  const output = new Output(context, flags.json);
  const preview = flags.json ? new Output({ ...context, stdout: context.stderr }) : output;
  const open = await readOpenPostbacks(opened, externalRef);
  if (open.length === 0) throw noOpenPostbacks(opened, externalRef);
  printPostbacks(open, preview);
  preview.line();
  preview.line(bold("To close: "), "your callback will never run for these postbacks, unless it is running.");
  preview.line("Nothing is shipped, cancelled or refunded: do by hand what the order needs.");
  if (!flags.yes) await confirm(context, "Close them?", "Nothing was closed");
  const shown = new Set(open.map(toKey));
  if ((await readOpenPostbacks(opened, externalRef)).some((postback) => !shown.has(toKey(postback)))) {
    throw new Failure("changed", "Nothing was closed: another postback has arrived. Run the command again.");
  }

  const closed = await opened.store.closePostbacks(externalRef);
  if (closed.length === 0) {
    throw new Failure("running", "Nothing was closed: the postbacks are running, or have ended.");
  }
  output.result({ externalRef, closed }, () => {
    const names = closed.map(({ rawStatus, id }) => (id > 0 ? `${rawStatus} of ${id}` : "a damaged record"));
    output.line(bold(`Closed: ${names.join(", ")}.`));
  });
}

const toKey = ({ id, rawStatus, amount }: OpenPostback) => JSON.stringify([id, rawStatus, amount]);
