import { DAY_IN_MS } from "../../data/time.ts";
import { assertConfig, knownOptions } from "../../errors/check-options.ts";
import { ConfigurationError } from "../../errors/usage-errors.ts";
import { createStore } from "../create-store.ts";
import type { Documents, DocumentWrite, StoredDocument, WriteBoth } from "../documents.ts";
import { recordRetention } from "../retention.ts";
import {
  type PaymentsStore,
  readNamespaces,
  readStoreOptions,
  type StoreOptions,
  type StoreSettings,
} from "../store.ts";
import { toColumnKey } from "./column-key.ts";
import { CHECK, toProblems } from "./postgres-check.ts";
import { OPEN_TRANSACTION, type PostgresClient, type PostgresQueries, toQueries } from "./postgres-client.ts";
import {
  ADD_BOTH,
  CLEANUP_SECONDS,
  NEXT_NAMESPACE,
  POSTGRES_MIGRATION,
  type PostgresTable,
  REPLACE_BOTH,
  TRANSACTION_STATUS,
  toPostgresStatements,
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
  const open = (table: PostgresTable): Documents =>
    createPostgresDocuments(queries, table, settings, plans[table], () =>
      recordRetention(postbacks, settings.retentionMs),
    );
  const [orders, postbacks] = [open("payments_orders"), open("payments_postbacks")];
  return {
    ...createStore({
      orders,
      postbacks,
      writeBoth: createWriteBoth(queries, settings),
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
const cleanupPlans = new WeakMap<object, Record<PostgresTable, CleanupPlan>>();

const toDays = (ms: number) => String(ms / DAY_IN_MS);

function planCleanups(client: object): Record<PostgresTable, CleanupPlan> {
  const known = cleanupPlans.get(client);
  if (known !== undefined) return known;
  const dueAt = performance.now() + (0.5 + Math.random() / 2) * CLEANUP_SECONDS * 1000;
  const plans = { payments_orders: { dueAt, from: null }, payments_postbacks: { dueAt, from: null } };
  cleanupPlans.set(client, plans);
  return plans;
}

const UNDEFINED_FUNCTION = "42883";
/** PostgreSQL reports it for a transaction that it does not know yet. */
const INVALID_PARAMETER = "22023";

/** Documents in a table of PostgreSQL. Each operation is one statement, and one more if it must be committed. */
function createPostgresDocuments(
  queries: PostgresQueries,
  table: PostgresTable,
  { namespace, retentionMs, commits }: StoreSettings & { readonly commits: boolean },
  plan: CleanupPlan,
  beforeFirstCleanup: () => Promise<void>,
): Documents {
  let sql = toPostgresStatements(table, !commits);
  const days = toDays(retentionMs);
  let isFirstCleanup = true;

  async function write(name: "add" | "replace", values: string[], signal: AbortSignal | undefined) {
    try {
      return await queries.select(sql[name], values, signal);
    } catch (error) {
      if (readCode(error) !== UNDEFINED_FUNCTION) throw error;
      const otherSql = toPostgresStatements(table, false);
      const selected = await queries.select(otherSql[name], values, signal);
      sql = otherSql;
      return selected;
    }
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
    async add(key, document, signal) {
      const { short, full } = await toColumnKey(key);
      const { version, isOpen, text, mustBeCommitted } = document;
      const values = [namespace, short, full, version, String(isOpen), text, days];
      const [isAdded, transactionId, found] = await write("add", values, signal);
      if (isAdded === true) {
        if (mustBeCommitted) await assertCommitted(queries, transactionId, signal);
        return undefined;
      }
      // The existing document was added after the statement began, so only the next statement sees it, or no statement ever does.
      return toDocument(found) ?? "hidden";
    },

    async read(key, signal) {
      const { short } = await toColumnKey(key);
      const [found] = await queries.select(sql.read, [namespace, short], signal);
      return toDocument(found);
    },

    async replace(key, version, document, signal) {
      const { short } = await toColumnKey(key);
      const values = [namespace, short, version, document.version, String(document.isOpen), document.text];
      const [isReplaced, transactionId] = await write("replace", values, signal);
      if (document.mustBeCommitted && isReplaced === true)
        await assertCommitted(queries, transactionId, signal);
      void cleanUpIfDue();
      return isReplaced === true;
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
  if (typeof transactionId !== "string") return; // the database has none, or the client is known to commit
  const [status] = await queries
    .select(TRANSACTION_STATUS, [transactionId], signal)
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

/** Writes the postbacks and the record of an order in one statement. */
function createWriteBoth(queries: PostgresQueries, { namespace, retentionMs }: StoreSettings): WriteBoth {
  const toValues = ({ version, isOpen, text }: DocumentWrite) => [version, String(isOpen), text];
  return async (inbox, order) => {
    const [ofInbox, ofOrder] = await Promise.all([toColumnKey(inbox.key), toColumnKey(order.key)]);
    const orderValues = [ofOrder.short, String(order.expected), ...toValues(order.write)];
    const inboxValues = [ofInbox.short, inbox.expected ?? ofInbox.full, ...toValues(inbox.write)];
    const values = [namespace, ...orderValues, ...inboxValues];
    const [isWritten, isBoth, found] =
      inbox.expected === undefined
        ? await queries.select(ADD_BOTH, [...values, toDays(retentionMs)])
        : await queries.select(REPLACE_BOTH, values);
    if (isWritten === true) return isBoth === true ? "both" : "first";
    // What `found` shows may be older than the version that prevented the replacement.
    return inbox.expected === undefined ? (toDocument(found) ?? "hidden") : "kept";
  };
}
