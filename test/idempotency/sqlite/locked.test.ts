import { join } from "node:path";
import { type PaymentsStore, sqliteStore } from "payments-sdk/idempotency";
import { createGateway } from "payments-sdk/sandbox";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { aPix, failureOf, merchantAt } from "../../support/merchant.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { createdAs, LEASE, listed, ORDER, stateOf, UNKNOWN } from "../support/orders.ts";
import { lockFor, startProcess } from "./support/other-process.ts";
import { longestStall } from "./support/stall.ts";

const HELD_MS = 2_000;

/** Far less than the lock is held, and more than a busy machine stands still by itself. */
const STALL_MS = 800;

let file: string;
beforeEach(() => {
  file = join(temporaryFolder(), "store.db");
});

function open() {
  const store = sqliteStore(file);
  onTestFinished(() => store.close());
  return store;
}

function shop(store: PaymentsStore, timeout = 20_000) {
  const { baseUrl, secretKey, publicKey, fetch } = createGateway();
  const send = (url: string, init: RequestInit) => fetch(new Request(url, init));
  return merchantAt(baseUrl, { secretKey, publicKey, fetch: send, idempotency: store, timeout }).payments
    .transactions;
}

const references = (count: number) => Array.from({ length: count }, (_, index) => `order-${index}`);

test("creates wait for the write lock of another process, and the event loop goes on", async () => {
  const store = open();
  const transactions = shop(store);
  await lockFor(file, HELD_MS);

  let ends: PromiseSettledResult<unknown>[] = [];
  const stall = await longestStall(async () => {
    const creates = references(10).map((externalRef) => transactions.createPix(aPix({ externalRef })));
    ends = await Promise.allSettled(creates);
  });

  expect(ends.map(({ status }) => status)).toEqual(ends.map(() => "fulfilled"));
  expect(stall).toBeLessThan(STALL_MS);
});

test("a create whose deadline passes meanwhile is not sent, and the reference stays free", async () => {
  const store = open();
  await lockFor(file, HELD_MS);

  const error = await failureOf(shop(store, 500).createPix(aPix()));

  expect(error).toMatchObject({ code: "idempotency_store_failed", outcome: "not_sent" });
  expect(error.message).toMatch(
    /within 500 ms: Another process has held the write lock of .*store\.db for \d+ ms\./,
  );
  expect(await stateOf(store)).toBe("free");
});

test("an operation whose signal is aborted gives up at once, and says how long the file was locked", async () => {
  const store = open();
  await lockFor(file, HELD_MS);
  const [start, signals] = [performance.now(), references(20).map(() => AbortSignal.timeout(300))];

  const claims = signals.map((signal, index) => {
    return store.claim({ ...ORDER, externalRef: `order-${index}`, owner: `${index}` }, LEASE, { signal });
  });
  const ends = await Promise.allSettled(claims);

  expect(performance.now() - start).toBeLessThan(HELD_MS);
  for (const end of ends) {
    expect(end).toMatchObject({ status: "rejected", reason: { cause: { name: "TimeoutError" } } });
    expect(String((end as PromiseRejectedResult).reason)).toMatch(
      /^Error: Another process has held the write lock of .*store\.db for \d+ ms\.$/,
    );
  }
});

test("operations that wait are carried out in the order in which they came", async () => {
  const store = open();
  await lockFor(file, 500);
  const done: string[] = [];

  const operations = references(50).map(async (externalRef) => {
    await store.claim({ ...ORDER, externalRef, owner: externalRef }, LEASE);
    done.push(externalRef);
  });
  await Promise.all(operations);

  expect(done).toEqual(references(50));
});

test("a thousand operations that wait keep the process no busier than one", async () => {
  const store = open();
  await store.claim(ORDER, LEASE);
  const other = startProcess(
    file,
    `database.exec("BEGIN IMMEDIATE"); say("locked"); heard(); database.exec("COMMIT")`,
  );
  await other.said();

  const claims = references(1_000).map((externalRef) => {
    return store.claim({ ...ORDER, externalRef, owner: externalRef }, LEASE);
  });
  const before = process.cpuUsage();
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const { user, system } = process.cpuUsage(before);
  other.goOn();
  await Promise.all(claims);

  expect((user + system) / 1_000).toBeLessThan(500);
});

test("while another process holds the lock, what is only read is read at once", async () => {
  const store = open();
  await store.claim(ORDER, LEASE);
  await store.end(ORDER, UNKNOWN);
  await lockFor(file, HELD_MS);
  const start = performance.now();

  expect(await listed(store)).toMatchObject([{ externalRef: "order-1" }]);
  expect(await store.renew(ORDER, LEASE)).toBe(false);

  expect(performance.now() - start).toBeLessThan(HELD_MS / 2);
});

test("a process that is killed while it writes leaves no lock, and nothing half written", async () => {
  const store = open();
  const script = `
    database.exec("BEGIN IMMEDIATE; UPDATE payments_orders SET body = 'half'; DELETE FROM payments_orders"); say("wrote"); heard()
  `;
  await store.claim(ORDER, LEASE);
  const other = startProcess(file, script);
  await other.said();

  const end = store.end(ORDER, createdAs());
  await other.kill();
  await end;

  expect(await stateOf(store)).toBe("created");
});

test("a store is opened at once while another process writes", async () => {
  open();
  await lockFor(file, HELD_MS);
  const start = performance.now();

  open();

  expect(performance.now() - start).toBeLessThan(HELD_MS / 2);
});

test("a new file that another process keeps locked fails to open after two seconds, with the reason", async () => {
  await lockFor(file, 2 * HELD_MS);
  const start = performance.now();

  expect(open).toThrow(/^Another process has held the write lock of .*store\.db for 2\d{3} ms\.$/);

  expect(performance.now() - start).toBeLessThan(2_000 + STALL_MS);
});
