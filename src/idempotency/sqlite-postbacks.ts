import type { DatabaseSync, StatementSync } from "node:sqlite";
import { COMPARED_POSTBACKS } from "../spec/limits.ts";
import type { HandledPostback, PostbackClaim, PostbackKey, PostbackStore } from "./contract.ts";

const DAY_IN_MS = 24 * 60 * 60 * 1000;

/** What is too old is deleted with the first claim, and then once in so many. */
const CLAIMS_BETWEEN_CLEANUPS = 1_000;

const TABLE = `
  CREATE TABLE IF NOT EXISTS payments_postbacks (
    namespace TEXT NOT NULL,
    trust TEXT NOT NULL,
    external_ref TEXT NOT NULL,
    id INTEGER NOT NULL,
    raw_status TEXT NOT NULL,
    amount INTEGER NOT NULL,
    owner TEXT NOT NULL,
    lease_end INTEGER NOT NULL, -- milliseconds since 1970
    done_at INTEGER,            -- the same; NULL while it is claimed
    done_order INTEGER,         -- counts what was handled of a transaction
    PRIMARY KEY (namespace, trust, external_ref, id, raw_status, amount)
  ) STRICT;
`;

const TRANSACTION = "namespace = :namespace AND trust = :trust AND external_ref = :externalRef AND id = :id";
const KEY = `${TRANSACTION} AND raw_status = :rawStatus AND amount = :amount`;
const HELD = `${KEY} AND owner = :owner AND done_at IS NULL`;

const CLAIM = `
  INSERT INTO payments_postbacks (namespace, trust, external_ref, id, raw_status, amount, owner, lease_end)
  VALUES (:namespace, :trust, :externalRef, :id, :rawStatus, :amount, :owner, :now + :leaseMs)
`;
const IS_DONE = `SELECT 1 FROM payments_postbacks WHERE ${KEY} AND done_at IS NOT NULL`;
/** A lease of more than a day was taken by a clock that was wrong. */
const HELD_BY_SOMEBODY = `
  SELECT raw_status = :rawStatus AND amount = :amount AS is_same, lease_end FROM payments_postbacks
  WHERE ${TRANSACTION} AND done_at IS NULL
    AND lease_end > :now AND lease_end <= :now + MAX(:leaseMs, ${DAY_IN_MS})
`;
const DROP_ENDED_CLAIMS = `DELETE FROM payments_postbacks WHERE ${TRANSACTION} AND done_at IS NULL`;
const HANDLED = `
  SELECT raw_status, amount FROM payments_postbacks
  WHERE ${TRANSACTION} AND done_at IS NOT NULL ORDER BY done_order DESC LIMIT ${COMPARED_POSTBACKS}
`;
const RENEW = `UPDATE payments_postbacks SET lease_end = :now + :leaseMs WHERE ${HELD}`;
const NEXT = `(SELECT 1 + COALESCE(MAX(done_order), 0) FROM payments_postbacks WHERE ${TRANSACTION})`;
/** A success is recorded also where the lease ended meanwhile, unless somebody else has the postback now. */
const CONFIRM = `
  INSERT INTO payments_postbacks
    (namespace, trust, external_ref, id, raw_status, amount, owner, lease_end, done_at, done_order)
  VALUES (:namespace, :trust, :externalRef, :id, :rawStatus, :amount, :owner, :now, :now, ${NEXT})
  ON CONFLICT DO UPDATE SET done_at = :now, done_order = ${NEXT}
  WHERE done_at IS NULL AND (owner = :owner OR lease_end <= :now)
`;
const RELEASE = `DELETE FROM payments_postbacks WHERE ${HELD}`;
const FORGET = `
  DELETE FROM payments_postbacks WHERE namespace = :namespace AND COALESCE(done_at, lease_end) < :before
`;

/** The postbacks of a SQLite store. Each operation is one transaction of the database. */
export class SqlitePostbacks implements PostbackStore {
  readonly #database: DatabaseSync;
  readonly #namespace: string;
  readonly #retentionMs: number;
  readonly #statements = new Map<string, StatementSync>();
  #claims = 0;

  constructor(database: DatabaseSync, namespace: string, retentionMs: number) {
    this.#database = database;
    this.#namespace = namespace;
    this.#retentionMs = retentionMs;
    database.exec(TABLE);
  }

  async claimPostback(key: PostbackKey, owner: string, leaseMs: number): Promise<PostbackClaim> {
    const namespace = this.#namespace;
    const now = Date.now();
    if (this.#claims % CLAIMS_BETWEEN_CLEANUPS === 0) {
      this.#prepare(FORGET).run({ namespace, before: now - this.#retentionMs });
    }
    this.#claims += 1;
    const named = this.#named(key);
    return this.#atomically(() => {
      if (this.#prepare(IS_DONE).get(named) !== undefined) return { state: "done" };
      const held = this.#prepare(HELD_BY_SOMEBODY).get({ ...named, now, leaseMs });
      if (held !== undefined) {
        const leaseLeftMs = Number(held["lease_end"]) - now;
        return { state: "busy", isSame: held["is_same"] === 1, leaseLeftMs };
      }
      const { trust, externalRef, id } = key;
      this.#prepare(DROP_ENDED_CLAIMS).run({ namespace, trust, externalRef, id });
      this.#prepare(CLAIM).run({ ...named, owner, now, leaseMs });
      const rows = this.#prepare(HANDLED).all({ namespace, trust, externalRef, id });
      return { state: "claimed", handled: rows.map(readHandled).reverse() };
    });
  }

  async renewPostback(key: PostbackKey, owner: string, leaseMs: number): Promise<boolean> {
    const now = Date.now();
    return this.#prepare(RENEW).run({ ...this.#named(key), owner, now, leaseMs }).changes === 1;
  }

  async confirmPostback(key: PostbackKey, owner: string): Promise<boolean> {
    return this.#prepare(CONFIRM).run({ ...this.#named(key), owner, now: Date.now() }).changes === 1;
  }

  async releasePostback(key: PostbackKey, owner: string): Promise<void> {
    this.#prepare(RELEASE).run({ ...this.#named(key), owner });
  }

  close(): void {
    this.#database.close();
  }

  #named({ trust, externalRef, id, rawStatus, amount }: PostbackKey) {
    return { namespace: this.#namespace, trust, externalRef, id, rawStatus, amount };
  }

  /** A statement is compiled once. */
  #prepare(sql: string): StatementSync {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  /** The lock is taken at the beginning: one that is taken later may find that another process came first. */
  #atomically<Result>(work: () => Result): Result {
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      this.#database.exec("COMMIT");
      return result;
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  #rollBack(): void {
    try {
      this.#database.exec("ROLLBACK");
    } catch {
      // Where the disk is full, SQLite has done it by itself.
    }
  }
}

function readHandled(row: Record<string, unknown>): HandledPostback {
  return { rawStatus: String(row["raw_status"]), amount: Number(row["amount"]) };
}
