import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import type { PaymentsStore } from "../idempotency.ts";
import { quoteForShell } from "./command.ts";
import { Failure, Reported } from "./command-failure.ts";
import type { Context } from "./context.ts";
import { connectToPostgres, connectToRedis } from "./drivers.ts";
import type { Output } from "./output.ts";
import { readSettings } from "./settings.ts";
import { isReadable, looksLikeUrl, nameOfStore, redactSecrets } from "./store-name.ts";

export interface StoreFlags {
  readonly store?: string;
  readonly namespace?: string;
  readonly json?: boolean;
}

export interface OpenStore {
  /** For messages: without a password. */
  readonly name: string;
  readonly namespace: string;
  readonly store: PaymentsStore;
  /** The store of another namespace of the same database. */
  inNamespace(namespace: string): PaymentsStore;
}

export function addStoreFlags(command: Command): Command {
  return command
    .option("--store <store>", "a SQLite file, redis://... or postgres://... (default: PAYMENTS_STORE)")
    .option("--namespace <name>", "namespace of the store (default: PAYMENTS_NAMESPACE or `default`)");
}

/**
 * Checks that an empty result is correct: that the namespace has orders.
 *
 * @returns the other namespaces of the database, which were not read.
 * @throws {Failure} `no_orders`, which names the namespaces of the database.
 */
export async function assertHasOrders(
  { store, name, namespace }: OpenStore,
  output: Output,
): Promise<readonly string[]> {
  const names = await store.namespaces();
  if (names.includes(namespace)) return names.filter((other) => other !== namespace);
  const message = `No orders in namespace "${namespace}" of ${name}. ${describeNamespaces(names)}`;
  if (output.isJson) output.note(message); // a person may see only an empty list
  throw new Failure("no_orders", message);
}

/** Names that are listed: a database may hold thousands. */
const LISTED_NAMESPACES = 20;

export function listNamespaces(names: readonly string[]): string {
  const more = names.length - LISTED_NAMESPACES;
  return `${names.slice(0, LISTED_NAMESPACES).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
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
  const location = settings("PAYMENTS_STORE", flags.store);
  if (location === undefined) {
    const message = "Pass --store, or set PAYMENTS_STORE in the environment or in .env.";
    throw new Failure("missing_setting", message);
  }
  const namespace = settings("PAYMENTS_NAMESPACE", flags.namespace) ?? "default";
  const name = nameOfStore(location);
  if (!isReadable(location)) {
    const rule = "in its user name and password, write / as %2F, ? as %3F, # as %23 and @ as %40";
    throw new Failure("store_url", `${name} cannot be parsed: ${rule}.`);
  }
  let database: Database | undefined;
  try {
    database = await openDatabase(location, context.cwd, name);
    const { open } = database;
    return await use({ name, namespace, store: open(namespace), inNamespace: open });
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
      return openFile(resolve(cwd, location), name);
    case "redis":
    case "rediss":
      return openRedis(location, cwd);
    case "postgres":
    case "postgresql":
      return openPostgres(location, cwd, name);
    default: {
      const rule = "pass a SQLite file, or a URL that begins with redis:// or postgres://";
      throw new Failure("store_url", `${name} is not a store: ${rule}`);
    }
  }
}

async function openFile(path: string, name: string): Promise<Database> {
  assertIsFile(path, name);
  const { DatabaseSync } = await import("node:sqlite");
  // If no process has the database open, opening it creates -wal and -shm files next to it, and only a connection that
  // may write deletes them again. Left behind, they would keep a shop that runs as another user from its database.
  const database = new DatabaseSync(path, { readOnly: existsSync(`${path}-wal`) });
  try {
    const table = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'payments_orders'").get();
    if (table === undefined) throw withoutTables(name);
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
function assertIsFile(path: string, name: string): void {
  let problem = "it is not a file";
  try {
    if (statSync(path).isFile()) return;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    problem = code === "ENOENT" ? "there is no such file" : `it cannot be read (${code})`;
  }
  if (!looksLikeUrl(name)) throw new Failure("no_such_store", `${name}: ${problem}.`);
  const reason = "The store is not a file, and does not begin with redis:// or postgres://";
  throw new Failure("store_url", `${reason}: check PAYMENTS_STORE, also for quotes and spaces.`);
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
      const option = "?options=-csearch_path%3D and the name of the schema";
      throw withoutTables(name, ` If the table is in another schema, add ${option} to the URL.`);
    }
  } catch (error) {
    await closeQuietly(close);
    throw error;
  }
  const { postgresStore } = await import("../idempotency.ts");
  return { open: (namespace) => postgresStore(client, toOptions(namespace)), close };
}

function withoutTables(name: string, hint = ""): Failure {
  const text = "Is it your shop's database? This command does not create tables.";
  return new Failure("no_tables", `${name} has no table payments_orders. ${text}${hint}`);
}

/** The problem in one line, with the name of the server and without secrets. */
function toFailure(error: unknown, location: string, name: string): Failure {
  const { code = "", message = "" } = error as NodeJS.ErrnoException;
  const [line = ""] = message.trim().split("\n");
  const known = KNOWN_PROBLEMS.find(([pattern]) => pattern.test(`${code} ${line}`))?.[1];
  const problem = known ?? redactSecrets(line || code || "it failed without a message", location);
  return new Failure("store_failed", `${name}: ${problem.replace(/[.!]*$/, "")}.`);
}

/** By the codes of Node, PostgreSQL and Redis. */
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
  [/WRONGPASS|28P01|28000/, "the server refused the user name or the password"],
  [/NOAUTH|password must be a string|no password/i, "the server needs a password"],
  [/NOPERM|42501/, "this user lacks the permission"],
  [/3D000/, "the database does not exist"],
  [/ERR_UNKNOWN_BUILTIN_MODULE/, "a SQLite store needs Node 22.13, Bun or Deno"],
  [/disk image is malformed/, "this file is damaged: restore it from a backup"],
  [/file is not a database/, "this file is not a SQLite database"],
];
