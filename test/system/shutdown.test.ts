import { join } from "node:path";
import { type PaymentsStore, postgresStore, sqliteStore } from "payments-sdk/idempotency";
import { expect, onTestFinished, test } from "vitest";
import { newSchema } from "../idempotency/support/postgres.ts";
import { aGate, type Reply, startServer } from "../support/http-server.ts";
import { sharedPostgres } from "../support/postgres-server.ts";
import { root, run } from "../support/running.ts";
import { created } from "../support/service-responses.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import type { ShopSettings } from "./support/creates-until-sigterm.ts";

const CALLS = 160;

interface ShopDatabase {
  readonly address: ShopSettings["database"];
  readonly store: PaymentsStore;
}

async function inSqlite(): Promise<ShopDatabase> {
  const address = join(temporaryFolder(), "store.db");
  const store = sqliteStore(address);
  onTestFinished(store.close);
  return { address, store };
}

async function inPostgres(): Promise<ShopDatabase> {
  const [{ address }, schema] = [await sharedPostgres(), await newSchema()];
  const pool = await schema.pool();
  const store = postgresStore(pool);
  await store.migrate();
  return { address: { ...address, options: `-c search_path=${schema.name}`, max: 5 }, store };
}

/** A process with many create calls in flight, and the service, which responds when the gate is open. */
async function startShop({ address }: ShopDatabase, timeout: number) {
  const gate = aGate();
  const reply: Reply = async (exchange) => {
    await gate.passed;
    await created()(exchange);
  };
  const { baseUrl, arrivals } = await startServer(reply);
  const settings: ShopSettings = { baseUrl, count: CALLS, database: address, timeout };
  const file = join(root, "test/system/support/creates-until-sigterm.ts");
  const shop = run("node", [file, JSON.stringify(settings)]);
  onTestFinished(shop.kill);
  return { shop, gate, arrivals };
}

async function statesIn(store: PaymentsStore) {
  const states: Record<string, number> = {};
  for await (const { state } of store.list()) states[state] = (states[state] ?? 0) + 1;
  return states;
}

const DATABASES = [
  ["SQLite", inSqlite],
  ["PostgreSQL", inPostgres],
] as const;

test.each(DATABASES)("after SIGTERM the calls in flight end and are recorded in %s", async (_name, open) => {
  const database = await open();
  const { shop, gate, arrivals } = await startShop(database, 60_000);
  await expect.poll(() => arrivals.length, { timeout: 40_000 }).toBe(CALLS);

  shop.signal("SIGTERM");
  await shop.printed(/^closing, and a late call is not_sent$/m);
  gate.open();

  expect(await shop.ended).toBe(0);
  expect(shop.stdout()).toContain('{"aborted":0,"unrecorded":0}');
  expect(await statesIn(database.store)).toEqual({ created: CALLS });
});

test.each(DATABASES)("after SIGTERM and the timeout no order is left claimed in %s", async (_name, open) => {
  const database = await open();
  const { shop, arrivals } = await startShop(database, 0);
  await expect.poll(() => arrivals.length, { timeout: 40_000 }).toBeGreaterThan(0);

  shop.signal("SIGTERM"); // many calls still wait for one of the few connections

  expect(await shop.ended).toBe(0);
  expect(shop.stdout()).toContain(`{"aborted":${CALLS},"unrecorded":0}`);
  const { unresolved = 0, ...others } = await statesIn(database.store);
  expect(Object.keys(others).filter((state) => state !== "free")).toEqual([]);
  expect(unresolved).toBe(arrivals.length);
});

/** Nothing but the handler could keep this process alive. */
const IGNORES_THE_END = `
  import { memoryStore } from "payments-sdk/idempotency";
  import { createPostbackHandler } from "payments-sdk/postbacks";

  const { fetch, close } = createPostbackHandler({
    signer: { verify: async () => ({ amountMatches: true }) },
    store: memoryStore(),
    onPostback: () => new Promise(() => undefined),
  });
  const postback = { id: 1, status: "approved", externalRef: "order-1", amount: 1990 };
  void fetch(new Request("https://shop.example/", { method: "POST", body: JSON.stringify(postback) }));
  await new Promise((resolve) => setTimeout(resolve, 100));
  console.log(JSON.stringify(await close({ timeout: 0 })));
`;

test("a callback that never ends does not keep its process alive after close()", async () => {
  const shop = run("node", ["--input-type=module", "--eval", IGNORES_THE_END], root);
  onTestFinished(shop.kill);

  expect(await shop.ended).toBe(0);
  expect(shop.stdout()).toContain('{"aborted":1,"unrecorded":1}');
});
