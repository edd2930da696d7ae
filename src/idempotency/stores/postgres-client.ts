import { hasMethods } from "../../data/own-properties.ts";
import { assertConfig } from "../../errors/check-options.ts";
import { NO_CALL } from "../../errors/payments-error.ts";
import { ConfigurationError } from "../../errors/usage-errors.ts";
import { ECHO, SEPARATOR } from "./postgres-sql.ts";
import { findValues, repeatLostRaces, toStatementError } from "./statements.ts";

/**
 * A client with `query(text, values)`: a `Pool` or `Client` of pg or `@neondatabase/serverless`, a `PGlite`, a
 * `DataSource` of TypeORM, or an object that calls the raw query of another library.
 */
export interface QueryingPostgresClient {
  /**
   * Runs one statement, whose parameters are `$1`, `$2` and so on, and resolves with its rows: an array, `{ rows }`,
   * `[rows, count]` or similar. The store finds its row in any of them, and refuses a client that does not return it.
   */
  query(text: string, values: string[]): Promise<unknown>;
  /** Only pg's `Client` has it. */
  getTransactionStatus?(): unknown;
  /** Only a transaction of PGlite has it. */
  readonly rollback?: never;
}

/** The `sql` of postgres.js. */
export interface PostgresJsClient {
  /** Runs one statement. */
  unsafe(text: string, values: string[], options: { readonly prepare: boolean }): Promise<readonly object[]>;
  /** Only a transaction of postgres.js has it. */
  readonly savepoint?: never;
}

interface NamedQueries {
  query(named: { readonly name: string; readonly text: string; readonly values: string[] }): Promise<unknown>;
}

/** The part of a PostgreSQL client that a store uses. */
export type PostgresClient = QueryingPostgresClient | PostgresJsClient;

/** Runs statements. Each is its own transaction: a pooler may run the next one on another connection. */
export interface PostgresQueries {
  /**
   * Runs a statement of `postgres-sql.ts` that selects a JSON array, and texts; again if a concurrent transaction prevented
   * it. `values` are its parameters from `$2` on.
   */
  select(text: string, values: readonly string[], signal?: AbortSignal): Promise<readonly unknown[]>;
  /** Runs a statement that returns nothing. */
  execute(text: string): Promise<void>;
}

/** A name for a text, so that a connection plans it once. Different texts on one connection must not share a name. */
const toName = (text: string) =>
  `payments_${Array.from(text).reduce((hash, char) => (Math.imul(hash, 31) + char.charCodeAt(0)) | 0, 7)}`;

/**
 * @param prepare - Whether statements have names.
 * @throws {ConfigurationError} if `client` is not a PostgreSQL client, or is a transaction.
 */
export function toQueries(client: PostgresClient, prepare = false): PostgresQueries {
  const hasQuery = hasMethods(client, ["query"]);
  assertConfig(hasQuery || hasMethods(client, ["unsafe"]), UNUSABLE);
  const isOfPg = !hasQuery || hasMethods(client, ["connect"]);
  assertConfig(!prepare || isOfPg, UNNAMEABLE);
  const isTransaction = hasMethods(client, ["savepoint"]) || hasMethods(client, ["rollback"]);
  const reason = "its writes are kept only if the transaction is committed";
  assertConfig(!isTransaction, `client must not be a transaction: ${reason}.`);
  let isChecked = false;
  const names = new Map<string, string>();

  /** What pg takes instead of a text and its values. */
  function toNamed(text: string, values: string[]) {
    const name = names.get(text) ?? toName(text);
    names.set(text, name);
    return { name, text, values };
  }

  async function run(text: string, values: string[], advice?: typeof ADVICE): Promise<unknown> {
    try {
      if (!hasQuery) return await (client as PostgresJsClient).unsafe(text, values, { prepare });
      const querying = client as QueryingPostgresClient & NamedQueries;
      const isNamed = prepare && values.length > 0;
      const reply = await (isNamed ? querying.query(toNamed(text, values)) : querying.query(text, values));
      assertConfig(querying.getTransactionStatus?.() !== "T", OPEN_TRANSACTION);
      return reply;
    } catch (error) {
      throw toStatementError(error, values, advice);
    }
  }

  async function select(text: string, values: readonly string[]): Promise<readonly unknown[]> {
    const id = crypto.randomUUID();
    const selected = findSelected(await run(text, [id, ...values], ADVICE), id);
    if (selected === undefined) throw new ConfigurationError(UNUSABLE);
    return selected;
  }

  /**
   * One more statement before the first one of a store: if the store could not read the response to a claim, it could not
   * release the order either.
   */
  async function checkClient(): Promise<void> {
    if (isChecked) return;
    const [echo] = await select(ECHO, [ECHOED]).catch((error: Error) => {
      if (prepare && error.name === "TypeError")
        throw new ConfigurationError(UNNAMEABLE, { ...NO_CALL, cause: error });
      throw error;
    });
    assertConfig(echo === ECHOED, UNUSABLE);
    isChecked = true;
  }

  return {
    select: (text, values, signal) =>
      repeatLostRaces(LOST_RACES, signal, async () => {
        await checkClient();
        return select(text, values);
      }),
    async execute(text) {
      await checkClient();
      await run(text, []);
    },
  };
}

/** The statement changed nothing, because of a concurrent transaction: serialization_failure and deadlock_detected. */
const LOST_RACES = new Set<string | undefined>(["40001", "40P01"]);

/** Finds what one run of a statement selected, in a reply of any shape. A client may cut a long text. */
function findSelected(reply: unknown, id: string): readonly unknown[] | undefined {
  for (const value of findValues(reply)) {
    if (typeof value !== "string" || !value.startsWith(`${id} [`)) continue;
    try {
      const [json = "", ...texts] = value.slice(id.length).split(SEPARATOR);
      if (texts.length === 0 || texts.pop() === "") return [...JSON.parse(json), ...texts];
    } catch {}
  }
  return undefined;
}

/** Contains what a client changes if it writes values into the statement. */
const ECHOED = `'"\\ $1 ? :a`;

const UNUSABLE =
  "The client must be a pool or client of pg, the sql of postgres.js, or have query(text, values), which binds the " +
  "values to $1, $2 and so on, and resolves with the rows.";
/** PGlite cannot be used again after a statement that it does not accept. */
const UNNAMEABLE = "prepare must not be true: only clients of pg and postgres.js take named statements.";
export const OPEN_TRANSACTION =
  "The client of the store has an open transaction: a rollback would lose the record of a payment. Pass a client to " +
  "the store that is outside the transaction of a request.";

const ADVICE = new Map<string | undefined, string>([
  [
    "42P01", // undefined_table
    "The tables of the store are not in the search_path of its connection: call migrate(), or fix the search_path.",
  ],
  ["42703", "A table of the store lacks a column: compare it with docs/stores.md."], // undefined_column
  [
    "42501", // insufficient_privilege
    "The role of the store's connection needs SELECT, INSERT, UPDATE and DELETE on payments_orders and payments_postbacks.",
  ],
  ["25006", "The database is read-only. It is a replica, or default_transaction_read_only is on."],
  ["42P02", UNUSABLE], // undefined_parameter: the client did not bind the values
]);
