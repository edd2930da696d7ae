import { setImmediate } from "node:timers/promises";
import type { OrderRecord } from "../../idempotency.ts";
import { formatBRL } from "../../index.ts";
import type { TransactionStatus } from "../../postbacks.ts";
import { formatDuration } from "../command.ts";
import { Reported } from "../command-failure.ts";
import { orInterrupted } from "../confirm.ts";
import type { Context } from "../context.ts";
import { assertHasOrders, listNamespaces, type OpenStore, type StoreFlags } from "../open-store.ts";
import { createProgress, Output, type Text } from "../output.ts";
import { colorState, colorStatus } from "./show-order.ts";

export interface ListFlags extends StoreFlags {
  readonly header?: boolean;
  readonly state?: OrderRecord["state"];
  readonly status?: TransactionStatus;
  /** Milliseconds. */
  readonly olderThan?: number;
  readonly limit?: number;
}

/** Orders that are sorted and printed together: a store may hold millions. */
const PAGE_SIZE = 1_000;

/** Orders that are found more slowly are printed in smaller groups. */
const MAX_WAIT_MS = 50;

/** @throws {Failure} `no_orders` if the namespace has no orders. */
export async function listOrders(context: Context, opened: OpenStore, flags: ListFlags): Promise<void> {
  const { state, status, olderThan, limit, allNamespaces } = flags;
  const namespace = allNamespaces ? "*" : undefined;
  const output = new Output(context, flags.json, flags.header);
  const filter = { state, status, olderThanMs: olderThan };
  const print = createPrinter(output, allNamespaces);
  const progress = createProgress(context, "orders read");
  let total = 0;
  let printed = 0;
  /** How many orders were printed when the reader of the output was last waited for. */
  let awaited = 0;
  let page: OrderRecord[] = [];
  const printPage = () => {
    if (page.length === 0) return;
    progress.clear();
    const oldest = takeOldest(page, limit);
    page = [];
    printed += oldest.length;
    print(oldest);
  };
  const read = async () => {
    for await (const order of opened.store.list({ ...filter, namespace })) {
      total += 1;
      progress.count();
      page.push(order);
      const isFull = page.length >= PAGE_SIZE + (limit ?? 0);
      if (isFull && limit !== undefined) page = takeOldest(page, limit);
      else if (isFull) printPage();
      else if (printed === awaited) continue;
      awaited = printed;
      await setImmediate(); // so that a closed pipe ends the command
      await output.untilReady();
    }
  };
  const timer = limit === undefined ? setInterval(printPage, MAX_WAIT_MS) : undefined;
  try {
    await orInterrupted(context, read());
  } catch (error) {
    if (error instanceof Reported && limit !== undefined) page = []; // they are not the oldest
    throw error;
  } finally {
    clearInterval(timer);
    printPage(); // also if an order cannot be read: the error is reported after all other orders
  }

  // An empty list must not hide that the wrong namespace was read.
  const others = total === 0 ? await assertHasOrders(opened, output) : [];
  const hasFilter = Object.values(filter).some((value) => value !== undefined);
  output.note(`${describeCount(printed, total, hasFilter)} ${opened.where}.`);
  if (total === 0 && olderThan !== undefined) output.note("Newer orders are excluded by --older-than.");
  if (others.length > 0) output.note(`Other namespaces were not read: ${listNamespaces(others)}.`);
}

function describeCount(printed: number, total: number, hasFilter: boolean): string {
  const count = printed < total ? `The ${printed} oldest of ${total}` : total;
  return `${count} ${hasFilter ? "matching " : ""}${total === 1 ? "order" : "orders"}`;
}

function takeOldest(orders: readonly OrderRecord[], limit: number | undefined): OrderRecord[] {
  return orders.toSorted((a, b) => (a.since < b.since ? -1 : Number(a.since > b.since))).slice(0, limit);
}

const NAMES = ["reference", "state", "status", "amount", "method", "attempt", "since", "transaction"];

function createPrinter(output: Output, hasNamespace = false): (orders: readonly OrderRecord[]) => void {
  const print = output.startTable(hasNamespace ? ["namespace", ...NAMES] : NAMES);
  return (orders) => {
    if (output.isJson) for (const order of orders) output.event(order);
    else print(orders.map((order) => [...(hasNamespace ? [order.namespace ?? ""] : []), ...toRow(order)]));
  };
}

function toRow(order: OrderRecord): Text[] {
  return [
    order.externalRef,
    colorState(order.state),
    colorStatus(order.transaction?.status ?? (order.state === "created" ? "unknown" : "")),
    formatBRL(order.amount),
    order.paymentMethod,
    String(order.attempt),
    formatDuration(Date.now() - Date.parse(order.since)),
    nameTransactions(order),
  ];
}

function nameTransactions({ transactionId, possibleDuplicates }: OrderRecord): string {
  const duplicates = possibleDuplicates.map(({ id }) => id).join(", ");
  const also = duplicates && `possibly also ${duplicates}`;
  return [transactionId, also].filter((part) => part).join(", ");
}
