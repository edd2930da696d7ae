import { copyFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { type PaymentsStore, sqliteStore } from "payments-sdk/idempotency";
import { createGateway } from "payments-sdk/sandbox";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { aPix, failureOf, merchantAt } from "../../support/merchant.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { createdAs, LEASE, listed, ORDER, stateOf, UNKNOWN } from "../support/orders.ts";

let file: string;
beforeEach(() => {
  file = join(temporaryFolder(), "store.db");
});

function open(path = file) {
  const store = sqliteStore(path);
  onTestFinished(() => store.close());
  return store;
}

function shop(store: PaymentsStore) {
  const { baseUrl, secretKey, publicKey, fetch, ...gateway } = createGateway();
  const send = (url: string, init: RequestInit) => fetch(new Request(url, init));
  const { payments } = merchantAt(baseUrl, { secretKey, publicKey, fetch: send, idempotency: store });
  return { transactions: payments.transactions, chargesFor: gateway.chargesFor };
}

const LOST = {
  "was deleted": () => {
    for (const end of ["", "-wal", "-shm"]) rmSync(file + end, { force: true });
  },
  "was renamed": () => renameSync(file, `${file}.old`),
  "was replaced by a copy": () => {
    copyFileSync(file, `${file}.copy`);
    renameSync(`${file}.copy`, file);
  },
  "was made anew by another process": () => {
    for (const end of ["", "-wal", "-shm"]) rmSync(file + end, { force: true });
    open();
  },
};

describe.each(Object.entries(LOST))("while the store was open, its file %s", (_what, lose) => {
  test("a create fails before it is sent", async () => {
    const { transactions, chargesFor } = shop(open());
    await transactions.createPix(aPix());
    lose();

    const error = await failureOf(transactions.createPix(aPix({ externalRef: "order-2" })));

    expect(error).toMatchObject({ code: "idempotency_store_failed", outcome: "not_sent" });
    expect(error.message).toContain(`${file} was deleted, renamed or replaced while the store was open`);
    expect(chargesFor("order-2")).toEqual([]);
  });

  test("the end of a create is not written where nobody reads it", async () => {
    const store = open();
    await store.claim(ORDER, LEASE);
    lose();

    await expect(store.end(ORDER, createdAs())).rejects.toThrow("was deleted, renamed or replaced");
  });
});

describe.each(["-wal", "-shm"])("while the store was open, its %s file was deleted", (end) => {
  test("a create fails before it is sent: another process would not see its claim", async () => {
    const { transactions, chargesFor } = shop(open());
    await transactions.createPix(aPix());
    rmSync(file + end);

    const error = await failureOf(transactions.createPix(aPix({ externalRef: "order-2" })));

    expect(error).toMatchObject({ code: "idempotency_store_failed", outcome: "not_sent" });
    expect(error.message).toContain(
      `${file}${end} was deleted, renamed or replaced while the store was open`,
    );
    expect(chargesFor("order-2")).toEqual([]);
  });
});

test("a symbolic link that leads to another file is noticed: other processes would open that one", async () => {
  const link = `${file}.link`;
  symlinkSync(file, link);
  const store = open(link);
  expect(await stateOf(store)).toBe("free");

  open(`${file}.next`);
  rmSync(link);
  symlinkSync(`${file}.next`, link);

  await expect(store.claim({ ...ORDER, externalRef: "order-2" }, LEASE)).rejects.toThrow("replaced");
});

test("once a renamed file is back, the store works again", async () => {
  const store = open();
  await store.claim(ORDER, LEASE);
  renameSync(file, `${file}.old`);
  await expect(store.end(ORDER, createdAs())).rejects.toThrow();

  renameSync(`${file}.old`, file);
  await store.end(ORDER, createdAs());

  expect(await stateOf(store)).toBe("created");
});

test("what a deleted file holds can still be listed", async () => {
  const store = open();
  await store.claim(ORDER, LEASE);
  await store.end(ORDER, UNKNOWN);

  LOST["was deleted"]();

  expect(await listed(store)).toMatchObject([{ externalRef: "order-1" }]);
});

test("a file that was opened by a URI is watched, too", async () => {
  const store = open(`file:${file}?cache=private`);
  expect(await stateOf(store)).toBe("free");

  LOST["was deleted"]();

  await expect(store.claim({ ...ORDER, externalRef: "order-2" }, LEASE)).rejects.toThrow("was deleted");
});

test.each([":memory:", "file:orders?mode=memory"])("%s has no file that could be lost", async (path) => {
  expect(await stateOf(open(path))).toBe("free");
});

test("a runtime without node:fs does not notice it, and works", async () => {
  const getBuiltinModule = process.getBuiltinModule;
  vi.spyOn(process, "getBuiltinModule").mockImplementation(((name: string) =>
    name === "node:fs" ? undefined : getBuiltinModule(name)) as typeof getBuiltinModule);
  const store = open();

  expect(await stateOf(store)).toBe("free");
});
