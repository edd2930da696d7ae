import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sqliteStore } from "payments-sdk/idempotency";
import { describe, expect, onTestFinished, test } from "vitest";
import { SqliteLock } from "../../../src/idempotency/stores/sqlite-lock.ts";
import { byPix, merchantWithStore } from "../../resources/support/merchant-with-store.ts";
import { failureOf } from "../../support/merchant.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { attempt, LEASE, listed, ORDER, stateOf, UNKNOWN } from "../support/orders.ts";

/** A store whose file is locked by another connection. */
async function lockedStore() {
  const file = join(temporaryFolder(), "store.db");
  const store = sqliteStore(file);
  const other = new DatabaseSync(file);
  onTestFinished(() => {
    store.close();
    other.close();
  });
  await attempt(store, UNKNOWN, { ...ORDER, externalRef: "known" });
  other.exec("BEGIN IMMEDIATE");
  return { store, unlock: () => other.exec("COMMIT") };
}

describe("while another process holds the write lock", () => {
  test("claims wait, and run in order; reads run at once", async () => {
    const { store, unlock } = await lockedStore();
    const references = Array.from({ length: 20 }, (_, nth) => `order-${nth}`);
    const done: string[] = [];

    const claims = references.map(async (externalRef) => {
      await store.claim({ ...ORDER, externalRef, owner: externalRef }, LEASE);
      done.push(externalRef);
    });
    expect(await listed(store)).toMatchObject([{ externalRef: "known" }]);
    expect(await store.renew({ ...ORDER, externalRef: "known" }, LEASE)).toBe(false);
    expect(done).toEqual([]);
    unlock();
    await Promise.all(claims);

    expect(done).toEqual(references);
  });

  test("check() reports it once, within about a second", async () => {
    const { store, unlock } = await lockedStore();
    const start = performance.now();

    const problems = await store.check();

    expect(performance.now() - start).toBeLessThan(1_900);
    unlock();
    const message = expect.stringMatching(/Another process has held the write lock/);
    expect(problems).toEqual([{ level: "error", message }]);
  });

  test("a create call whose timeout ends is not sent, and the order stays free", async () => {
    const { store, unlock } = await lockedStore();
    const { payments, arrivals } = await merchantWithStore(undefined, { store, timeout: 50 });

    const error = await failureOf(byPix(payments));

    expect(error).toMatchObject({ code: "idempotency_store_failed", outcome: "not_sent" });
    expect(error.message).toMatch(/within 50 ms: Another process has held the write lock of .*store\.db for/);
    expect(arrivals).toEqual([]);
    unlock();
    expect(await stateOf(store)).toBe("free");
  });
});

const BUSY = 5;
const BUSY_RECOVERY = 261;
const BUSY_SNAPSHOT = 517;
const FULL = 13;

/** A statement that fails with each of these codes of SQLite, and then succeeds. */
function failingWith(...codes: number[]) {
  return () => {
    const errcode = codes.shift();
    if (errcode !== undefined) throw Object.assign(new Error("from SQLite"), { errcode });
    return "done";
  };
}

const newLock = () => new SqliteLock("/data/store.db");

describe.each(["read", "write"] as const)("a %s", (kind) => {
  test.each([BUSY, BUSY_RECOVERY, BUSY_SNAPSHOT])("is tried again after code %d", async (code) => {
    expect(await newLock()[kind](failingWith(code, code, code))).toBe("done");
  });

  test("fails with every other error, and lets the next one run", async () => {
    const lock = newLock();

    const failed = lock[kind](failingWith(BUSY, FULL));
    const next = lock.write(() => "next");

    await expect(failed).rejects.toThrow("from SQLite");
    expect(await next).toBe("next");
  });
});
