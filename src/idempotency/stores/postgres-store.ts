import { DAY_IN_MS } from "../../data/time.ts";
import { assertConfig, knownOptions } from "../../errors/check-options.ts";
import { ConfigurationError } from "../../errors/usage-errors.ts";
import { createStore } from "../create-store.ts";
import type { Documents, ExpectedWrite, StoredDocument } from "../documents.ts";
import { recordRetention } from "../retention.ts";
import {
  type PaymentsStore,
  readNamespaces,
  readStoreOptions,
  type StoreOptions,
  type StoreSettings,
  type Table,
} from "../store.ts";
import { toColumnKey } from "./column-key.ts";
import { CHECK, toProblems } from "./postgres-check.ts";
import { OPEN_TRANSACTION, type PostgresClient, type PostgresQueries, toQueries } from "./postgres-client.ts";
import {
  CLEANUP_SECONDS,
  NEXT_NAMESPACE,
  POSTGRES_MIGRATION,
  TRANSACTION_STATUS,
  toPostgresStatements,
  WRITE_BOTH,
} from "./postgres-sql.ts";
import { readCode } from "./statements.ts";

/** A store in a PostgreSQL database. */
export interface PostgresStore extends PaymentsStore {
  /**
   * Creates the tables `payments_orders` and `payments_postbacks` and their indexes in the first schema of the
   * connection's `search_path`, unless one of its schemas has them. Any number of processes may call it, any number of
   * times. A role without permission to create tables can call it if all of them exist.
   */
  migrate(): Promise<void>;
}

/** Options of {@link postgresStore}. */
export interface PostgresStoreOptions extends StoreOptions {
  /**
   * Whether the client commits each statement at once, so that the store need not check it: a create call then takes two
   * statements instead of four. Only for a client that never runs a statement in a transaction of the application. Default
   * `false`.
   */
  readonly commits?: boolean | undefined;
  /**
   * Whether statements are named, so that the database plans them once per connection. Needs pg or postgres.js. A pooler in
   * transaction mode must support it, as PgBouncer does from 1.21 on. Default `false`.
   */
  readonly prepare?: boolean | undefined;
}

/**
 * A store in a PostgreSQL database, for many processes and machines. Call `migrate()`
 * before the first use, or create the tables with another tool.
 *
 * Every statement is its own transaction and changes no state of its connection, so poolers in transaction mode work.
 *
 * @param client - Your own `Pool` of pg, `sql` of postgres.js, or client with `query(text, values)`, such as PGlite or a
 * `DataSource` of TypeORM. The first statement of a store writes nothing: it checks that the client binds values, and
 * returns the row that a statement selects. A record inside an open transaction is refused: it would be lost if the
 * transaction is rolled back.
 * @throws {ConfigurationError} on an invalid option, and if `client` is not a PostgreSQL client. Every operation throws it
 * if the client returns something else than the row of a statement.
 */
export function postgresStore(client: PostgresClient, options: PostgresStoreOptions = {}): PostgresStore {
  const names = ["namespace", "retentionDays", "commits", "prepare"];
  const { commits = false, prepare = false, ...common } = knownOptions(options, names);
  assertConfig(typeof commits === "boolean", "commits must be true or false.");
  assertConfig(typeof prepare === "boolean", "prepare must be true or false.");
  const settings = { ...readStoreOptions(common), commits };
  const queries = toQueries(client, prepare);
  const plans = planCleanups(client);
  const open = (table: Table): Documents =>
    createPostgresDocuments(queries, table, settings, plans[table], () =>
      recordRetention(postbacks, settings.retentionMs),
    );
  const [orders, postbacks] = [open("payments_orders"), open("payments_postbacks")];
  return {
    ...createStore({
      orders,
      postbacks,
      isShared: true,
      check: async () => toProblems(await queries.select(CHECK, [])),
      readNamespaces: () => readNamespaces(async (last) => (await queries.select(NEXT_NAMESPACE, [last]))[0]),
    }),
    migrate: () => queries.execute(POSTGRES_MIGRATION),
  };
}

const PAGE_SIZE = 300;

/** Cleanups that follow each other while they delete something: 1,000,000 rows take 18,000, which is less than an hour. */
const CLEANUPS_AT_ONCE = 50;

/** When the tables of a client are cleaned up next, and from which block on if the latest cleanup did not end. */
interface CleanupPlan {
  dueAt: number;
  from: unknown;
}

/** By client, because a store may be created per request; the first cleanup has a random delay. */
const cleanupPlans = new WeakMap<object, Record<Table, CleanupPlan>>();

function planCleanups(client: object): Record<Table, CleanupPlan> {
  const known = cleanupPlans.get(client);
  if (known !== undefined) return known;
  const dueAt = performance.now() + (0.5 + Math.random() / 2) * CLEANUP_SECONDS * 1000;
  const plans = { payments_orders: { dueAt, from: null }, payments_postbacks: { dueAt, from: null } };
  cleanupPlans.set(client, plans);
  return plans;
}

/** PostgreSQL reports it for a transaction that it does not know yet. */
const INVALID_PARAMETER = "22023";

/** Documents in a table of PostgreSQL. Each operation is one statement, and one more if it must be committed. */
function createPostgresDocuments(
  queries: PostgresQueries,
  table: Table,
  { namespace, retentionMs, commits }: StoreSettings & { readonly commits: boolean },
  plan: CleanupPlan,
  beforeFirstCleanup: () => Promise<void>,
): Documents {
  const sql = toPostgresStatements(table, !commits);
  const days = String(retentionMs / DAY_IN_MS);
  let isFirstCleanup = true;

  /** The values of a write, from its key on. */
  async function toValues({ key, expected, write: { version, isOpen, text } }: ExpectedWrite) {
    const { short, full } = await toColumnKey(key);
    const written = [version, String(isOpen), text];
    return expected === undefined ? [short, full, ...written, days] : [short, expected, ...written];
  }

  /** Runs the statement of a write. */
  async function select(first: ExpectedWrite, second: ExpectedWrite | undefined, signal?: AbortSignal) {
    const kind = first.expected === undefined ? "add" : "replace";
    const own = await toValues(first);
    if (second === undefined) return queries.select(sql[kind], [namespace, ...own], signal);
    return queries.select(WRITE_BOTH[kind], [namespace, ...(await toValues(second)), ...own], signal);
  }

  /** Runs in the background. A failure is not reported: a later cleanup deletes the same documents. */
  async function cleanUpIfDue(): Promise<void> {
    const now = performance.now();
    if (now < plan.dueAt) return;
    plan.dueAt = Number.POSITIVE_INFINITY;
    try {
      if (isFirstCleanup) await beforeFirstCleanup();
      isFirstCleanup = false;
      for (let times = 0; times < CLEANUPS_AT_ONCE; times += 1) {
        const [deleted, next] = await queries.select(sql.forget, [namespace, days, String(plan.from ?? "")]);
        plan.from = deleted === 0 ? null : next;
        if (plan.from === null) break;
      }
    } catch {}
    plan.dueAt = now + CLEANUP_SECONDS * 1000;
  }

  return {
    async write(first, signal, second) {
      const [isWritten, selected, found] = await select(first, second, signal);
      if (isWritten === true && first.write.mustBeCommitted) await assertCommitted(queries, selected, signal);
      if (first.expected !== undefined) void cleanUpIfDue();
      if (isWritten === true) return selected === true ? "both" : "first";
      if (first.expected !== undefined) return "kept";
      // A document that was added after the statement began is seen by the next statement only, or never by any.
      return toDocument(found) ?? "hidden";
    },

    async read(key, signal) {
      const { short } = await toColumnKey(key);
      const [found] = await queries.select(sql.read, [namespace, short], signal);
      return toDocument(found);
    },

    async readMany(keys) {
      const columnKeys = await Promise.all(keys.map(async (key) => (await toColumnKey(key)).short));
      const values = [namespace, JSON.stringify(columnKeys), String(keys.length)];
      const found = new Map((await readPage(sql.many, values)).map((each) => [each.short, each]));
      return columnKeys.map((short) => found.get(short));
    },

    list: (isOpenOnly, isEverywhere) =>
      isEverywhere
        ? readPages(isOpenOnly ? sql.openEverywhere : sql.everywhere, "")
        : readPages(isOpenOnly ? sql.open : sql.all, namespace),
  };

  async function readPage(text: string, values: readonly string[]) {
    const [rows, ...texts] = await queries.select(text, values);
    return (rows as readonly unknown[][]).map(([short, key, of, version, ageMs], index) => {
      const document = { text: String(texts[index]), version: String(version), ageMs: Number(ageMs) };
      return { short: String(short), key: String(key), namespace: String(of), ...document };
    });
  }

  /** Reads the next page while the caller handles one. */
  async function* readPages(text: string, from: string) {
    const readAfter = (of: string, short: string) => readPage(text, [of, short, String(PAGE_SIZE)]);
    let next = readAfter(from, "");
    while (true) {
      const page = await next;
      const last = page.at(-1);
      const isLast = last === undefined || page.length < PAGE_SIZE;
      if (!isLast) {
        next = readAfter(last.namespace, last.short);
        next.catch(() => undefined); // the caller may stop before it reads this page
        await new Promise((resolve) => setTimeout(resolve)); // a pool sends a statement after the current tasks
      }
      yield* page;
      if (isLast) return;
    }
  }
}

/**
 * A client may be a wrapper that runs the statements of a request in one transaction, which may also begin after the
 * claim. If the transaction is rolled back after the payment was sent, the record is lost.
 */
async function assertCommitted(
  queries: PostgresQueries,
  transactionId: unknown,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (transactionId === null) return; // the client is known to commit
  const [status] = await queries
    .select(TRANSACTION_STATUS, [String(transactionId)], signal)
    .catch((error: unknown) => {
      throw readCode(error) === INVALID_PARAMETER ? new Error(READ_FROM_REPLICA, { cause: error }) : error;
    });
  if (status === "in progress") throw new ConfigurationError(OPEN_TRANSACTION);
  if (status !== "committed") throw new Error(NOT_COMMITTED);
}

const READ_FROM_REPLICA =
  "The database does not know the transaction of the record, so the store reads from a replica. Send all statements " +
  "to the primary.";
const NOT_COMMITTED = "The database rolled the record back.";

/** @param selected - The columns that a statement selected; `null` if there is no document. */
function toDocument(selected: unknown): StoredDocument | undefined {
  if (!Array.isArray(selected)) return undefined;
  const [text, version, ageMs]: unknown[] = selected;
  return { text: String(text), version: String(version), ageMs: Number(ageMs) };
}
