import type { OpenPostback } from "../../idempotency.ts";
import { formatBRL } from "../../index.ts";
import { formatDuration } from "../command.ts";
import { Failure } from "../command-failure.ts";
import { confirm } from "../confirm.ts";
import type { Context } from "../context.ts";
import { assertHasOrders, type OpenStore, type StoreFlags } from "../open-store.ts";
import { bold, Output, red, type Text, yellow } from "../output.ts";

export interface ListFlags extends StoreFlags {
  readonly state?: OpenPostback["state"];
  readonly header?: boolean;
}

/** @throws {Failure} `no_orders` if nothing is listed, and the namespace has no orders. */
export async function listPostbacks(context: Context, opened: OpenStore, flags: ListFlags): Promise<void> {
  const output = new Output(context, flags.json, flags.header);
  const open = await readOpenPostbacks(opened);
  const listed = open.filter(({ state }) => flags.state === undefined || state === flags.state);
  if (output.isJson) for (const postback of listed) output.event(postback);
  else printPostbacks(listed, output);

  // An empty list must not hide that the wrong namespace was read.
  if (open.length === 0) await assertHasOrders(opened, output);
  const noun = listed.length === 1 ? "postback" : "postbacks";
  const kind = flags.state ?? "open";
  output.note(`${listed.length} ${kind} ${noun} in namespace "${opened.namespace}" of ${opened.name}.`);
}

/** The open postbacks of an order, or of all orders, oldest first. */
export async function readOpenPostbacks({ store }: OpenStore, externalRef?: string): Promise<OpenPostback[]> {
  const open: OpenPostback[] = [];
  for await (const postback of store.openPostbacks()) {
    if (externalRef === undefined || postback.externalRef === externalRef) open.push(postback);
  }
  return open;
}

export function noOpenPostbacks({ name, namespace }: OpenStore, externalRef: string): Failure {
  const message = `No open postback of "${externalRef}" in namespace "${namespace}" of ${name}.`;
  return new Failure("no_open_postbacks", message);
}

/** The record of the order's postbacks is damaged. */
export const isUnreadable = ({ lastError }: OpenPostback) => lastError?.name === "UnreadableRecord";

const HEADER = ["reference", "state", "status", "amount", "transaction", "attempts", "since", "error"];

export function printPostbacks(postbacks: readonly OpenPostback[], output: Output): void {
  const rows = postbacks.map((postback): Text[] => {
    const { externalRef, state, rawStatus, amount, id, attempts, since, lastError } = postback;
    const known = isUnreadable(postback) ? ["", "", ""] : [rawStatus, formatBRL(amount), String(id)];
    const age = formatDuration(Date.now() - Date.parse(since));
    const error = [lastError?.name, lastError?.code].filter(Boolean).join(", ");
    const shownState = state === "running" ? yellow(state) : red(state);
    return [externalRef, shownState, ...known, String(attempts), age, error];
  });
  output.table(HEADER, rows);
}

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
