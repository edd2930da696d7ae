import { existsSync, statSync } from "node:fs";
import type { Command } from "commander";
import type { PaymentsStore } from "../idempotency.ts";
import { quoteForShell } from "./command.ts";
import { Failure, Reported } from "./command-failure.ts";
import type { Context } from "./context.ts";
import { connectToMysql, connectToPostgres, connectToRedis } from "./drivers.ts";
import type { Output } from "./output.ts";
import { readSettings } from "./settings.ts";
import { isReadable, looksLikeUrl, nameOfStore, redactSecrets } from "./store-name.ts";

export interface StoreFlags {
  readonly store?: string;
  readonly namespace?: string;
  /** Only of commands that list. */
  readonly allNamespaces?: boolean;
  readonly json?: boolean;
}

export interface OpenStore {
  /** For messages: without a password. */
  readonly name: string;
  /** `*` with `--all-namespaces`. */
  readonly namespace: string;
  /** For sentences: in which namespace of which store. */
  readonly where: string;
  readonly store: PaymentsStore;
  /** The store of another namespace of the same database. */
  inNamespace(namespace: string): PaymentsStore;
}

export function addStoreFlags(command: Command): Command {
  return command
    .option(
      "--store <store>",
      "a SQLite file, redis://..., postgres://... or mysql://... (default: PAYMENTS_STORE)",
    )
    .option("--namespace <name>", "namespace of the store (default: PAYMENTS_NAMESPACE or `default`)");
}

export const ALL_NAMESPACES_OPTION = ["--all-namespaces", "of all namespaces of the database"] as const;

export const PASSWORD_ADVICE =
  "Set a store URL with a password in PAYMENTS_STORE: other users of the machine can see options.";

/**
 * Checks that an empty result is correct: that the namespace has orders.
 *
 * @returns the other namespaces of the database, which were not read.
 * @throws {Failure} `no_orders`, which names the namespaces of the database.
 */
export async function assertHasOrders(
  { store, where, namespace }: OpenStore,
  output: Output,
): Promise<readonly string[]> {
  const names = await store.namespaces();
  if (namespace === "*" && names.length > 0) return [];
  if (names.includes(namespace)) return names.filter((other) => other !== namespace);
  const message = `No orders ${where}. ${describeNamespaces(names)}`;
  if (output.isJson) output.note(message); // a person may see only an empty list
  throw new Failure("no_orders", message);
}

/** Names that are listed: a database may hold thousands. */
const LISTED_NAMESPACES = 20;

export function listNamespaces(names: readonly string[]): string {
  const more = names.length - LISTED_NAMESPACES;
  const listed = names.slice(0, LISTED_NAMESPACES).join(", ");
  return more > 0 ? `${listed} and ${more} more` : listed;
}

export function describeNamespaces(names: readonly string[]): string {
  const [first] = names;
  if (first === undefined) {
    return "The database has no orders at all. Is it your shop's database? Keys with a client prefix, such as keyPrefix of ioredis, are not found.";
  }
  const use = names.length === 1 ? quoteForShell(first) : "<name>";
  return `The database has orders in: ${listNamespaces(names)} (use --namespace ${use}).`;
}

/**
 * Opens the store, and closes it after `use`. Creates no file and no table: an empty store in the wrong location would
 * look as if no order were unresolved.
 *
 * @throws {Failure} `missing_setting` if no store is named, and other codes if it cannot be opened or fails later.
 */
export async function withStore<Result>(
  context: Context,
  flags: StoreFlags,
  use: (opened: OpenStore) => Promise<Result>,
): Promise<Result> {
  const settings = readSettings(context);
  // SQLite also opens `file:payments.db` and `file:///srv/payments.db`.
  const location = settings("PAYMENTS_STORE", flags.store)?.replace(/^file:(?:\/\/(?=\/))?/i, "");
  if (location === undefined) {
    const message = "Pass --store, or set PAYMENTS_STORE in the environment or in .env.";
    throw new Failure("missing_setting", message);
  }
  const namespace = settings("PAYMENTS_NAMESPACE", flags.namespace) ?? "default";
  const name = nameOfStore(location, context.cwd);
  if (!isReadable(location)) {
    const problem =
      "cannot be parsed: in its user name and password, write / as %2F, ? as %3F, # as %23 and @ as %40.";
    throw new Failure("store_url", `${name} ${problem}`);
  }
  let database: Database | undefined;
  try {
    database = await openDatabase(location, context.cwd, name);
    const { open } = database;
    const opened = { name, store: open(namespace), inNamespace: open };
    if (flags.allNamespaces)
      return await use({ ...opened, namespace: "*", where: `in all namespaces of ${name}` });
    return await use({ ...opened, namespace, where: `in namespace "${namespace}" of ${name}` });
  } catch (error) {
    if (error instanceof Failure || error instanceof Reported) throw error;
    throw toFailure(error, location, name);
  } finally {
    await closeQuietly(database?.close);
  }
}

interface Database {
  open(namespace: string): PaymentsStore;
  close(): unknown;
}

/** An error on closing does not matter: the result, or a more useful error, is already known. */
async function closeQuietly(close: (() => unknown) | undefined): Promise<void> {
  try {
    await close?.();
  } catch {}
}

/**
 * On each change, a store deletes orders older than its `retentionDays`. This command does not know the shop's value, so
 * it deletes nothing.
 */
const toOptions = (namespace: string) => ({ namespace, retentionDays: 36_500 });

async function openDatabase(location: string, cwd: string, name: string): Promise<Database> {
  const [, protocol] = /^([a-z][a-z+.-]*):\/\//i.exec(location) ?? [];
  switch (protocol?.toLowerCase()) {
    case undefined:
      return openFile(name, location);
    case "redis":
    case "rediss":
      return openRedis(location, cwd);
    case "postgres":
    case "postgresql":
      return openPostgres(location, cwd, name);
    case "mysql":
    case "mariadb":
      return openMysql(location, cwd, name);
    default: {
      const problem =
        "is not a store: pass a SQLite file, or a URL that begins with redis://, postgres:// or mysql://";
      throw new Failure("store_url", `${name} ${problem}`);
    }
  }
}

async function openFile(path: string, location: string): Promise<Database> {
  assertIsFile(path, location);
  const { DatabaseSync } = await import("node:sqlite");
  // If no process has the database open, opening it creates -wal and -shm files next to it, and only a connection that
  // may write deletes them again. Left behind, they would keep a shop that runs as another user from its database.
  const database = new DatabaseSync(path, { readOnly: existsSync(`${path}-wal`) });
  try {
    const table = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'payments_orders'").get();
    if (table === undefined) throw withoutTables(path);
  } finally {
    database.close();
  }
  const { sqliteStore } = await import("../idempotency.ts");
  const stores: { close(): void }[] = [];
  return {
    open(namespace) {
      const store = sqliteStore(path, toOptions(namespace));
      stores.push(store);
      return store;
    },
    close() {
      for (const store of stores) store.close();
    },
  };
}

/** @throws {Failure} also for a folder, and for a pipe, which would block this process. */
function assertIsFile(path: string, location: string): void {
  let problem = "it is not a file";
  try {
    if (statSync(path).isFile()) return;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    problem = code === "ENOENT" ? "there is no such file" : `it cannot be read (${code})`;
  }
  if (!looksLikeUrl(location)) throw new Failure("no_such_store", `${path}: ${problem}.`);
  const message =
    "The store is not a file, and does not begin with redis://, postgres:// or mysql://: check PAYMENTS_STORE, also for quotes and spaces.";
  throw new Failure("store_url", message);
}

async function openRedis(url: string, cwd: string): Promise<Database> {
  const { client, close } = await connectToRedis(url, cwd);
  const { redisStore } = await import("../idempotency.ts");
  return { open: (namespace) => redisStore(client, toOptions(namespace)), close };
}

async function openPostgres(url: string, cwd: string, name: string): Promise<Database> {
  const { client, close } = await connectToPostgres(url, cwd);
  try {
    const [table] = await client.query("SELECT to_regclass('payments_orders')::text AS name", []);
    if (Object.values(table ?? {})[0] == null) {
      const hint =
        " If the table is in another schema, add ?options=-csearch_path%3D and the name of the schema to the URL.";
      throw withoutTables(name, hint);
    }
  } catch (error) {
    await closeQuietly(close);
    throw error;
  }
  const { postgresStore } = await import("../idempotency.ts");
  return { open: (namespace) => postgresStore(client, toOptions(namespace)), close };
}

async function openMysql(url: string, cwd: string, name: string): Promise<Database> {
  const { client, close } = await connectToMysql(url, cwd);
  const { mysqlStore } = await import("../idempotency.ts");
  const open = (namespace: string) => mysqlStore(client, toOptions(namespace));
  try {
    await open("default").get("payments");
  } catch (error) {
    await closeQuietly(close);
    const { cause } = error as { readonly cause?: { readonly code?: unknown } };
    throw cause?.code === "ER_NO_SUCH_TABLE" ? withoutTables(name) : error;
  }
  return { open, close };
}

function withoutTables(name: string, hint = ""): Failure {
  const text =
    "has no table payments_orders. Is it your shop's database? This command does not create tables.";
  return new Failure("no_tables", `${name} ${text}${hint}`);
}

/** The problem in one line, with the name of the server and without secrets. */
function toFailure(error: unknown, location: string, name: string): Failure {
  const { code = "", message = "" } = error as NodeJS.ErrnoException;
  const [line = ""] = message.trim().split("\n");
  const known = KNOWN_PROBLEMS.find(([pattern]) => pattern.test(`${code} ${line}`));
  const problem = known?.[1] ?? redactSecrets(line || code || "it failed without a message", location);
  return new Failure("store_failed", `${name}: ${problem.replace(/[.!]*$/, "")}.`);
}

/** By the codes of Node, PostgreSQL, MySQL and Redis. */
const KNOWN_PROBLEMS: readonly (readonly [pattern: RegExp, problem: string])[] = [
  [/ECONNREFUSED/, "no server is listening there (connection refused)"],
  [/ENOTFOUND|EAI_AGAIN/, "the host name does not exist"],
  [
    /ETIMEDOUT|ConnectionTimeout|CONNECT_TIMEOUT|SocketTimeout|timeout (exceeded|expired)|timed out/i,
    "the server did not respond in time",
  ],
  [
    /ECONNRESET|EPIPE|CONNECTION_(CLOSED|ENDED)|Socket closed|terminated unexpectedly/i,
    "the server closed the connection",
  ],
  [/WRONGPASS|28P01|28000|ER_ACCESS_DENIED_ERROR/, "the server refused the user name or the password"],
  [/NOAUTH|password must be a string|no password/i, "the server needs a password"],
  [/NOPERM|42501|ER_(TABLE|DB)ACCESS_DENIED/, "this user lacks the permission"],
  [/3D000|ER_BAD_DB_ERROR|ER_NO_DB_ERROR/, "the database does not exist"],
  [/ERR_UNKNOWN_BUILTIN_MODULE/, "a SQLite store needs Node 22.13, Bun or Deno"],
  [/disk image is malformed/, "this file is damaged: restore it from a backup"],
  [/file is not a database/, "this file is not a SQLite database"],
];
