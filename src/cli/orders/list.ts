import { setImmediate } from "node:timers/promises";
import type { OrderRecord } from "../../idempotency.ts";
import { formatBRL } from "../../index.ts";
import type { Context } from "../context.ts";
import { formatAge } from "../duration.ts";
import { createOutput, type Output, type Text } from "../output.ts";
import { createProgress } from "../progress.ts";
import { assertHasOrders, listNamespaces, type OpenStore, type StoreFlags } from "../store.ts";
import { colorState, colorStatus } from "./colors.ts";
import type { KnownStatus } from "./values.ts";

export interface ListFlags extends StoreFlags {
  readonly json?: boolean;
  readonly state?: OrderRecord["state"];
  readonly status?: KnownStatus;
  readonly olderThan?: number;
  readonly limit?: number;
}

/** @throws {Failure} `no_orders` if the namespace has no orders. */
export async function list(context: Context, opened: OpenStore, flags: ListFlags): Promise<void> {
  const { state, status, olderThan, limit, json } = flags;
  const output = createOutput(context, json);
  const filter = {
    ...(state && { state }),
    ...(status && { status }),
    ...(olderThan !== undefined && { olderThanMs: olderThan }),
  };
  const progress = createProgress(context, "orders read");
  let total = 0;
  let printed = 0;
  const pages = new Pages(limit, (page) => {
    progress.clear();
    printOrders(page, output);
    printed += page.length;
  });
  try {
    for await (const order of opened.store.list(filter)) {
      total += 1;
      progress.count();
      pages.add(order);
      if (total % PAGE_SIZE === 0) await setImmediate(); // so that a closed pipe ends the command
    }
  } finally {
    pages.end(); // also if an order cannot be read, which is reported after all others: it must not hide them
  }

  // An empty list must not hide that the wrong namespace was read.
  const others = total === 0 ? await assertHasOrders(opened, output) : [];
  const count = printed < total ? `The ${printed} oldest of ${total}` : String(total);
  const what = `${Object.keys(filter).length > 0 ? "matching " : ""}${total === 1 ? "order" : "orders"}`;
  output.note(`${count} ${what} in namespace "${opened.namespace}" of ${opened.name}.`);
  if (total === 0 && olderThan !== undefined) output.note("Newer orders are excluded by --older-than.");
  if (others.length > 0) output.note(`Other namespaces were not read: ${listNamespaces(others)}.`);
}

/** Orders that are sorted and printed together. */
const PAGE_SIZE = 1_000;

/** Sorts orders without keeping all of them: a store may hold millions. */
class Pages {
  readonly #limit: number | undefined;
  readonly #print: (page: readonly OrderRecord[]) => void;
  #page: OrderRecord[] = [];

  /** @param limit - Print only this many, the oldest. */
  constructor(limit: number | undefined, print: (page: readonly OrderRecord[]) => void) {
    this.#limit = limit;
    this.#print = print;
  }

  add(order: OrderRecord): void {
    this.#page.push(order);
    if (this.#page.length < PAGE_SIZE + (this.#limit ?? 0)) return;
    if (this.#limit === undefined) this.end();
    else this.#page = this.#takeOldest();
  }

  end(): void {
    this.#print(this.#takeOldest());
    this.#page = [];
  }

  #takeOldest(): OrderRecord[] {
    const sorted = this.#page.toSorted((a, b) => (a.since < b.since ? -1 : Number(a.since > b.since)));
    return sorted.slice(0, this.#limit);
  }
}

const HEADER = ["reference", "state", "status", "amount", "method", "attempt", "since", "transaction"];

function printOrders(orders: readonly OrderRecord[], output: Output): void {
  if (orders.length === 0) return;
  if (output.isJson) {
    for (const order of orders) output.event(order);
    return;
  }
  const rows = orders.map((order): Text[] => [
    order.externalRef,
    colorState(order.state),
    colorStatus(order.transaction?.status ?? (order.state === "created" ? "unknown" : "")),
    formatBRL(order.amount),
    order.paymentMethod,
    String(order.attempt),
    formatAge(Date.now() - Date.parse(order.since)),
    nameTransactions(order),
  ]);
  output.table(HEADER, rows);
}

function nameTransactions({ transactionId, possibleDuplicates }: OrderRecord): string {
  const others = possibleDuplicates.map(({ id }) => id).join(", ");
  return [transactionId, others && `possibly also ${others}`].filter((part) => part).join(", ");
}
