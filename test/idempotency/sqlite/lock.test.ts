import { describe, expect, test } from "vitest";
import { SqliteLock } from "../../../src/idempotency/sqlite-lock.ts";

/** Errors of SQLite that cannot be brought about at will. */

const BUSY = 5;
const BUSY_RECOVERY = 261;
const BUSY_SNAPSHOT = 517;
const FULL = 13;

const sqliteError = (errcode: number) => Object.assign(new Error("from SQLite"), { errcode });

/** A statement that fails with each of these codes, and then succeeds. */
function failingWith(...codes: number[]) {
  return () => {
    const code = codes.shift();
    if (code !== undefined) throw sqliteError(code);
    return "done";
  };
}

const newLock = () => new SqliteLock("/data/store.db");
const always = (code: number) => failingWith(...Array<number>(10_000).fill(code));

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

  test("that waits keeps no other waiting once its signal is aborted", async () => {
    const lock = newLock();
    const controller = new AbortController();
    const first = lock[kind](always(BUSY), controller.signal);
    const next = lock.write(() => "next");

    controller.abort(new Error("the call ended"));

    await expect(first).rejects.toThrow(
      /^Another process has held the write lock of \/data\/store\.db for \d+ ms\.$/,
    );
    expect(await next).toBe("next");
  });

  test("whose signal is aborted before it waits is tried once", async () => {
    await expect(newLock()[kind](failingWith(BUSY), AbortSignal.abort())).rejects.toThrow("Another process");
  });
});

describe("a cleanup", () => {
  test.each([BUSY, FULL])("that fails with code %d is left for later", (code) => {
    expect(() => newLock().tryNow(failingWith(code))).not.toThrow();
  });

  test("does not run while others wait", async () => {
    const lock = newLock();
    let count = 0;
    const waiting = lock.write(failingWith(BUSY));

    lock.tryNow(() => {
      count += 1;
    });

    expect(count).toBe(0);
    await waiting;
    lock.tryNow(() => {
      count += 1;
    });
    expect(count).toBe(1);
  });
});

test("the time for which the file was locked begins anew after each success", async () => {
  const lock = newLock();
  await expect(lock.write(always(BUSY), AbortSignal.timeout(200))).rejects.toThrow();
  await lock.write(() => "done");
  await new Promise((resolve) => setTimeout(resolve, 300));

  const error = await lock.write(always(BUSY), AbortSignal.timeout(50)).catch((caught: Error) => caught);

  const [, ms] = /for (\d+) ms/.exec(String(error)) ?? [];
  expect(Number(ms)).toBeLessThan(300);
});
