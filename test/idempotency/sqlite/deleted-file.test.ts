import { copyFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { sqliteStore } from "payments-sdk/idempotency";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { byPix, merchantWithStore } from "../../resources/support/merchant-with-store.ts";
import { failureOf } from "../../support/merchant.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { attempt, createdAs, LEASE, listed, ORDER, stateOf, UNKNOWN } from "../support/orders.ts";

let file: string;
beforeEach(() => {
  file = join(temporaryFolder(), "store.db");
});

function open(path = file) {
  const store = sqliteStore(path);
  onTestFinished(() => store.close());
  return store;
}

function remove(): void {
  for (const end of ["", "-wal", "-shm"]) rmSync(file + end, { force: true });
}

function replaceByCopy(): void {
  copyFileSync(file, `${file}.copy`);
  renameSync(`${file}.copy`, file);
}

function createAgain(): void {
  remove();
  open();
}

test.each<[string, () => void, string]>([
  ["was deleted", remove, ""],
  ["was renamed", () => renameSync(file, `${file}.old`), ""],
  ["was replaced by a copy", replaceByCopy, ""],
  ["was created again by another process", createAgain, ""],
  ["lost its -wal file", () => rmSync(`${file}-wal`), "-wal"],
  ["lost its -shm file", () => rmSync(`${file}-shm`), "-shm"],
])(
  "if the file %s while the store was open, a create call fails before it is sent",
  async (_what, lose, end) => {
    const store = open();
    const { payments, arrivals } = await merchantWithStore(undefined, { store });
    await store.claim({ ...ORDER, externalRef: "order-2" }, LEASE);
    lose();

    const error = await failureOf(byPix(payments));

    expect(error).toMatchObject({ code: "idempotency_store_failed", outcome: "not_sent" });
    expect(error.message).toContain(
      `${file}${end} was deleted, renamed or replaced while the store was open`,
    );
    expect(arrivals).toEqual([]);
    const ended = store.end({ ...ORDER, externalRef: "order-2" }, createdAs());
    await expect(ended).rejects.toThrow("was deleted, renamed or replaced");
  },
);

test("a symbolic link that now points to another file is detected: other processes would open that one", async () => {
  const link = `${file}.link`;
  symlinkSync(file, link);
  const store = open(link);
  expect(await stateOf(store)).toBe("free");

  open(`${file}.next`);
  rmSync(link);
  symlinkSync(`${file}.next`, link);

  await expect(store.claim({ ...ORDER, externalRef: "order-2" }, LEASE)).rejects.toThrow("replaced");
});

test("the orders of a deleted file can still be listed", async () => {
  const store = open();
  await attempt(store, UNKNOWN);

  remove();

  expect(await listed(store)).toMatchObject([{ externalRef: "order-1" }]);
});

test("a file that was opened by a URI is watched", async () => {
  const store = open(`file:${file}?cache=private`);
  expect(await stateOf(store)).toBe("free");

  remove();

  await expect(store.claim({ ...ORDER, externalRef: "order-2" }, LEASE)).rejects.toThrow("was deleted");
});

test("a database in memory, and a runtime without node:fs, have no file to watch", async () => {
  expect(await stateOf(open(":memory:"))).toBe("free");

  const getBuiltinModule = process.getBuiltinModule;
  vi.spyOn(process, "getBuiltinModule").mockImplementation(((name: string) =>
    name === "node:fs" ? undefined : getBuiltinModule(name)) as typeof getBuiltinModule);
  expect(await stateOf(open())).toBe("free");
});
