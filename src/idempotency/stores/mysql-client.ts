import { hasMethods, isRecord } from "../../data/own-properties.ts";
import { assertConfig } from "../../errors/check-options.ts";
import { ConfigurationError } from "../../errors/usage-errors.ts";
import { withTimeout } from "../../http/timers.ts";
import { TABLES } from "../store.ts";
import { toHex } from "./column-key.ts";
import { SCHEMA, toProblems } from "./mysql-check.ts";
import { ECHO, SETTINGS, toLimited, toMysqlStatements } from "./mysql-sql.ts";
import { findValues, repeatLostRaces, toStatementError } from "./statements.ts";

/** A pool or connection of `mysql2/promise`, or the `promise()` of one with callbacks. */
export interface MysqlClient {
  /**
   * Runs one statement, whose parameters are `?`, and resolves with its rows, or with the header of the response, in any
   * shape: the store finds its values in them, and refuses a client that does not return them.
   */
  execute(sql: string, values: string[]): Promise<unknown>;
}

/** Runs statements of `mysql-sql.ts`. Each is its own transaction: a pool runs the next one on another connection. */
export interface MysqlQueries {
  /** Runs a statement that selects JSON arrays. `values` are its parameters, without those of each such statement. */
  select(sql: string, values: readonly string[], signal?: AbortSignal): Promise<readonly unknown[][]>;
  /** Runs a statement that writes at most one row. `values` are its parameters after the first one. */
  write(sql: string, values: readonly string[], signal?: AbortSignal): Promise<WriteResponse>;
  /** Runs any other statement, and returns the number of rows that it affected. */
  execute(sql: string, values: readonly string[]): Promise<number>;
  /** The settings with which the server may lose confirmed writes; `undefined` if there are none, or none were read. */
  readonly warning: string | undefined;
}

export interface WriteResponse {
  readonly isWritten: boolean;
  /** By the flags of the response: no transaction was open after the statement, so it was committed. */
  readonly isCommitted: boolean;
}

/** @throws {ConfigurationError} if `client` is not a client with promises. */
export function toQueries(client: MysqlClient): MysqlQueries {
  assertConfig(hasMethods(client, ["execute"]), UNUSABLE);
  assertConfig(!hasMethods(client, ["promise"]), "client has callbacks: pass its promise().");
  let [hasEcho, hasWrites] = [false, false];
  let warning: string | undefined;

  async function run<Result>(
    sql: string,
    values: readonly string[],
    signal: AbortSignal | undefined,
    read: (reply: unknown, client: MysqlClient) => Promise<Result> | Result,
  ): Promise<Result> {
    const work = async (connection: MysqlClient) =>
      read(await connection.execute(toLimited(sql), [...values]), connection);
    return repeatLostRaces(LOST_RACES, signal, () => {
      const running = isPool(client) ? runOnConnection(client, signal, work) : work(client);
      return running.catch((thrown) => {
        throw toStatementError(thrown, values, ADVICE);
      });
    });
  }

  function select(sql: string, values: readonly string[], signal?: AbortSignal) {
    const id = crypto.randomUUID();
    return run(sql, [id, ...values, id], signal, async (reply, connection) => {
      const [rows, state] = findRows(reply, id);
      const isCurrent =
        state === "1" ? isOutside(findHeader(await connection.execute("DO 1", []))) : state === "10";
      if (!isCurrent) throw new ConfigurationError(OPEN_TRANSACTION);
      return rows;
    });
  }

  async function write(sql: string, values: readonly string[], signal?: AbortSignal) {
    const [number = 0] = crypto.getRandomValues(new Uint32Array(1));
    const id = number + 1;
    const header = await run(sql, [String(id), ...values], signal, findHeader);
    const isOfRun = header?.insertId === id;
    const isWritten = header?.affectedRows === 1 && isOfRun;
    if (header === undefined || (!isWritten && header.affectedRows !== 0)) {
      throw new ConfigurationError(UNUSABLE);
    }
    return { isWritten, isCommitted: isOutside(header), isOfRun };
  }

  /**
   * Statements before the first ones of a store: if the store could not read the response to a claim, it could not release
   * the order either.
   */
  async function checkReads(): Promise<void> {
    if (hasEcho) return;
    const [[bytes, text] = []] = await select(ECHO, [ECHOED, ECHOED]);
    const isSame = bytes === toHex(new TextEncoder().encode(ECHOED)).toUpperCase() && text === ECHOED;
    assertConfig(isSame, UNUSABLE);
    warning = await select(SETTINGS, []).then(toWarning, () => undefined); // without them the store still works
    hasEcho = true;
  }

  async function checkWrites(): Promise<void> {
    await checkReads();
    if (hasWrites) return;
    const { isOfRun, isCommitted } = await write(toMysqlStatements("payments_orders").check, []);
    assertConfig(isOfRun, UNUSABLE);
    assertConfig(isCommitted, OPEN_TRANSACTION);
    const schema = await select(SCHEMA, []);
    const [problem] = TABLES.flatMap((table) => toProblems(schema, table, true));
    if (problem !== undefined) throw new ConfigurationError(problem.message);
    hasWrites = true;
  }

  return {
    async select(sql, values, signal) {
      await checkReads();
      return select(sql, values, signal);
    },
    async write(sql, values, signal) {
      await checkWrites();
      return write(sql, values, signal);
    },
    async execute(sql, values) {
      return (await run(sql, values, undefined, findHeader))?.affectedRows ?? 0;
    },
    get warning() {
      return warning;
    },
  };
}

/** The part of a pool of mysql2 that a store uses. */
interface MysqlPool extends MysqlClient {
  getConnection(): Promise<MysqlClient & { release(): void; destroy(): void }>;
}

const isPool = (client: MysqlClient): client is MysqlPool => hasMethods(client, ["getConnection"]);

/** Milliseconds for a connection of the pool, and for the response to a statement. */
const RESPONSE_MS = 5_000;

const NO_RESPONSE = {
  ms: RESPONSE_MS,
  createError: () => new Error(`The database did not respond within ${RESPONSE_MS} ms.`),
};
const NO_CONNECTION = {
  ms: RESPONSE_MS,
  createError: () => new Error(`The pool had no free connection for ${RESPONSE_MS} ms.`),
};

/**
 * Closes a connection that died without a message: mysql2 would use it again and again, because its own timeout does not
 * close it, and covers no statement that is being prepared. A claim whose time is over while it waits for a connection is not sent.
 */
async function runOnConnection<Result>(
  pool: MysqlPool,
  signal: AbortSignal | undefined,
  work: (connection: MysqlClient) => Promise<Result>,
): Promise<Result> {
  const connecting = pool.getConnection();
  const connection = await withTimeout({ ...NO_CONNECTION, signal }, () => connecting).catch((error) => {
    connecting.then(
      (late) => late.release(),
      () => undefined,
    );
    throw error;
  });
  try {
    return await withTimeout(NO_RESPONSE, (ended) => {
      ended.addEventListener("abort", () => connection.destroy());
      return work(connection);
    });
  } finally {
    connection.release();
  }
}

/** @param settings - What {@link SETTINGS} selects. MariaDB has a value 3 for the first one, which is stricter than 1. */
function toWarning([settings = []]: readonly unknown[][]): string | undefined {
  const [flush, hasLog, syncLog] = settings.map(Number);
  const reasons: string[] = [];
  if (flush !== 1 && flush !== 3) reasons.push(`innodb_flush_log_at_trx_commit is ${flush} instead of 1`);
  if (hasLog === 1 && syncLog !== 1) reasons.push(`sync_binlog is ${syncLog} instead of 1`);
  if (reasons.length === 0) return undefined;
  return `may lose payments in a power failure, and a lost payment can be charged again: ${reasons.join("; ")}`;
}

/**
 * Finds what one run of a statement selected, in a reply of any shape, and the state of its connection.
 *
 * @throws {ConfigurationError} if something is missing: a client may cut a long text.
 */
function findRows(reply: unknown, id: string): readonly [rows: readonly unknown[][], state: string] {
  const rows: unknown[][] = [];
  for (const value of findValues(reply)) {
    if (typeof value !== "string" || !value.startsWith(`${id} `)) continue;
    const text = value.slice(id.length + 1);
    if (/^[01]+$/.test(text)) return [rows, text];
    try {
      rows.push(JSON.parse(text));
    } catch {
      break;
    }
  }
  throw new ConfigurationError(UNUSABLE);
}

/** Finds what the server says about a statement without rows. Numbers may be texts: `bigNumberStrings` of mysql2. */
function findHeader(reply: unknown) {
  for (const value of findValues(reply)) {
    if (!isRecord(value) || value["serverStatus"] === undefined) continue;
    const [affectedRows = NaN, insertId = NaN, serverStatus = NaN] = HEADER.map((name) =>
      toNumber(value[name]),
    );
    if (Number.isNaN(affectedRows + insertId + serverStatus)) continue;
    return { affectedRows, insertId, serverStatus };
  }
  return undefined;
}

const HEADER = ["affectedRows", "insertId", "serverStatus"];

const toNumber = (value: unknown) =>
  typeof value === "number" || (typeof value === "string" && value !== "") ? Number(value) : NaN;

/** Flags of `serverStatus`. */
const IN_TRANSACTION = 1;
const AUTOCOMMIT = 2;

/** Whether no transaction was open after a statement. */
const isOutside = (header: ReturnType<typeof findHeader>) =>
  ((header?.serverStatus ?? 0) & (IN_TRANSACTION | AUTOCOMMIT)) === AUTOCOMMIT;

/** Contains what a client changes if it writes values into the statement, or if its character set is not utf8mb4. */
const ECHOED = `'"\\ ? :a é 😀`;

/** The statement changed nothing, because of a concurrent transaction. */
const LOST_RACES = new Set<string | undefined>(["ER_LOCK_DEADLOCK", "ER_LOCK_WAIT_TIMEOUT"]);

const READ_ONLY = "The database is read-only, as a replica is: give the store a client of the primary.";
const ADVICE = new Map<string | undefined, string>([
  ["ER_NO_SUCH_TABLE", "The tables of the store are not in the database of its connection: call migrate()."],
  ["ER_BAD_FIELD_ERROR", "A table of the store lacks a column: compare it with docs/stores.md."],
  ["ER_PARSE_ERROR", "The server must be MySQL 8 or MariaDB 10.6, or newer, and its sql_mode not ORACLE."],
  ["ER_OPTION_PREVENTS_STATEMENT", READ_ONLY],
  ["ER_READ_ONLY_MODE", READ_ONLY],
  ["ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION", READ_ONLY],
]);

const UNUSABLE =
  "The client must be a pool or connection of mysql2/promise with the character set utf8mb4, or have " +
  "execute(sql, values), which binds the values to ?, and resolves with the rows or with the header of the response.";
export const OPEN_TRANSACTION =
  "The client of the store has an open transaction, or autocommit is off: a rollback would lose the record of a " +
  "payment, and an old state would be read. Pass a client to the store that is outside the transaction of a request.";
