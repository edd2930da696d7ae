import type { OpenPostback } from "../../idempotency.ts";
import { formatBRL } from "../../index.ts";
import { formatDuration } from "../command.ts";
import { Failure } from "../command-failure.ts";
import { confirm } from "../confirm.ts";
import type { Context } from "../context.ts";
import { t } from "../language.ts";
import { assertHasOrders, type OpenStore, type StoreFlags } from "../open-store.ts";
import { isUnreadable } from "../orders/order-advice.ts";
import { bold, Output, red, type Text, yellow } from "../output.ts";

export interface ListFlags extends StoreFlags {
  readonly state?: OpenPostback["state"];
  readonly header?: boolean;
  readonly allNamespaces?: boolean;
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
  const [noun, isOpen] = listed.length === 1 ? ["postback", "aberto"] : ["postbacks", "abertos"];
  const found = t(`${flags.state ?? "open"} ${noun}`, `${noun} ${flags.state ?? isOpen}`);
  output.note(`${listed.length} ${found} ${opened.where}.`);
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
  const problem = t("No open postback of", "Nenhum postback aberto de");
  return new Failure("no_open_postbacks", `${problem} "${externalRef}" ${opened.where}.`);
}

export function nameOf({ rawStatus, id }: Pick<OpenPostback, "rawStatus" | "id">): string {
  return `${rawStatus} ${t("of", "de")} ${id}`;
}

export function printPostbacks(
  postbacks: readonly OpenPostback[],
  output: Output,
  hasNamespace = false,
): void {
  const rows = postbacks.map((postback): Text[] => {
    const {
      namespace = "",
      externalRef,
      state,
      rawStatus,
      amount,
      id,
      attempts,
      since,
      lastError,
    } = postback;
    const known = isUnreadable(postback) ? ["", "", ""] : [rawStatus, formatBRL(amount), String(id)];
    const age = formatDuration(Date.now() - Date.parse(since));
    const error = [lastError?.name, lastError?.code].filter(Boolean).join(", ");
    const shownState = state === "running" ? yellow(state) : red(state);
    const place = hasNamespace ? [namespace, externalRef] : [externalRef];
    return [...place, shownState, ...known, String(attempts), age, error];
  });
  const names = [
    "reference",
    "state",
    "status",
    "amount",
    "transaction",
    "attempts",
    "since",
    "error",
  ] as const;
  output.table(hasNamespace ? ["namespace", ...names] : names, rows);
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
  const effect = t(
    "your callback will never run for these postbacks, unless it is running.",
    "o seu callback nunca vai rodar para estes postbacks, a não ser que já esteja rodando.",
  );
  preview.line(bold(t("To close: ", "A encerrar: ")), effect);
  const advice = t(
    "Nothing is shipped, cancelled or refunded: do by hand what the order needs.",
    "Nada é enviado, cancelado ou estornado: faça à mão o que falta.",
  );
  preview.line(advice);
  const nothing = t("Nothing was closed", "Nada foi encerrado");
  if (!flags.yes) await confirm(context, t("Close them?", "Encerrar?"), nothing);
  const shown = new Set(open.map(toKey));
  if ((await readOpenPostbacks(opened, externalRef)).some((postback) => !shown.has(toKey(postback)))) {
    const problem = t(
      "another postback has arrived. Run the command again.",
      "chegou outro postback. Rode o comando de novo.",
    );
    throw new Failure("changed", `${nothing}: ${problem}`);
  }

  const closed = await opened.store.closePostbacks(externalRef);
  if (closed.length === 0) {
    const problem = t(
      "the postbacks are running or have ended.",
      "os postbacks estão rodando ou terminaram.",
    );
    throw new Failure("running", `${nothing}: ${problem}`);
  }
  output.result({ externalRef, closed }, () => {
    const damaged = t("a damaged record", "um registro corrompido");
    const names = closed.map((postback) => (postback.id > 0 ? nameOf(postback) : damaged));
    output.line(bold(`${t("Closed", "Encerrado")}: ${names.join(", ")}.`));
  });
}

const toKey = ({ id, rawStatus, amount }: OpenPostback) => JSON.stringify([id, rawStatus, amount]);
