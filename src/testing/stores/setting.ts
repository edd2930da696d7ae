import assert from "node:assert/strict";
import type { IdempotencyStore } from "../../contracts/idempotency-store.ts";
import type { PaymentsStore } from "../../idempotency/store.ts";
import { explainFailure, type Rule, rulesFor, type TestContext } from "../rules.ts";
import { LEASE, ORDER, times } from "./fixtures.ts";

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
  /** `list`, `unresolved`, `openPostbacks` and `stats` accept `namespace: "*"`. Default false. */
  readonly listsNamespaces?: boolean | undefined;
  /** Stores that are opened on one database share its records. Default true. */
  readonly isShared?: boolean | undefined;
  /** Days after which it deletes ended records. The database must have `advance`. Default: it never does. */
  readonly retentionDays?: number | undefined;
}

/** Every store of this package is one. Rules that use what a custom store may lack need it. */
export type TestedStore = PaymentsStore;

/** Methods that a custom store may lack. Rules that need one are then skipped. */
const OPTIONAL = ["openPostbacks", "getMany", "stats", "check"] as const;

export type Need = keyof StoreFeatures | (typeof OPTIONAL)[number];

export const isOptional = (need: Need) => OPTIONAL.some((name) => name === need);

export type Setting = Awaited<ReturnType<typeof createSetting>>;

export const { rules, needs, forEach } = rulesFor<Setting, Need>();

const DAY = 86_400_000;

/** Milliseconds; longer than a few operations of a slow database. */
const LEASE_IN_REAL_TIME = 500;

const LISTED_CALLS = 3;

/** Opens a database, checks the rule and closes the database. A failed assertion names the rule and the last calls. */
export async function checkRule(
  { title, needs, check }: Rule<Setting, Need>,
  openDatabase: () => TestDatabase | Promise<TestDatabase>,
  features: StoreFeatures,
  context: TestContext,
): Promise<void> {
  const database = await openDatabase();
  const calls: string[] = [];
  try {
    const setting = await createSetting(database, needs, features, calls);
    const missing = OPTIONAL.find((name) => needs.includes(name) && setting.store[name] === undefined);
    await (missing ? context.skip?.(`The store has no ${missing}().`) : check(setting));
  } catch (error) {
    const last = calls.slice(-LISTED_CALLS).join(", then ");
    throw explainFailure(error, `The store breaks the rule "${title}". Its last calls: ${last}.`);
  } finally {
    await database.close?.();
  }
}

async function createSetting(
  database: TestDatabase,
  needs: readonly Need[],
  { isShared = true, retentionDays = 0 }: StoreFeatures,
  calls: string[],
) {
  const canAdvance = database.advance !== undefined;
  const canTest = canAdvance || !needs.includes("retentionDays");
  assert(canTest, "The retention can only be tested if the database has advance().");
  const open = async (namespace?: string) => {
    const store = await database.store(namespace === undefined ? {} : { namespace });
    assert(
      !needs.includes("hasPostbacks") || "claimPostback" in store,
      "The store has no claimPostback(). If it is for PaymentsClient alone, set { hasPostbacks: false }.",
    );
    return recordCalls(store as TestedStore, calls);
  };
  const store = await open();
  const other = isShared ? await open() : store;
  const leaseMs = canAdvance ? LEASE : LEASE_IN_REAL_TIME;
  const pass = async (ms: number): Promise<void> => {
    if (canAdvance) await database.advance?.(ms);
    else await new Promise((resolve) => setTimeout(resolve, ms));
  };
  const leaseEnds = () => pass(leaseMs + 5);
  return {
    open,
    store,
    /** The store of another process, if several can share the database. */
    other,
    pass,
    /** For leases that end during the test. */
    leaseMs,
    leaseEnds,
    /** Passes the retention, and so many days more or less. */
    passRetention: (extraDays: number) => pass((retentionDays + extraDays) * DAY),
    /** Claims the order, and waits until its lease has ended. */
    async loseLease(meanwhile: () => Promise<unknown> = async () => undefined) {
      await store.claim(ORDER, leaseMs);
      await meanwhile();
      await leaseEnds();
    },
    /** What 20 callers in two processes get at once. */
    callersAtOnce: <Result>(call: (store: TestedStore, owner: string) => Promise<Result>) =>
      Promise.all(times(20).map((nth) => call(nth % 2 === 0 ? other : store, `o-${nth}`))),
  };
}

function recordCalls(store: TestedStore, calls: string[]): TestedStore {
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
