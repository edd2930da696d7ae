import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { memoryStore, type PaymentsStore, sqliteStore } from "payments-sdk/idempotency";
import { describe, onTestFinished } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { postgresKinds } from "../postgres/open.ts";
import { redisKinds } from "../redis/open.ts";
import type { Database, StoreKind } from "./kind.ts";

const memory: StoreKind = {
  name: "memoryStore",
  open: async () => ({ store: async () => memoryStore(), isShared: false }),
};

const sqlite: StoreKind = {
  name: "sqliteStore",
  open: async () => {
    const file = join(temporaryFolder(), "store.db");
    return {
      isShared: true,
      contents: async () => rowsOf(file),
      store: async (options) => {
        const store = sqliteStore(file, options);
        onTestFinished(() => store.close());
        return store;
      },
    };
  },
};

const KINDS: readonly StoreKind[] = [memory, sqlite, ...redisKinds, ...postgresKinds];

type Suite = (open: () => Promise<PaymentsStore>, database: () => Promise<Database>) => void;

/** Runs tests on every kind of store: `open` gives one on a new database. */
export function onEveryStore(subject: string, suite: Suite): void {
  onKinds(KINDS, subject, suite);
}

/** Runs tests on the stores that several processes can share. */
export function onEverySharedStore(
  subject: string,
  suite: (database: () => Promise<Required<Database>>) => void,
): void {
  const shared = KINDS.filter((kind) => kind !== memory);
  onKinds(shared, subject, (_open, database) => {
    suite(async () => {
      const { contents, ...rest } = await database();
      if (contents === undefined) throw new Error("a shared store is to show what it holds");
      return { ...rest, contents };
    });
  });
}

function onKinds(kinds: readonly StoreKind[], subject: string, suite: Suite): void {
  for (const { name, missing, open } of kinds) {
    describe.skipIf(missing !== undefined)(`${name}: ${subject}`, () => {
      suite(async () => (await open()).store(), open);
    });
  }
}

function rowsOf(file: string): string {
  const database = new DatabaseSync(file);
  try {
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    return JSON.stringify(tables.map(({ name }) => database.prepare(`SELECT * FROM "${name}"`).all()));
  } finally {
    database.close();
  }
}
