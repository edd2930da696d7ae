import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sqliteStore } from "payments-sdk/idempotency";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { createdAs, LEASE, ORDER } from "../support/orders.ts";

let store: ReturnType<typeof sqliteStore>;
let database: DatabaseSync;

/** A store with so many orders that ended longer ago than it remembers them. */
async function storeWithOld(count: number): Promise<void> {
  await store.claim(ORDER, LEASE);
  await store.end(ORDER, createdAs());
  database.exec(`
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
    INSERT INTO payments_orders SELECT namespace, 'old-' || n, version, 0, is_open, body FROM payments_orders, numbers
  `);
}

function reopen(): void {
  store.close();
  store = sqliteStore(file);
}

const claim = (number: number) => {
  return store.claim({ ...ORDER, externalRef: `new-${number}`, owner: `${number}` }, LEASE);
};

const countOld = () =>
  database.prepare("SELECT count(*) AS n FROM payments_orders WHERE key LIKE 'old-%'").get();

let file: string;
beforeEach(() => {
  file = join(temporaryFolder(), "store.db");
  store = sqliteStore(file);
  database = new DatabaseSync(file);
  onTestFinished(() => {
    store.close();
    database.close();
  });
});

test("what is older than the retention is deleted in parts, before one addition after the other", async () => {
  await storeWithOld(1_200);
  reopen();

  const left: unknown[] = [];
  for (const number of [1, 2, 3]) {
    await claim(number);
    left.push(countOld()?.["n"]);
  }

  expect(left).toEqual([700, 200, 0]);
});

test("a cleanup that fails stops no claim", async () => {
  await storeWithOld(1);
  database.exec(
    "CREATE TRIGGER kept BEFORE DELETE ON payments_orders BEGIN SELECT RAISE(ABORT, 'nothing is deleted'); END",
  );
  reopen();

  expect(await claim(1)).toEqual({ state: "yours" });
});
