import { join } from "node:path";
import { type Claim, sqliteStore } from "payments-sdk/idempotency";
import { expect, onTestFinished, test } from "vitest";
import { run } from "../support/running.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import type { Result } from "./support/fills-a-disk.ts";

/** A process that may write files of so many blocks of 512 bytes only: to it, the disk is full. */
const LIMIT = "ulimit -f 300; exec node";
const ORDERS = 30;

test("a full disk stops create calls before they are sent, and no request is sent twice", async () => {
  const path = join(temporaryFolder(), "payments.db");

  const results = await createOnFullDisk(path);

  expect(results).toHaveLength(ORDERS);
  const [recorded, unrecorded, stopped] = [
    results.filter(({ isSent, events }) => isSent && events.length === 0),
    results.filter(({ isSent, events }) => isSent && events.length > 0),
    results.filter(({ isSent }) => !isSent),
  ];
  // Without all three the test would prove nothing.
  expect([recorded, unrecorded, stopped].map(({ length }) => length > 0)).toEqual([true, true, true]);
  expect(new Set([...recorded, ...unrecorded].map(({ outcome }) => outcome))).toEqual(new Set(["created"]));
  for (const { events } of unrecorded) expect(events).toEqual(["idempotency_store_failed created"]);
  for (const { outcome, events } of stopped) {
    expect([outcome, ...events]).toEqual(["not_sent", "idempotency_store_failed not_sent"]);
  }

  const expected = results.map(({ externalRef, isSent, events }) => {
    const sent = events.length === 0 ? "created" : "claimed";
    return [externalRef, isSent ? sent : "yours"];
  });
  expect(await claimAll(path, results)).toEqual(Object.fromEntries(expected));
});

async function createOnFullDisk(path: string): Promise<Result[]> {
  const script = join(import.meta.dirname, "support/fills-a-disk.ts");
  const running = run("sh", ["-c", `${LIMIT} "$@"`, "sh", script, path, String(ORDERS)]);
  onTestFinished(running.kill);
  expect(await running.ended, running.stderr()).toBe(0);
  const lines = running.stdout().trim().split("\n");
  return lines.map((line) => JSON.parse(line));
}

/** The claims of another process, once the disk has room again. */
async function claimAll(path: string, results: readonly Result[]): Promise<Record<string, Claim["state"]>> {
  const store = sqliteStore(path);
  onTestFinished(() => store.close());
  const states: Record<string, Claim["state"]> = {};
  for (const { externalRef } of results) {
    const order = { externalRef, amount: 1990, paymentMethod: "pix", owner: "later" } as const;
    states[externalRef] = (await store.claim(order, 60_000)).state;
  }
  return states;
}
