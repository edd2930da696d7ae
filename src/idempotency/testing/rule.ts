import assert from "node:assert/strict";
import type { IdempotencyStore } from "../../contracts/idempotency-store.ts";
import type { PostbackStore } from "../../contracts/postback-store.ts";
import type { PaymentsStore } from "../store.ts";
import { LEASE } from "./fixtures.ts";

/** An empty database. Each test opens one. */
export interface TestDatabase {
  /**
   * Opens a store on it. It is called several times, like several processes would.
   *
   * @param options - `namespace`: missing if the test needs only one.
   */
  store(options?: { readonly namespace?: string | undefined }): IdempotencyStore | Promise<IdempotencyStore>;
  /**
   * Advances the clock that the store uses for leases. If it is missing, the tests use leases of 500 ms and wait for
   * their end.
   */
  advance?(ms: number): void | Promise<void>;
  /** Closes the stores and deletes the database. Called when the test has ended, also if it failed. */
  close?(): void | Promise<void>;
}

/** The features of a store. The tests of missing features are skipped. */
export interface StoreFeatures {
  /** It is a `PostbackStore` too, so it can be given to `createPostbackHandler`. Default true. */
  readonly hasPostbacks?: boolean | undefined;
  /** `store()` accepts a namespace. Default true. */
  readonly hasNamespaces?: boolean | undefined;
  /** Stores that are opened on one database share its records. Default true. */
  readonly isShared?: boolean | undefined;
  /** Days after which it deletes ended records. The database must have `advance`. Default: it never does. */
  readonly retentionDays?: number | undefined;
}

/** What a rule gets. */
export interface Setting<Store extends IdempotencyStore = IdempotencyStore> {
  /** Opens another store on the same database. */
  readonly open: (namespace?: string) => Promise<Store>;
  readonly store: Store;
  /** The store of another process, if several can share the database. */
  readonly other: Store;
  /** Advances the clock, or waits. */
  readonly pass: (ms: number) => Promise<void>;
  /** For leases that end during the test. */
  readonly leaseMs: number;
  /** Ends every lease of `leaseMs`. */
  readonly leaseEnds: () => Promise<void>;
  /** One day before, and one day after the end of the retention. To be called in this order. */
  readonly retention: { readonly almostEnds: () => Promise<void>; readonly ends: () => Promise<void> };
}

/** A promise of the contract, which is the title, and the code that checks it. */
export interface Rule {
  readonly title: string;
  /** Without these features, the rule does not apply. */
  readonly needs: readonly (keyof StoreFeatures)[];
  readonly check: (setting: Setting) => Promise<void>;
}

export const orderRule = (title: string, check: Rule["check"]): Rule => ({ title, needs: [], check });

export function postbackRule(title: string, check: (setting: Setting<PaymentsStore>) => Promise<void>): Rule {
  return { title, needs: ["hasPostbacks"], check: (setting) => check(withPostbacks(setting)) };
}

/** A rule for stores with a feature. */
export const needs = (feature: keyof StoreFeatures, rule: Rule): Rule => ({
  ...rule,
  needs: [...rule.needs, feature],
});

function withPostbacks(setting: Setting): Setting<PaymentsStore> {
  const [store, other] = [toPaymentsStore(setting.store), toPaymentsStore(setting.other)];
  const open = async (namespace?: string) => toPaymentsStore(await setting.open(namespace));
  return { ...setting, open, store, other };
}

function toPaymentsStore(store: IdempotencyStore): PaymentsStore {
  assert(
    typeof (store as Partial<PostbackStore>).claimPostback === "function",
    "The store has no claimPostback(). If it is for PaymentsClient alone, set { hasPostbacks: false }.",
  );
  return store as PaymentsStore;
}

const DAY = 86_400_000;

/** Milliseconds; longer than a few operations of a slow database. */
const LEASE_IN_REAL_TIME = 500;

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** How many calls a message lists. */
const LISTED_CALLS = 3;

/** Opens a database, checks the rule and closes the database. A failed assertion names the rule and the last calls. */
export async function checkRule(
  { title, check }: Rule,
  openDatabase: () => TestDatabase | Promise<TestDatabase>,
  { isShared = true, retentionDays = 0 }: StoreFeatures,
): Promise<void> {
  const database = await openDatabase();
  const calls: string[] = [];
  try {
    const open = async (namespace?: string) =>
      recordCalls(await database.store(namespace === undefined ? {} : { namespace }), calls);
    const store = await open();
    const other = isShared ? await open() : store;
    const canAdvance = database.advance !== undefined;
    const pass = async (ms: number) => (canAdvance ? database.advance?.(ms) : wait(ms));
    const leaseMs = canAdvance ? LEASE : LEASE_IN_REAL_TIME;
    const retention = {
      almostEnds: async () => {
        assert(canAdvance, "The retention can only be tested if the database has advance().");
        await pass((retentionDays - 1) * DAY);
      },
      ends: () => pass(2 * DAY),
    };
    const leaseEnds = () => pass(leaseMs + 5);
    await check({ open, store, other, pass, leaseMs, leaseEnds, retention });
  } catch (error) {
    if (error instanceof assert.AssertionError) {
      const { message, stack } = error;
      const last = calls.slice(-LISTED_CALLS).join(", then ");
      error.message = `The store breaks the rule "${title}". Its last calls: ${last}.\n${message}`;
      error.stack = String(stack).replace(message, () => error.message);
    }
    throw error;
  } finally {
    await database.close?.();
  }
}

function recordCalls(store: IdempotencyStore, calls: string[]): IdempotencyStore {
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...parameters: unknown[]) => {
        calls.push(`${String(name)}(${JSON.stringify(parameters).slice(1, -1).slice(0, 300)})`);
        return Reflect.apply(value, target, parameters);
      };
    },
  });
}
