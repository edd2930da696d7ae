import { join } from "node:path";
import { type Claim, sqliteStore } from "payments-sdk/idempotency";
import { expect, onTestFinished, test } from "vitest";
import { run } from "../support/running.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import type { Told } from "./disk/fills-a-disk.ts";

/** A process that may write files of so many blocks of 512 bytes only: to it, the disk is full. */
const LIMIT = "ulimit -f 300; exec node";
const ORDERS = 30;

async function withFullDisk(path: string): Promise<Told[]> {
  const script = join(import.meta.dirname, "disk/fills-a-disk.ts");
  const running = run("sh", ["-c", `${LIMIT} "$@"`, "sh", script, path, String(ORDERS)]);
  onTestFinished(running.kill);
  expect(await running.ended, running.stderr()).toBe(0);
  return running
    .stdout()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Told);
}

test("a full disk stops creates before they are sent, and hides none that was", async () => {
  const path = join(temporaryFolder(), "payments.db");

  const told = await withFullDisk(path);

  expect(told).toHaveLength(ORDERS);
  const [recorded, unrecorded, stopped] = [
    told.filter(({ isSent, events }) => isSent && events.length === 0),
    told.filter(({ isSent, events }) => isSent && events.length > 0),
    told.filter(({ isSent }) => !isSent),
  ];
  // Each of the three has to come about, or nothing would be shown.
  expect([recorded, unrecorded, stopped].map(({ length }) => length > 0)).toEqual([true, true, true]);
  expect(new Set([...recorded, ...unrecorded].map(({ outcome }) => outcome))).toEqual(new Set(["created"]));
  for (const { events } of unrecorded) expect(events).toEqual(["idempotency_store_failed created"]);
  for (const { outcome, events } of stopped) {
    expect([outcome, ...events]).toEqual(["not_sent", "idempotency_store_failed not_sent"]);
  }
});

test("when there is room again, nothing that was sent is sent again", async () => {
  const path = join(temporaryFolder(), "payments.db");
  const told = await withFullDisk(path);
  const store = sqliteStore(path);
  onTestFinished(() => store.close());

  const states: Record<string, Claim["state"]> = {};
  for (const { externalRef } of told) {
    const order = { externalRef, amount: 1990, paymentMethod: "pix", owner: "later" } as const;
    states[externalRef] = (await store.claim(order, 60_000)).state;
  }

  const expected = told.map(({ externalRef, isSent, events }) => {
    const sent = events.length === 0 ? "created" : "claimed";
    return [externalRef, isSent ? sent : "yours"];
  });
  expect(states).toEqual(Object.fromEntries(expected));
});
