import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ConfigurationError, type StoreOptions, sqliteStore } from "payments-sdk/idempotency";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { thrownBy } from "../support/merchant.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

function open(options?: StoreOptions) {
  const store = sqliteStore(join(folder, "store.db"), options);
  onTestFinished(() => store.close());
  return store;
}

const KEY = {
  trust: "signed",
  externalRef: "order-1",
  id: 81_001,
  rawStatus: "approved",
  amount: 1990,
} as const;

async function handle(store: ReturnType<typeof sqliteStore>) {
  const { state } = await store.claimPostback(KEY, "a", 60_000);
  await store.confirmPostback(KEY, "a");
  return state;
}

describe("a SQLite store", () => {
  test("makes the file that it needs", () => {
    open();

    expect(existsSync(join(folder, "store.db"))).toBe(true);
  });

  test("remembers after it was closed", async () => {
    const before = sqliteStore(join(folder, "store.db"));
    await handle(before);
    before.close();

    expect(await handle(open())).toBe("done");
  });

  test("shares a file with others that are open", async () => {
    const [one, other] = [open(), open()];
    await one.claimPostback(KEY, "a", 60_000);

    expect(await other.claimPostback(KEY, "b", 60_000)).toMatchObject({ state: "busy" });
    await one.confirmPostback(KEY, "a");
    expect(await other.claimPostback(KEY, "b", 60_000)).toEqual({ state: "done" });
  });

  test("keeps namespaces apart", async () => {
    await handle(open({ namespace: "shop-1" }));

    expect(await handle(open({ namespace: "shop-2" }))).toBe("claimed");
    expect(await handle(open({ namespace: "shop-1" }))).toBe("done");
  });

  test("survives a power cut: a confirmed postback is on the disk", () => {
    open();

    const database = new DatabaseSync(join(folder, "store.db"));
    onTestFinished(() => database.close());
    expect(database.prepare("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
  });

  test("does not believe a lease of a clock that was years ahead", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const store = open();
    const now = Date.now();
    vi.setSystemTime(now + 10 * 365 * 86_400_000);
    await store.claimPostback(KEY, "a process that died", 10_000);

    vi.setSystemTime(now);

    expect(await store.claimPostback(KEY, "b", 10_000)).toMatchObject({ state: "busy", isOverdue: true });
    vi.setSystemTime(now + 5_000);
    expect(await store.claimPostback(KEY, "b", 10_000)).toMatchObject({ state: "claimed" });
  });

  test("says what is wrong with the file, and works again once that is mended", async () => {
    const store = open();
    const database = new DatabaseSync(join(folder, "store.db"));
    onTestFinished(() => database.close());
    database.exec("ALTER TABLE payments_postbacks RENAME TO elsewhere");

    await expect(store.claimPostback(KEY, "a", 1_000)).rejects.toThrow("no such table: payments_postbacks");

    database.exec("ALTER TABLE elsewhere RENAME TO payments_postbacks");
    expect(await handle(store)).toBe("claimed");
  });

  test("forgets what is older than its retention, when it is opened anew", async () => {
    const now = Date.now();
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    await handle(open());
    const days = (count: number) => now + count * 86_400_000;

    vi.setSystemTime(days(399));
    expect(await handle(open())).toBe("done");
    vi.setSystemTime(days(401));
    expect(await handle(open({ retentionDays: 500 }))).toBe("done");
    expect(await handle(open())).toBe("claimed");
  });
});

describe("a database that is gone after a restart gives a warning", () => {
  test.each([
    [":memory:", true],
    ["file::memory:", true],
    ["file::memory:?cache=shared", true],
    ["file:%3Amemory%3A", true],
    ["file:orders?mode=memory", true],
    ["file:orders?cache=shared&mode=memory", true],
    ["file:orders?vfs=memdb", true],
    ["file:FOLDER/store.db?vfs=memdb", true],
    ["file:", true], // a temporary file, which SQLite deletes
    ["file:?cache=shared", true],
    ["FOLDER/store.db", false],
    ["FOLDER/:memory:", false],
    ["FOLDER/mode=memory", false],
    ["file:FOLDER/store.db", false],
    ["file:FOLDER/store.db?mode=rwc", false],
    ["file:FOLDER/mode=memory.db", false],
    ["file:FOLDER/store.db#mode=memory", false],
  ])("%s: %s", (path, hasWarning) => {
    const store = sqliteStore(path.replace("FOLDER", folder));
    onTestFinished(() => store.close());

    expect(store.warning !== undefined).toBe(hasWarning);
  });
});

describe("what cannot work is refused", () => {
  test.each<[string, string, object, string]>([
    ["no path", "", {}, "path must be the name of a file."],
    ["an empty namespace", "x.db", { namespace: "" }, "namespace must be a string that is not empty."],
    ["a retention of nothing", "x.db", { retentionDays: 0 }, "retentionDays must be a number above zero."],
    ["an unknown option", "x.db", { retention: 1 }, "retention is not an option"],
  ])("%s", (_what, path, options, message) => {
    const error = thrownBy(() => sqliteStore(path && join(folder, path), options));

    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error.message).toContain(message);
  });

  test("a runtime without node:sqlite", () => {
    vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined as never);

    expect(thrownBy(() => sqliteStore(join(folder, "x.db"))).message).toContain(
      "sqliteStore needs node:sqlite",
    );
  });

  test("a file that is no database", () => {
    writeFileSync(join(folder, "x.db"), "x".repeat(5_000));

    expect(() => sqliteStore(join(folder, "x.db"))).toThrow("file is not a database");
  });
});
