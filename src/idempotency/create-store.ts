import type { IdempotencyStore } from "../contracts/idempotency-store.ts";
import type { OpenPostback, PostbackStore } from "../contracts/postback-store.ts";
import { knownOptions, NO_CALL } from "../errors/check-options.ts";
import type { Documents, WriteBoth } from "./documents.ts";
import { createOrderStore } from "./order-store.ts";
import { createPostbackStore } from "./postbacks/postback-store.ts";
import { DEFAULT_NAMESPACE, type PaymentsStore, type StoreProblem } from "./store.ts";

/** The parts of a store that depend on its database. */
export interface StoreParts {
  /** By `externalRef`. */
  readonly orders: Documents;
  /** Those of each order, and unsigned ones of each transaction. */
  readonly postbacks: Documents;
  /** Unsigned ones, if they are kept elsewhere. */
  readonly unsigned?: Documents;
  /** Writes a document of `postbacks` and one of `orders` in one step, if the database can. */
  readonly writeBoth?: WriteBoth | undefined;
  /** Whether several processes share the records. */
  readonly isShared: boolean;
  /** Reads the namespaces that have orders, in any order. Default: `default`, if there is an order. */
  readonly readNamespaces?: (() => Promise<readonly string[]>) | undefined;
  /** See {@link PaymentsStore.check}. Default: reads one document of each kind. */
  readonly check?: (() => Promise<readonly StoreProblem[]>) | undefined;
}

/** Makes a store of documents. Its operations are plain functions, which can be passed on. */
export function createStore(parts: StoreParts): PaymentsStore {
  const { orders, postbacks, unsigned = postbacks, isShared, readNamespaces = readDefault, writeBoth } = parts;
  async function readDefault() {
    for await (const _order of orders.list(false)) return [DEFAULT_NAMESPACE];
    return [];
  }
  const { planPostback, ...orderStore } = createOrderStore(orders, readNamespaces);
  const withOrder = writeBoth && { planPostback, writeBoth };
  const postbackStore = createPostbackStore({
    orders: postbacks,
    transactions: unsigned,
    isShared,
    withOrder,
  });
  return {
    ...orderStore,
    ...postbackStore,
    async stats(options = {}) {
      const { all } = knownOptions(options, ["all"], NO_CALL);
      return { ...(await countOrders(orderStore, all === true)), ...(await countPostbacks(postbackStore)) };
    },
    async check() {
      if (parts.check !== undefined) return parts.check();
      await Promise.all([orders.read(CHECKED_KEY), postbacks.read(CHECKED_KEY)]);
      return [];
    },
  };
}

/** No order has it. */
const CHECKED_KEY = "check";

async function countOrders(store: Pick<IdempotencyStore, "list">, isWhole: boolean) {
  const orders = { claimed: 0, unresolved: 0, ...(isWhole && { created: 0, free: 0 }) };
  let oldestUnresolved: string | undefined;
  const filters = isWhole ? [{}] : ([{ state: "claimed" }, { state: "unresolved" }] as const);
  for (const filter of filters) {
    for await (const { state, since } of store.list(filter)) {
      orders[state as "claimed" | "unresolved"] += 1;
      if (state === "unresolved") oldestUnresolved = pickEarlier(oldestUnresolved, since);
    }
  }
  return { orders, ...(oldestUnresolved !== undefined && { oldestUnresolved }) };
}

async function countPostbacks(store: Required<Pick<PostbackStore, "openPostbacks">>) {
  const postbacks: Record<OpenPostback["state"], number> = { running: 0, failed: 0, abandoned: 0 };
  let oldestFailedPostback: string | undefined;
  for await (const { state, since } of store.openPostbacks()) {
    postbacks[state] += 1;
    if (state !== "running") oldestFailedPostback = pickEarlier(oldestFailedPostback, since);
  }
  return { postbacks, ...(oldestFailedPostback !== undefined && { oldestFailedPostback }) };
}

/** Of two times in ISO 8601 UTC. */
function pickEarlier(one: string | undefined, other: string): string {
  return one === undefined || other < one ? other : one;
}
