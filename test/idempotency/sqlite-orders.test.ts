import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sqliteStore } from "payments-sdk/idempotency";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { by, createdAs, LEASE, listed, ORDER, stateOf, transactionOf, UNKNOWN } from "./support/orders.ts";

const DAY_MS = 24 * 60 * 60_000;

let file: string;
beforeEach(() => {
  file = join(temporaryFolder(), "store.db");
});

function open() {
  const store = sqliteStore(file);
  onTestFinished(() => store.close());
  return store;
}

describe("a clock that is set back", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
  afterEach(() => void vi.useRealTimers());

  test("by a little keeps a claim for longer, and never frees it", async () => {
    const store = open();
    await store.claim(ORDER, LEASE);

    vi.setSystemTime(Date.now() - 60 * 60_000);

    expect(await stateOf(store)).toBe("claimed");
    vi.setSystemTime(Date.now() + 60 * 60_000 + LEASE + 1);
    expect(await stateOf(store)).toBe("unresolved");
  });

  test("by more than a day, as one that was years ahead: the claim is listed, and never free", async () => {
    const store = open();
    await store.claim(ORDER, LEASE);

    vi.setSystemTime(Date.now() - 10 * 365 * DAY_MS);

    expect(await stateOf(store)).toBe("unresolved");
    expect(await listed(store)).toMatchObject([{ externalRef: "order-1", reason: "no_end" }]);
    expect(await store.renew(ORDER, LEASE)).toBe(false);
    await store.end(ORDER, createdAs());
    expect(await stateOf(store)).toBe("created");
  });

  test("forgets no transaction", async () => {
    const store = open();
    await store.claim(ORDER, LEASE);
    await store.end(ORDER, createdAs());

    vi.setSystemTime(Date.now() - 500 * DAY_MS);

    expect(await stateOf(open())).toBe("created");
  });
});

test("a clock that jumps ahead forgets no order that has not ended", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const store = open();
  await store.claim(ORDER, LEASE);
  await store.end(ORDER, UNKNOWN);

  vi.setSystemTime(Date.now() + 500 * DAY_MS);
  const later = open();
  await later.claim({ ...ORDER, externalRef: "order-2" }, LEASE);
  await later.end({ ...ORDER, externalRef: "order-2" }, createdAs());

  expect(await stateOf(later)).toBe("unresolved");
});

describe("an order in a file", () => {
  test("is there after the process has ended", async () => {
    const before = sqliteStore(file);
    await before.claim(ORDER, LEASE);
    await before.end(ORDER, createdAs());
    before.close();

    expect(await transactionOf(open())).toMatchObject({ transactionId: 4021 });
  });

  test("whose record nobody can read is not taken for a free one", async () => {
    const store = open();
    await store.claim(ORDER, LEASE);
    const database = new DatabaseSync(file);
    onTestFinished(() => database.close());

    for (const body of ["{}", "null", '{"state":"paid"}', "{", ""]) {
      database.prepare("UPDATE payments_orders SET body = ?").run(body);

      await expect(store.claim(by("b"), LEASE)).rejects.toThrow();
      await expect(
        store.settle("order-1", { id: 1, status: "refused", rawStatus: "refused", amount: 1990 }),
      ).rejects.toThrow();
    }
  });
});

test("a listing of several pages has every order once", async () => {
  const store = open();
  await store.claim(ORDER, LEASE);
  await store.end(ORDER, UNKNOWN);
  const database = new DatabaseSync(file);
  database.exec(`
    WITH RECURSIVE numbers (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1200)
    INSERT INTO payments_orders SELECT namespace, 'order-' || n, version, changed_at, is_open, body
    FROM payments_orders, numbers
  `);
  database.close();

  const found = await listed(store);

  expect(new Set(found.map(({ externalRef }) => externalRef)).size).toBe(1_200);
  expect(found).toHaveLength(1_200);
});
