import { statSync } from "node:fs";
import { join } from "node:path";
import { sqliteStore } from "payments-sdk/idempotency";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { createdAs, LEASE, ORDER } from "../support/orders.ts";
import { startProcess } from "./support/other-process.ts";

const READS = `
  database.exec("BEGIN");
  database.prepare("SELECT count(*) FROM payments_orders").get();
  say("reading");
  heard();
  database.exec("COMMIT");
  say("done");
`;

/** About 11 MB of changes. */
const CREATES = 500;

test("a reader of another process stops nothing, and the -wal file shrinks once it has ended", async () => {
  const file = join(temporaryFolder(), "store.db");
  const store = sqliteStore(file);
  onTestFinished(() => store.close());
  const create = async (number: number) => {
    const order = { ...ORDER, externalRef: `order-${number}`, owner: `${number}` };
    expect(await store.claim(order, LEASE)).toEqual({ state: "yours" });
    await store.end(order, createdAs());
  };
  const reader = startProcess(file, READS);
  await reader.said();

  for (let number = 0; number < CREATES; number += 1) await create(number);
  const grown = statSync(`${file}-wal`).size;
  reader.goOn();
  await reader.said();
  await create(CREATES);

  expect(grown).toBeGreaterThan(8_000_000);
  expect(statSync(`${file}-wal`).size).toBeLessThanOrEqual(8_000_000);
});
