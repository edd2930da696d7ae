import type { OrderRecord } from "../../idempotency.ts";
import { formatBRL } from "../../index.ts";
import { formatDuration, quoteForShell } from "../command.ts";
import { Failure, Reported } from "../command-failure.ts";
import { orInterrupted } from "../confirm.ts";
import type { Context } from "../context.ts";
import { describeNamespaces, type OpenStore, type StoreFlags } from "../open-store.ts";
import { bold, createProgress, green, Output, red, type Text, yellow } from "../output.ts";
import { printPostbacks, readOpenPostbacks } from "../postbacks/open-postbacks.ts";
import { nameOfStore, redactSecrets } from "../store-name.ts";
import {
  amountPaid,
  areRunning,
  describeState,
  nextSteps,
  stepsForMistake,
  stepsForPostbacks,
  warnOfDuplicates,
  warnOfSharing,
} from "./order-advice.ts";

/** @throws {Failure} `no_such_order` if there is neither its record nor an open postback of it. */
export async function showOrder(
  context: Context,
  opened: OpenStore,
  externalRef: string,
  flags: StoreFlags,
): Promise<void> {
  const output = new Output(context, flags.json);
  const openPostbacks = await readOpenPostbacks(opened, externalRef);
  const { store } = opened;
  const order = await (openPostbacks.length > 0 ? store.get(externalRef) : findOrder(opened, externalRef));
  const findSharers = () => findOrdersWith(context, opened, externalRef, order?.transactionId);
  const sharedWith = output.isJson ? await findSharers() : [];
  output.result({ externalRef, ...order, openPostbacks, sharedWith }, () => {
    if (order !== undefined) printOrder(order, output);
    else {
      const question = "Does the client that created it use this store and namespace?";
      output.line(`${noOrder(opened, externalRef)} ${question}`);
    }
    output.line();
    if (openPostbacks.length > 0) output.line(bold("Open postbacks"));
    printPostbacks(openPostbacks, output);
    if (openPostbacks.length > 0) output.line();
    output.line(bold("What to do"));
    const suggest = (command: string, options: string) =>
      suggestCommand(command, externalRef, options, flags);
    const resolve = (options: string) => suggest("orders resolve", options);
    const isWaiting = order === undefined || areRunning(openPostbacks);
    const steps = isWaiting ? [] : [...nextSteps(order, resolve), ...stepsForMistake(order, resolve)];
    for (const step of steps) output.line("  ", step);
    for (const step of stepsForPostbacks(openPostbacks, suggest)) output.line("  ", step);
  });
  if (output.isJson) return;
  // After everything else: this may take seconds.
  const sharers = await findSharers().catch((error) => {
    const unknown = "its transaction may be in other orders too";
    if (error instanceof Reported) output.note(`Not all orders were read: ${unknown}.`);
    throw error;
  });
  output.warn(warnOfSharing(order?.transactionId, sharers));
}

/**
 * The other orders of the namespace that have a transaction: one of them has it by mistake. This reads all orders: a store
 * has no index by transaction.
 */
export async function findOrdersWith(
  context: Context,
  { store }: OpenStore,
  externalRef: string,
  id: number | string | undefined,
): Promise<string[]> {
  const found: string[] = [];
  if (id === undefined) return found;
  const progress = createProgress(context, "orders read");
  const read = async () => {
    for await (const order of store.list()) {
      progress.count();
      const { transactionId, earlierIds, possibleDuplicates } = order;
      const ids = [transactionId, ...earlierIds, ...possibleDuplicates.map((duplicate) => duplicate.id)];
      const hasId = ids.some((known) => String(known) === String(id));
      if (hasId && order.externalRef !== externalRef) found.push(order.externalRef);
    }
  };
  try {
    await orInterrupted(context, read());
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // a damaged record must not block other orders
  } finally {
    progress.clear();
  }
  return found;
}

/** Namespaces that are searched for an order that is not in the given one. */
const SEARCHED_NAMESPACES = 50;

const noOrder = ({ where }: OpenStore, externalRef: string) => `No order "${externalRef}" ${where}.`;

/** @throws {Failure} `no_such_order`, which names the namespaces that have it. */
export async function findOrder(opened: OpenStore, externalRef: string): Promise<OrderRecord> {
  const { store, namespace, inNamespace } = opened;
  const order = await store.get(externalRef);
  if (order !== undefined) return order;

  const names = await store.namespaces();
  const others = names.filter((other) => other !== namespace).slice(0, SEARCHED_NAMESPACES);
  const holders: string[] = [];
  for (const other of others) {
    if ((await inNamespace(other).get(externalRef)) !== undefined) holders.push(other);
  }
  const [first] = holders;
  let hint = "";
  if (first !== undefined) {
    hint = ` There is one in ${holders.join(", ")}: use --namespace ${quoteForShell(first)}.`;
  } else if (!names.includes(namespace) || others.length > 0) hint = ` ${describeNamespaces(names)}`;
  throw new Failure("no_such_order", `${noOrder(opened, externalRef)}${hint}`);
}

/**
 * A command for an order, for a shell. A store URL with a secret is not repeated.
 *
 * @param options - For example `--attempt 1 --not-charged`.
 */
export function suggestCommand(
  command: string,
  externalRef: string,
  options: string,
  { store, namespace }: StoreFlags,
): string {
  const words = options === "" ? [] : [options];
  if (store !== undefined) {
    const hasSecret = redactSecrets(store, store) !== store;
    words.push("--store", hasSecret ? `<${nameOfStore(store)}>` : quoteForShell(store));
  }
  if (namespace !== undefined) words.push("--namespace", quoteForShell(namespace));
  const reference = quoteForShell(externalRef);
  const all = externalRef.startsWith("-") ? [...words, "--", reference] : [reference, ...words];
  return `npx payments ${command} ${all.join(" ")}`;
}

export function printOrder(order: OrderRecord, output: Output): void {
  const { externalRef, state, amount, paymentMethod, attempt, since, transactionId } = order;
  const { transaction, earlierIds } = order;
  const age = formatDuration(Date.now() - Date.parse(since));
  output.line(bold(externalRef));
  output.detail("state", colorState(state), `: ${describeState(order)}`);
  output.detail("amount", describePayment(order));
  output.detail("attempt", String(attempt));
  output.detail("changed", `${since} (${age} ago)`);
  if (transactionId !== undefined) output.detail("transaction", String(transactionId));
  if (transaction !== undefined) output.detail("status", colorStatus(transaction.status));
  if (transaction !== undefined && amountPaid(transaction) !== amount) {
    output.detail("charged", red(`${formatBRL(amountPaid(transaction))}, not the amount of the order`));
  }
  if (transaction?.status === "pending" && paymentMethod === "pix") {
    const known = "known: create calls return it";
    output.detail("pix code", transaction.pix?.qrcodeText ? known : "not known");
  }
  const earlier = "transactions of earlier attempts";
  if (earlierIds.length > 0) output.detail("earlier", `${earlier}: ${earlierIds.join(", ")}`);
  else if (attempt > 1) output.detail("earlier", `the service may also have ${earlier}`);
  const warning = warnOfDuplicates(order);
  if (warning !== undefined) output.detail("warning", red(warning));
}

/** For example `R$ 39,90, credit_card in 3 installments`. */
export function describePayment({ amount, paymentMethod, installments }: OrderRecord): string {
  const isSplit = installments !== undefined && installments !== "1";
  return `${formatBRL(amount)}, ${paymentMethod}${isSplit ? ` in ${installments} installments` : ""}`;
}

export function colorState(state: OrderRecord["state"]): Text {
  if (state === "unresolved") return red(state);
  return state === "claimed" ? yellow(state) : state;
}

export function colorStatus(status: string): Text {
  if (status === "approved") return green(status);
  return ["chargedback", "refused", "unrecognized"].includes(status) ? red(status) : status;
}
