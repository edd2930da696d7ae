import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, statSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { sqliteStore } from "payments-sdk/idempotency";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { attempt, createdAs, LEASE, ORDER } from "../idempotency/support/orders.ts";
import { byPix, merchantWithStore } from "../resources/support/merchant-with-store.ts";
import { run } from "../support/running.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** SQLite with several processes, and with users without permission to write. */

const HELD_MS = 2_000;

let folder: string;
let file: string;
beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, "store.db");
});

function open() {
  const store = sqliteStore(file);
  onTestFinished(() => store.close());
  return store;
}

const PRELUDE = `
  const { readSync, writeSync } = require("node:fs");
  const { DatabaseSync } = require("node:sqlite");
  const database = new DatabaseSync(process.argv[1]);
  const print = (text) => writeSync(1, text + "\\n");
  const waitForInput = () => readSync(0, Buffer.alloc(1));
  const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
`;

/** Another process with the file; resolves when its script prints its first line. */
async function otherProcess(script: string) {
  const child = spawn(process.execPath, ["--no-warnings", "-e", PRELUDE + script, file], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const kill = async () => {
    child.kill("SIGKILL");
    await ended;
  };
  onTestFinished(kill);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await lines.next();
  return { kill, resume: () => void child.stdin.write("."), nextLine: () => lines.next() };
}

const lockFor = (ms: number) =>
  otherProcess(`database.exec("BEGIN IMMEDIATE"); print("locked"); sleep(${ms}); database.exec("COMMIT")`);

test("while another process writes, a store is opened at once, create calls wait, and the event loop runs", async () => {
  open();
  await lockFor(HELD_MS);
  let [longest, last] = [0, performance.now()];
  const measure = () => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  };
  const timer = setInterval(measure, 20);

  const { payments } = await merchantWithStore(undefined, { store: open(), timeout: 20_000 });
  measure();
  const { status } = await byPix(payments);

  clearInterval(timer);
  expect(status).toBe("pending");
  expect(longest).toBeLessThan(HELD_MS / 2);
});

test("a thousand waiting operations use as little CPU as one", async () => {
  const store = open();
  const other = await otherProcess(
    `database.exec("BEGIN IMMEDIATE"); print("locked"); waitForInput(); database.exec("COMMIT")`,
  );

  const claims = Array.from({ length: 1_000 }, (_, nth) =>
    store.claim({ ...ORDER, externalRef: `order-${nth}`, owner: `${nth}` }, LEASE),
  );
  const before = process.cpuUsage();
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const { user, system } = process.cpuUsage(before);
  other.resume();
  await Promise.all(claims);

  expect((user + system) / 1_000).toBeLessThan(500);
});

test("a new file that another process keeps locked fails to open after two seconds, with the reason", async () => {
  await lockFor(2 * HELD_MS);

  expect(open).toThrow(/store\.db cannot be opened: another process has held its write lock for 2\d{3} ms\./);
});

const ROUNDS = 20;

/** Opens a new file in every round, in the same millisecond as the other process. */
const OPENS_FILES = `
  import { sqliteStore } from "payments-sdk/idempotency";
  const [folder, start] = process.argv.slice(1);
  for (let round = 0; round < ${ROUNDS}; round += 1) {
    while (Date.now() < Number(start) + round * 50);
    sqliteStore(folder + "/" + round + ".db").close();
  }
  console.log("opened all");
`;

test("a new file may be opened by several processes in the same millisecond", async () => {
  const start = String(Date.now() + 1_500);
  const processes = [1, 2, 3].map(() =>
    run("node", ["--input-type=module", "-e", OPENS_FILES, folder, start]),
  );
  onTestFinished(() => {
    for (const { kill } of processes) kill();
  });

  const ends = await Promise.all(processes.map(({ ended }) => ended));

  expect(processes.map(({ stderr }) => stderr()).join("")).toBe("");
  expect(ends).toEqual([0, 0, 0]);
});

test("a reader of another process does not block writes, and the -wal file shrinks once it has ended", async () => {
  const store = open();
  const reader = await otherProcess(`
    database.exec("BEGIN");
    database.prepare("SELECT count(*) FROM payments_orders").get();
    print("reading");
    waitForInput();
    database.exec("COMMIT");
    print("done");
  `);
  const create = (nth: number) => attempt(store, createdAs(), { ...ORDER, externalRef: `order-${nth}` });

  for (let nth = 0; nth < 1_500; nth += 1) await create(nth);
  const grown = statSync(`${file}-wal`).size;
  reader.resume();
  await reader.nextLine();
  await create(1_500);

  expect(grown).toBeGreaterThan(8_000_000);
  expect(statSync(`${file}-wal`).size).toBeLessThanOrEqual(8_000_000);
});

describe("a user who may not write", () => {
  const SOURCE = new URL("../../src/idempotency.ts", import.meta.url).href;

  /** Not root, which ignores permissions. */
  const WITHOUT_ROOT = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

  const OPENS = `
    const { sqliteStore } = await import(${JSON.stringify(SOURCE)});
    try {
      sqliteStore(process.argv[1]);
      console.log("opened");
    } catch (error) {
      console.log(error.name + ": " + error.message);
    }
  `;

  test.each([
    ["a file that cannot be written", 0o444, 0o777, "it is read-only"],
    ["a file in a folder that cannot be written", 0o666, 0o555, ""],
    ["a file that cannot be read", 0o000, 0o755, "Change their permissions"],
  ])("is refused when the store is opened: %s", async (_what, fileMode, folderMode, reason) => {
    sqliteStore(file).close();
    chmodSync(file, fileMode);
    chmodSync(folder, folderMode);
    const args = ["--no-warnings", "--input-type=module", "-e", OPENS, file];

    const { stdout } = await promisify(execFile)(process.execPath, args, WITHOUT_ROOT);

    expect(stdout).toContain("ConfigurationError: The SQLite file ");
    expect(stdout).toContain(reason);
  });
});
