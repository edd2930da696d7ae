import type { OrderState } from "../contracts/idempotency-store.ts";
import type { OpenPostback } from "../contracts/postback-store.ts";
import { assertConfig, knownOptions } from "../errors/check-options.ts";
import { type Documents, listDocuments, type StoredDocument, toId } from "./documents.ts";
import { createOrderStore, readOrder } from "./order-store.ts";
import { createPostbackStore } from "./postbacks/postback-store.ts";
import { DEFAULT_NAMESPACE, type PaymentsStore, type StoreProblem } from "./store.ts";
import { sanitizeDriverError } from "./stores/sanitize-driver-errors.ts";

/** The parts of a store that depend on its database. */
export interface StoreParts {
  /** By `externalRef`. */
  readonly orders: Documents;
  /** Those of each order, and unsigned ones of each transaction. Its second writes are of `orders`. */
  readonly postbacks: Documents;
  /** Unsigned ones, if they are kept elsewhere. */
  readonly unsigned?: Documents;
  /** Whether several processes share the records. */
  readonly isShared: boolean;
  /** Reads the namespaces that have orders, in any order. Default: `default`, if there is an order. */
  readonly readNamespaces?: (() => Promise<readonly string[]>) | undefined;
  /** See {@link PaymentsStore.check}; it may reject. Default: reads one document of each kind. */
  readonly check?: (() => Promise<readonly StoreProblem[]>) | undefined;
}

/** Makes a store of documents. Its operations are plain functions, which can be passed on. */
export function createStore(parts: StoreParts): PaymentsStore {
  const { orders, postbacks, unsigned = postbacks, isShared, readNamespaces = readDefault } = parts;
  async function readDefault() {
    for await (const _order of orders.list(false, false)) return [DEFAULT_NAMESPACE];
    return [];
  }
  const { planPostback, ...orderStore } = createOrderStore(orders, readNamespaces);
  const postbackStore = createPostbackStore({
    orders: postbacks,
    transactions: unsigned,
    isShared,
    planPostback,
  });
  return {
    ...orderStore,
    ...postbackStore,
    async stats(options = {}) {
      const { all = false, namespace } = knownOptions(options, ["all", "namespace"]);
      assertConfig(typeof all === "boolean", "all must be true or false.");
      const open = postbackStore.openPostbacks({ namespace });
      return { ...(await countOrders(orders, all, namespace)), ...(await countPostbacks(open)) };
    },
    async check() {
      try {
        if (parts.check !== undefined) return await parts.check();
        await Promise.all([orders.read(CHECKED_KEY), postbacks.read(CHECKED_KEY)]);
        return [];
      } catch (error) {
        const { message } = sanitizeDriverError(error);
        return [{ level: "error", message: `The database cannot be used: ${message}` }];
      }
    },
  };
}

/** No order has it. */
const CHECKED_KEY = "check";

async function countOrders(documents: Documents, isWhole: boolean, filter: "*" | undefined) {
  const zero = { claimed: 0, unresolved: 0, unreadable: 0 };
  const orders: Record<OrderState | "unreadable", number> = { ...zero, created: 0, free: 0 };
  let oldestUnresolvedMs = 0;
  const counted = new Set<string>(); // a database may list a document twice
  for await (const { key, namespace, ...document } of listDocuments(documents, !isWhole, filter)) {
    const id = toId(namespace, key);
    if (counted.has(id)) continue;
    if (!isWhole) counted.add(id); // of all orders, a set would be too large
    const state = readState(key, document);
    orders[state] += 1;
    if (state === "unresolved") oldestUnresolvedMs = Math.max(oldestUnresolvedMs, Math.round(document.ageMs));
  }
  const { created, free, ...open } = orders;
  return { orders: { ...open, ...(isWhole && { created, free }) }, oldestUnresolvedMs };
}

function readState(externalRef: string, document: StoredDocument): OrderState | "unreadable" {
  try {
    return readOrder(externalRef, document).state;
  } catch {
    return "unreadable"; // it must not hide the others
  }
}

async function countPostbacks(open: AsyncIterable<OpenPostback>) {
  const postbacks: Record<OpenPostback["state"], number> = { running: 0, failed: 0, abandoned: 0 };
  let oldestFailedPostbackMs = 0;
  for await (const { state, since } of open) {
    postbacks[state] += 1;
    const ageMs = state === "running" ? 0 : Date.now() - Date.parse(since);
    oldestFailedPostbackMs = Math.max(oldestFailedPostbackMs, ageMs);
  }
  return { postbacks, oldestFailedPostbackMs };
}
