import type { OpenPostback } from "../../idempotency.ts";
import { formatBRL } from "../../index.ts";
import { formatDuration } from "../command.ts";
import { Failure } from "../command-failure.ts";
import { confirm } from "../confirm.ts";
import type { Context } from "../context.ts";
import { assertHasOrders, type OpenStore, type StoreFlags } from "../open-store.ts";
import { isUnreadable } from "../orders/order-advice.ts";
import { bold, Output, red, type Text, yellow } from "../output.ts";

export interface ListFlags extends StoreFlags {
  readonly state?: OpenPostback["state"];
  readonly header?: boolean;
}

/** @throws {Failure} `no_orders` if nothing is listed, and the namespace has no orders. */
export async function listPostbacks(context: Context, opened: OpenStore, flags: ListFlags): Promise<void> {
  const output = new Output(context, flags.json, flags.header);
  const open: OpenPostback[] = [];
  const namespace = flags.allNamespaces ? "*" : undefined;
  for await (const postback of opened.store.openPostbacks({ namespace })) open.push(postback);
  const listed = open.filter(({ state }) => flags.state === undefined || state === flags.state);
  if (output.isJson) for (const postback of listed) output.event(postback);
  else printPostbacks(listed, output, flags.allNamespaces);

  // An empty list must not hide that the wrong namespace was read.
  if (open.length === 0) await assertHasOrders(opened, output);
  const noun = listed.length === 1 ? "postback" : "postbacks";
  output.note(`${listed.length} ${flags.state ?? "open"} ${noun} ${opened.where}.`);
}

/** The open postbacks of an order, oldest first. */
export async function readOpenPostbacks({ store }: OpenStore, externalRef: string): Promise<OpenPostback[]> {
  const open: OpenPostback[] = [];
  for await (const postback of store.openPostbacks()) {
    if (postback.externalRef === externalRef) open.push(postback);
  }
  return open;
}

export function noOpenPostbacks(opened: OpenStore, externalRef: string): Failure {
  return new Failure("no_open_postbacks", `No open postback of "${externalRef}" ${opened.where}.`);
}

export function nameOf({ rawStatus, id }: Pick<OpenPostback, "rawStatus" | "id">): string {
  return `${rawStatus} of ${id}`;
}

const NAMES = ["reference", "state", "status", "amount", "transaction", "attempts", "since", "error"];

export function printPostbacks(
  postbacks: readonly OpenPostback[],
  output: Output,
  hasNamespace = false,
): void {
  const rows = postbacks.map((postback): Text[] => {
    const { namespace = "", externalRef, state, rawStatus, amount, id } = postback;
    const { attempts, since, lastError } = postback;
    const known = isUnreadable(postback) ? ["", "", ""] : [rawStatus, formatBRL(amount), String(id)];
    const age = formatDuration(Date.now() - Date.parse(since));
    const error = [lastError?.name, lastError?.code].filter(Boolean).join(", ");
    const shownState = state === "running" ? yellow(state) : red(state);
    const place = hasNamespace ? [namespace, externalRef] : [externalRef];
    return [...place, shownState, ...known, String(attempts), age, error];
  });
  output.table(hasNamespace ? ["namespace", ...NAMES] : NAMES, rows);
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
  const nothing = "Nothing was closed";
  if (!flags.yes) await confirm(context, "Close them?", nothing);
  const shown = new Set(open.map(toKey));
  if ((await readOpenPostbacks(opened, externalRef)).some((postback) => !shown.has(toKey(postback)))) {
    throw new Failure("changed", `${nothing}: another postback has arrived. Run the command again.`);
  }

  const closed = await opened.store.closePostbacks(externalRef);
  if (closed.length === 0) {
    throw new Failure("running", `${nothing}: the postbacks are running or have ended.`);
  }
  output.result({ externalRef, closed }, () => {
    const names = closed.map((postback) => (postback.id > 0 ? nameOf(postback) : "a damaged record"));
    output.line(bold(`Closed: ${names.join(", ")}.`));
  });
}

const toKey = ({ id, rawStatus, amount }: OpenPostback) => JSON.stringify([id, rawStatus, amount]);
