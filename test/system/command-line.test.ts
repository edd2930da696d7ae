import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sqliteStore } from "payments-sdk/idempotency";
import { expect, onTestFinished, test } from "vitest";
import { type Running, root, run } from "../support/running.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** The `payments` command as a process. What its commands do is tested in test/cli. */
function payments(...args: readonly string[]): Running {
  const running = run("node", [join(root, "dist/payments.js"), ...args]);
  onTestFinished(running.kill);
  return running;
}

test.each(["SIGINT", "SIGTERM"] as const)("%s stops it, even while a client is connected", async (signal) => {
  const running = payments("sandbox", "--port", "0");
  const [, baseUrl = ""] = await running.printed(/PAYMENTS_BASE_URL=(.+)\n[\s\S]+Press Ctrl-C to stop\.\n/);
  const stream = await fetch(`${baseUrl}/sandbox/events`);

  running.signal(signal);

  expect(await running.ended).toBe(0);
  expect(running.stdout()).toMatch(/Press Ctrl-C to stop\.\n\nStopped\. Nothing was saved\.\n$/);
  expect(running.stderr()).toBe("");
  await expect(stream.text()).rejects.toThrow();
});

test("it exits without an error if its output is closed", async () => {
  const running = payments("sandbox", "--port", "0");
  running.stopReading();

  expect(await running.ended).toBe(0);
  expect(running.stderr()).toBe("");
});

test("it exits without an error, and closes its database, if the reader of a long list has enough", async () => {
  const folder = temporaryFolder();
  const path = join(folder, "payments.db");
  const store = sqliteStore(path);
  const order = { externalRef: "order-1", amount: 1990, paymentMethod: "pix", owner: "1" } as const;
  await store.claim(order, 60_000);
  store.close();
  const database = new DatabaseSync(path);
  database.exec(`
    WITH RECURSIVE n(x) AS (SELECT 2 UNION ALL SELECT x + 1 FROM n WHERE x < 50000)
    INSERT INTO payments_orders SELECT namespace, 'order-' || x, version, changed_at, is_open, body FROM payments_orders, n
  `);
  database.close();

  const running = payments("orders", "list", "--store", path);
  await running.printed(/order-1\t/);
  running.stopReading();

  expect(await running.ended).toBe(0);
  expect(running.stderr()).toBe("");
  expect(readdirSync(folder)).toEqual(["payments.db"]);
});

test("--version prints the version of the package", async () => {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  const running = payments("--version");

  expect(await running.ended).toBe(0);
  expect(running.stdout()).toBe(`${version}\n`);
});
