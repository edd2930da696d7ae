import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type PaymentsStore, redisStore, sqliteStore } from "payments-sdk/idempotency";
import { expect, onTestFinished, test } from "vitest";
import { missingRedis } from "../support/redis-server.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { nodeRedis } from "./redis/support/clients.ts";
import { aRedis } from "./redis/support/servers.ts";
import { attempt, ORDER, UNKNOWN } from "./support/orders.ts";

const REFERENCES = ["order-1", "order-2", "order-3"] as const;

async function leaveUnresolved(store: PaymentsStore): Promise<void> {
  for (const externalRef of REFERENCES) await attempt(store, UNKNOWN, { ...ORDER, externalRef });
}

/** What is listed before it fails, and why it does. */
async function listedBefore(store: PaymentsStore): Promise<{ references: string[]; message: string }> {
  const references: string[] = [];
  try {
    for await (const { externalRef } of store.unresolved()) references.push(externalRef);
  } catch (error) {
    return { references: references.sort(), message: (error as Error).message };
  }
  return expect.unreachable("it was to fail in the end");
}

test("what nobody can read in a file is named, after all others were listed", async () => {
  const file = join(temporaryFolder(), "store.db");
  const store = sqliteStore(file);
  onTestFinished(() => store.close());
  await leaveUnresolved(store);
  const database = new DatabaseSync(file);
  database.exec("UPDATE payments_orders SET body = '{' WHERE key = 'order-1'");
  database.close();

  const { references, message } = await listedBefore(store);

  expect(references).toEqual(["order-2", "order-3"]);
  expect(message).toContain("order-1");
});

test.skipIf(missingRedis !== undefined)(
  "what nobody can read in Redis is named, after all others were listed",
  async () => {
    const client = await nodeRedis(await aRedis());
    const store = redisStore(client);
    await leaveUnresolved(store);
    for (let n = 0; n < 20; n += 1) await client.set(`payments:default:order:foreign-${n}`, "hello");

    const { references, message } = await listedBefore(store);

    expect(references).toEqual([...REFERENCES]);
    expect(message).toContain("payments:default:order:foreign-");
  },
);
