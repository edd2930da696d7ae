import { existsSync, statSync } from "node:fs";
import type { Command } from "commander";
import type { PaymentsStore } from "../idempotency.ts";
import { quoteForShell } from "./command.ts";
import { Failure, Reported } from "./command-failure.ts";
import type { Context } from "./context.ts";
import { connectToMysql, connectToPostgres, connectToRedis } from "./drivers.ts";
import { t } from "./language.ts";
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
      t(
        "a SQLite file, redis://..., postgres://... or mysql://... (default: PAYMENTS_STORE)",
        "um arquivo SQLite, redis://..., postgres://... ou mysql://... (padrão: PAYMENTS_STORE)",
      ),
    )
    .option(
      t("--namespace <name>", "--namespace <nome>"),
      t(
        "namespace of the store (default: PAYMENTS_NAMESPACE or `default`)",
        "namespace do store (padrão: PAYMENTS_NAMESPACE ou `default`)",
      ),
    );
}

export const allNamespacesOption = () =>
  ["--all-namespaces", t("of all namespaces of the database", "de todos os namespaces do banco")] as const;

/** The store, for lists of all namespaces of its database. */
export function inAllNamespaces(opened: OpenStore): OpenStore {
  const where = t(`in all namespaces of ${opened.name}`, `em todos os namespaces de ${opened.name}`);
  return { ...opened, where, namespace: "*" };
}

export const passwordAdvice = () =>
  t(
    "Set a store URL with a password in PAYMENTS_STORE: other users of the machine can see options.",
    "Uma URL com senha vai em PAYMENTS_STORE: outros usuários da máquina veem as opções.",
  );

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
  const message = `${t("No orders", "Nenhum pedido")} ${where}. ${describeNamespaces(names)}`;
  if (output.isJson) output.note(message); // a person may see only an empty list
  throw new Failure("no_orders", message);
}

/** Names that are listed: a database may hold thousands. */
const LISTED_NAMESPACES = 20;

export function listNamespaces(names: readonly string[]): string {
  const more = names.length - LISTED_NAMESPACES;
  const listed = names.slice(0, LISTED_NAMESPACES).join(", ");
  return more > 0 ? `${listed} ${t(`and ${more} more`, `e mais ${more}`)}` : listed;
}

export function describeNamespaces(names: readonly string[]): string {
  const [first] = names;
  if (first === undefined) {
    return t(
      "The database has no orders at all. Is it your shop's database? Keys with a client prefix, such as keyPrefix of ioredis, are not found.",
      "O banco de dados não tem nenhum pedido. É o banco da sua loja? Chaves com prefixo do cliente, como o keyPrefix do ioredis, não são encontradas.",
    );
  }
  const use = names.length === 1 ? quoteForShell(first) : t("<name>", "<nome>");
  const problem = t("The database has orders in", "O banco de dados tem pedidos em");
  return `${problem}: ${listNamespaces(names)} (use --namespace ${use}).`;
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
    const message = t(
      "Pass --store, or set PAYMENTS_STORE in the environment or in .env.",
      "Use --store, ou defina PAYMENTS_STORE no ambiente ou no .env.",
    );
    throw new Failure("missing_setting", message);
  }
  const namespace = settings("PAYMENTS_NAMESPACE", flags.namespace) ?? "default";
  const name = nameOfStore(location, context.cwd);
  if (!isReadable(location)) {
    const problem = t(
      "cannot be parsed: in its user name and password, write / as %2F, ? as %3F, # as %23 and @ as %40.",
      "não pode ser lida: no usuário e na senha, escreva / como %2F, ? como %3F, # como %23 e @ como %40.",
    );
    throw new Failure("store_url", `${name} ${problem}`);
  }
  let database: Database | undefined;
  try {
    database = await openDatabase(location, context.cwd, name);
    const { open } = database;
    const where = t(`in namespace "${namespace}" of ${name}`, `no namespace "${namespace}" de ${name}`);
    return await use({ name, namespace, where, store: open(namespace), inNamespace: open });
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
      const problem = t(
        "is not a store: pass a SQLite file, or a URL that begins with redis://, postgres:// or mysql://",
        "não é um store: use um arquivo SQLite, ou uma URL que comece com redis://, postgres:// ou mysql://",
      );
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
  let problem = t("it is not a file", "não é um arquivo");
  try {
    if (statSync(path).isFile()) return;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    problem =
      code === "ENOENT"
        ? t("there is no such file", "o arquivo não existe")
        : t(`it cannot be read (${code})`, `não pode ser lido (${code})`);
  }
  if (!looksLikeUrl(location)) throw new Failure("no_such_store", `${path}: ${problem}.`);
  const message = t(
    "The store is not a file, and does not begin with redis://, postgres:// or mysql://: check PAYMENTS_STORE, also for quotes and spaces.",
    "O store não é um arquivo e não começa com redis://, postgres:// nem mysql://: confira PAYMENTS_STORE, também aspas e espaços.",
  );
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
      const hint = t(
        " If the table is in another schema, add ?options=-csearch_path%3D and the name of the schema to the URL.",
        " Se a tabela está em outro schema, acrescente à URL ?options=-csearch_path%3D e o nome do schema.",
      );
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
  const text = t(
    "has no table payments_orders. Is it your shop's database? This command does not create tables.",
    "não tem a tabela payments_orders. É o banco da sua loja? Este comando não cria tabelas.",
  );
  return new Failure("no_tables", `${name} ${text}${hint}`);
}

/** The problem in one line, with the name of the server and without secrets. */
function toFailure(error: unknown, location: string, name: string): Failure {
  const { code = "", message = "" } = error as NodeJS.ErrnoException;
  const [line = ""] = message.trim().split("\n");
  const known = KNOWN_PROBLEMS.find(([pattern]) => pattern.test(`${code} ${line}`));
  const other = line || code || t("it failed without a message", "falhou sem nenhuma mensagem");
  const problem = known ? t(known[1], known[2]) : redactSecrets(other, location);
  return new Failure("store_failed", `${name}: ${problem.replace(/[.!]*$/, "")}.`);
}

/** By the codes of Node, PostgreSQL, MySQL and Redis. */
const KNOWN_PROBLEMS: readonly (readonly [pattern: RegExp, english: string, portuguese: string])[] = [
  [
    /ECONNREFUSED/,
    "no server is listening there (connection refused)",
    "nenhum servidor escuta ali (conexão recusada)",
  ],
  [/ENOTFOUND|EAI_AGAIN/, "the host name does not exist", "o nome do host não existe"],
  [
    /ETIMEDOUT|ConnectionTimeout|CONNECT_TIMEOUT|SocketTimeout|timeout (exceeded|expired)|timed out/i,
    "the server did not respond in time",
    "o servidor não respondeu a tempo",
  ],
  [
    /ECONNRESET|EPIPE|CONNECTION_(CLOSED|ENDED)|Socket closed|terminated unexpectedly/i,
    "the server closed the connection",
    "o servidor fechou a conexão",
  ],
  [
    /WRONGPASS|28P01|28000|ER_ACCESS_DENIED_ERROR/,
    "the server refused the user name or the password",
    "o servidor recusou o usuário ou a senha",
  ],
  [
    /NOAUTH|password must be a string|no password/i,
    "the server needs a password",
    "o servidor exige uma senha",
  ],
  [
    /NOPERM|42501|ER_(TABLE|DB)ACCESS_DENIED/,
    "this user lacks the permission",
    "este usuário não tem permissão",
  ],
  [/3D000|ER_BAD_DB_ERROR|ER_NO_DB_ERROR/, "the database does not exist", "o banco de dados não existe"],
  [
    /ERR_UNKNOWN_BUILTIN_MODULE/,
    "a SQLite store needs Node 22.13, Bun or Deno",
    "um store SQLite exige Node 22.13, Bun ou Deno",
  ],
  [
    /disk image is malformed/,
    "this file is damaged: restore it from a backup",
    "o arquivo está corrompido: restaure um backup",
  ],
  [/file is not a database/, "this file is not a SQLite database", "este arquivo não é um banco SQLite"],
];
