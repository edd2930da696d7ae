import { once } from "node:events";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { build } from "esbuild";
import { type D1Client, d1Store, type PaymentsStore, postgresStore } from "payments-sdk/idempotency";
import { createGateway, type PostbackOptions } from "payments-sdk/sandbox";
import { storeTests } from "payments-sdk/testing";
import { Pool } from "pg";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { RETENTION_DAYS } from "../../idempotency/support/databases.ts";
import { aGate } from "../../support/http-server.ts";
import { aPix } from "../../support/merchant.ts";
import { startPostgres } from "../../support/postgres-server.ts";
import { freePort, root } from "../../support/running.ts";
import { succeed } from "../support/consumer.ts";
import { useProject, withMatrix } from "../support/matrix.ts";

/**
 * The Worker of docs/workers.md with PostgreSQL and with D1: in Node, and as wrangler bundles it, in the runtime that
 * wrangler uses, and with real databases.
 */

const PACKAGES = ["wrangler@4.164.0", "pg@8.23.1", "hono@4.13.19", "@cloudflare/workers-types@5.20261117.1"];

const SAMPLE = join(root, "docs/samples/worker");
const SHOP = "http://shop.example";
/** What the shop's page sends. */
const BY_ITS_PAGE = {
  method: "POST",
  headers: { "sec-fetch-site": "same-origin", "CF-Connecting-IP": "203.0.113.7" },
};

/** Not unique, so that it counts the runs of the callback. */
const TABLES = ["CREATE TABLE orders (id text, payment json)", "CREATE TABLE shipments (order_id text)"];

type Query = (sql: string, ...values: string[]) => Promise<readonly unknown[]>;

let databasePort: number;
let connectionString: string;
let database: Pool;
const queryPostgres: Query = async (sql, ...values) => (await database.query(sql, values)).rows;

beforeAll(async () => {
  databasePort = await freePort();
  const server = await startPostgres({ listen_addresses: "127.0.0.1", port: String(databasePort) });
  connectionString = urlOfDatabase(databasePort);
  database = new Pool({ connectionString, application_name: "test" });
  await postgresStore(database).migrate();
  for (const table of TABLES) await database.query(table);
  return async () => {
    await database.end();
    await server.stop();
  };
});

const urlOfDatabase = (port: number) => `postgres://postgres:none@127.0.0.1:${port}/postgres`;

/** A database that accepts connections, and never answers. Returns its URL. */
async function startSilentDatabase(): Promise<string> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket.on("error", () => undefined)));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return urlOfDatabase((server.address() as AddressInfo).port);
}

const toVariables = ({ baseUrl, secretKey, publicKey }: ReturnType<typeof createGateway>) => ({
  PAYMENTS_BASE_URL: baseUrl,
  PAYMENTS_SECRET_KEY: secretKey,
  PAYMENTS_PUBLIC_KEY: publicKey,
  PAYMENTS_POSTBACK_URL: `${SHOP}/postbacks`,
  PAYMENTS_POSTBACK_SECRET: "only for this test, never for a shop",
});

async function addOrder(query: Query): Promise<string> {
  const { externalRef: _ref, postbackUrl: _url, ...payment } = aPix();
  const id = `order-${crypto.randomUUID()}`;
  await query("INSERT INTO orders VALUES ($1, $2)", id, JSON.stringify(payment));
  return id;
}

const shipmentsOf = async (query: Query, id: string) =>
  (await query("SELECT order_id FROM shipments WHERE order_id = $1", id)).length;

/** The Worker in Node. */
async function importWorker(connectionString: string, postbacks: PostbackOptions = {}) {
  interface Worker {
    fetch(request: Request, env: object, ctx: object): Promise<Response>;
  }
  const { default: worker }: { default: Worker } = await import(join(SAMPLE, "worker.ts"));
  const gateway = createGateway({ postbacks: { ...postbacks, fetch: (url, init) => call(url, init) } });
  onTestFinished(() => gateway.close());
  vi.spyOn(globalThis, "fetch").mockImplementation(gateway.fetch as typeof fetch);
  onTestFinished(() => void vi.restoreAllMocks());
  const env = { ...toVariables(gateway), HYPERDRIVE: { connectionString } };
  const waiting: Promise<unknown>[] = [];
  const waitUntil = (work: Promise<unknown>) => void waiting.push(work);
  const call = (url: string, init: RequestInit) => worker.fetch(new Request(url, init), env, { waitUntil });
  return { gateway, call, waiting };
}

/** Those of the Worker. A pool of pg does not wait until its connections have ended, nor does the server. */
async function connectionsOfWorker(): Promise<number> {
  const others = "backend_type = 'client backend' AND application_name <> 'test'";
  return (await queryPostgres(`SELECT FROM pg_stat_activity WHERE ${others}`)).length;
}

test("the Worker of docs/workers.md ships a paid order once, and closes its connections, in Node as well", async () => {
  const { gateway, call, waiting } = await importWorker(connectionString, { duplicates: 2 });
  const id = await addOrder(queryPostgres);
  const url = `${SHOP}/orders/${id}/pix`;

  const stranger = { method: "POST", headers: { "sec-fetch-site": "cross-site" } };
  expect((await call(url, stranger)).status).toBe(403);
  const response = await call(url, BY_ITS_PAGE);
  for (const charge of gateway.chargesFor(id)) gateway.pay(charge.id);
  const statuses = () => gateway.deliveries.map(({ status }) => status);
  await expect.poll(statuses).toEqual(["delivered", "delivered", "delivered"]);

  expect(await response.json()).toEqual({ status: "pending", code: expect.stringMatching(/^000201/) });
  expect(await shipmentsOf(queryPostgres, id)).toBe(1);
  await Promise.all(waiting);
  await expect.poll(connectionsOfWorker, { timeout: 5_000 }).toBe(0); // a pool ends an idle one after 10 seconds
});

test("the Worker of docs/workers.md responds if its database accepts a connection and is silent", async () => {
  const { call, waiting } = await importWorker(await startSilentDatabase());
  const logged = vi.spyOn(console, "error").mockReturnValue();

  const { status } = await call(`${SHOP}/orders/1/pix`, BY_ITS_PAGE);

  expect(status).toBe(500);
  expect(String(logged.mock.lastCall?.[0])).toContain("timeout");
  await Promise.all(waiting);
});

/** The part of miniflare, which wrangler runs, that the tests use. */
interface Miniflare {
  dispatchFetch(url: string, init?: object): Promise<Response>;
  getD1Database(name: string): Promise<D1Client>;
  getWorker(name: string): Promise<{
    fetch(url: string, init: object): Promise<Response>;
    scheduled(options: { cron: string }): Promise<{ outcome: string }>;
  }>;
  dispose(): Promise<void>;
}

/** Calls the shop as a customer who leaves once the service has charged. */
const CALLER = `
export default {
  async fetch({ url, method, headers }, { SHOP }) {
    const leaving = new AbortController();
    const response = SHOP.fetch(url, { method, headers, signal: leaving.signal });
    const left = response.then(() => "served", () => "left");
    await fetch("http://service.example/charged");
    leaving.abort();
    return new Response(await left);
  },
};`;

/** Runs one test of a store per request. */
const CONFORMANCE = `
import { env } from "cloudflare:workers";
import { d1Store } from "payments-sdk/idempotency";
import { storeTests } from "payments-sdk/idempotency/testing";

const run = (sql, ...values) => env.DB.prepare(sql).bind(...values).run();
async function openDatabase() {
  await d1Store(env.DB).migrate();
  await run("DELETE FROM payments_documents");
  const advance = "UPDATE payments_documents SET changed_at = changed_at - ?1, expires_at = expires_at - ?1";
  return { store: (options) => d1Store(env.DB, options), advance: (ms) => run(advance, ms) };
}
const tests = storeTests(openDatabase, { retentionDays: ${RETENTION_DAYS}, listsNamespaces: true });
export default {
  async fetch(request) {
    const name = await request.text();
    const failure = await tests.find((test) => test.name === name).run().then(() => "", ({ stack }) => stack);
    return new Response(failure);
  },
};`;

const CONFORMANCE_TESTS = storeTests(() => expect.unreachable(), {
  retentionDays: RETENTION_DAYS,
  listsNamespaces: true,
}).map(({ name }) => name);

type DatabaseName = "PostgreSQL" | "D1";

describe.each(withMatrix([], [PACKAGES.join(" ")]))("%s:", () => {
  const project = useProject();
  let folder: string;
  beforeAll(async () => {
    folder = await project.installTools(...PACKAGES);
    cpSync(join(SAMPLE, "wrangler.jsonc"), join(folder, "wrangler.jsonc"));
    for (const [name, file] of [
      ["PostgreSQL", "database.ts"],
      ["D1", "database-d1.ts"],
    ] as const) {
      mkdirSync(join(folder, name));
      cpSync(join(SAMPLE, "worker.ts"), join(folder, name, "worker.ts"));
      cpSync(join(SAMPLE, file), join(folder, name, "database.ts"));
      const settings = ["CI=1", "WRANGLER_SEND_METRICS=false", "npx", "wrangler", "deploy"];
      const args = [`${name}/worker.ts`, "--dry-run", "--outdir", `${name}/bundle`];
      await succeed("env", [...settings, ...args], folder);
    }
  }, 300_000);

  const loadMiniflare = () => createRequire(join(folder, "package.json"))("miniflare");

  /** @param charged - Resolves when {@link CALLER} may leave. */
  function startWorker(
    script: string,
    { handleStructuredLogs = () => undefined, ...options }: { readonly [name: string]: unknown },
    charged = Promise.resolve(),
  ): Miniflare {
    const { Miniflare, Response, convertV4MiniflareOptions } = loadMiniflare();
    const settings = readFileSync(join(folder, "wrangler.jsonc"), "utf8");
    const [, compatibilityDate] = /"compatibility_date": "(.*)"/.exec(settings) ?? [];
    const outboundService = () => charged.then(() => new Response());
    const calling = { script: CALLER, serviceBindings: { SHOP: "shop" }, outboundService };
    const workers = [
      { name: "shop", script, ...options },
      { name: "caller", ...calling },
    ];
    const all = workers.map((worker) => ({ modules: true, compatibilityDate, ...worker }));
    return new Miniflare(convertV4MiniflareOptions({ handleStructuredLogs, workers: all }));
  }

  /** Starts the Worker with the sandbox as the service, whose responses wait for `mayRespond`. */
  async function startShop(
    name: DatabaseName,
    postbacks: PostbackOptions = {},
    { url = connectionString, mayRespond = Promise.resolve() } = {},
  ) {
    const deliver = (target: string, init: object) => worker.dispatchFetch(target, init);
    const gateway = createGateway({ postbacks: { ...postbacks, fetch: deliver } });
    const charged = aGate();
    const sent: { length: string | null; body: string }[] = [];
    const logs: string[] = [];
    const { Response } = loadMiniflare();
    const outboundService = async (request: Request) => {
      const body = await request.text();
      sent.push({ length: request.headers.get("content-length"), body });
      const headers = Object.fromEntries(request.headers);
      const response = await gateway.fetch(request.url, { method: request.method, headers, body });
      charged.open();
      await mayRespond;
      const { status } = response;
      return new Response(await response.text(), { status, headers: { "content-type": "application/json" } });
    };
    const script = readFileSync(join(folder, name, "bundle/worker.js"), "utf8");
    const settings = {
      ...{ bindings: toVariables(gateway), outboundService },
      ...(name === "D1" ? { d1Databases: ["DB"] } : { hyperdrives: { HYPERDRIVE: url } }),
      handleStructuredLogs: ({ message }: { message: string }) => void logs.push(message),
    };
    const worker = startWorker(script, settings, charged.passed);
    onTestFinished(() => Promise.all([worker.dispose(), gateway.close()]).then(() => undefined));

    let query = queryPostgres;
    let store: PaymentsStore = postgresStore(database);
    if (name === "D1") {
      const d1 = await worker.getD1Database("DB");
      query = async (sql, ...values) =>
        (
          await d1
            .prepare(sql.replaceAll("$", "?"))
            .bind(...values)
            .all()
        ).results;
      store = d1Store(d1);
      await d1Store(d1).migrate();
      for (const table of TABLES) await query(table);
    }
    return {
      ...{ worker, gateway, query, store, sent, logs },
      add: () => addOrder(query),
      pay: async (id: string) => (await worker.dispatchFetch(`${SHOP}/orders/${id}/pix`, BY_ITS_PAGE)).json(),
      runCron: async () => (await (await worker.getWorker("shop")).scheduled({ cron: "* * * * *" })).outcome,
      async settle(id: string) {
        for (const charge of gateway.chargesFor(id)) gateway.pay(charge.id);
        await gateway.settled();
      },
    };
  }

  describe("d1Store in workerd", () => {
    let worker: Miniflare;
    beforeAll(async () => {
      writeFileSync(join(folder, "conformance.js"), CONFORMANCE);
      const { outputFiles } = await build({
        ...{ entryPoints: [join(folder, "conformance.js")], bundle: true, write: false, format: "esm" },
        ...{ platform: "neutral", conditions: ["workerd"], mainFields: ["module", "main"] },
        external: ["node:*", "cloudflare:*"],
      });
      worker = startWorker(outputFiles[0]?.text ?? "", { d1Databases: ["DB"] });
      return () => worker.dispose();
    });

    test.each(CONFORMANCE_TESTS)("%s", async (name) => {
      const response = await worker.dispatchFetch(SHOP, { method: "POST", body: name });

      expect(await response.text()).toBe("");
    });
  });

  test("the Worker of docs/workers.md with D1 compiles with the types of Workers", async () => {
    const compilerOptions = {
      ...{ rootDir: "/", types: ["@cloudflare/workers-types"], lib: ["esnext"], noUnusedLocals: false },
      allowImportingTsExtensions: false, // as in a new project
      paths: {
        "payments-sdk": [join(root, "dist/index.d.ts")],
        "payments-sdk/*": [join(root, "dist/*.d.ts")],
      },
    };
    const settings = { extends: join(root, "tsconfig.json"), compilerOptions, include: ["worker.ts"] };
    writeFileSync(join(folder, "D1/tsconfig.json"), JSON.stringify(settings));

    await succeed("npx", ["tsc", "-p", join(folder, "D1")], root);
  });

  test("the Worker responds if PostgreSQL accepts a connection and is silent", async () => {
    const { runCron } = await startShop("PostgreSQL", {}, { url: await startSilentDatabase() });

    expect(await runCron()).toBe("exception");
  });

  describe.each(["PostgreSQL", "D1"] as const)("the Worker of docs/workers.md with %s", (name) => {
    const PENDING = { status: "pending", code: expect.stringMatching(/^000201/) };

    test("creates one pix for each order, for requests in a row and at the same time", async () => {
      const { add, pay, gateway, sent, logs } = await startShop(name);
      const orders = await Promise.all(Array.from({ length: 6 }, add));

      const inRow = [];
      for (const id of orders.slice(0, 3)) inRow.push(await pay(id));
      const together = await Promise.all([...orders, ...orders.slice(3)].map(pay));

      expect([...inRow, ...together]).toEqual(Array(12).fill(PENDING));
      expect(orders.map((id) => gateway.chargesFor(id).length)).toEqual(Array(6).fill(1));
      for (const { length, body } of sent) expect(length).toBe(String(body.length));
      expect(logs).toEqual([]);
    });

    test("ships a paid order once, although each postback arrives three times", async () => {
      const { add, pay, settle, gateway, query } = await startShop(name, { duplicates: 2 });
      const id = await add();

      await pay(id);
      await settle(id);

      const statuses = () => gateway.deliveries.map(({ status }) => status);
      await expect.poll(statuses).toEqual(["delivered", "delivered", "delivered"]);
      expect(await shipmentsOf(query, id)).toBe(1);
    });

    test("ships by its Cron Trigger what failed when the postback arrived", async () => {
      const { add, pay, settle, runCron, gateway, query } = await startShop(name, { retries: 0 });
      const id = await add();
      await query("ALTER TABLE shipments RENAME TO missing");

      await pay(id);
      await settle(id);
      await query("ALTER TABLE missing RENAME TO shipments");
      const results = [await runCron(), await runCron()];

      expect(gateway.deliveries.map(({ attempts }) => attempts.map(({ status }) => status))).toEqual([[500]]);
      expect(results).toEqual(["ok", "ok"]);
      expect(await shipmentsOf(query, id)).toBe(1);
    });

    test("shows the same pix to a customer who left while it was created, and came back", async () => {
      const mayRespond = aGate();
      const shop = await startShop(name, {}, { mayRespond: mayRespond.passed });
      const id = await shop.add();

      const caller = await shop.worker.getWorker("caller");
      const call = await (await caller.fetch(`${SHOP}/orders/${id}/pix`, BY_ITS_PAGE)).text();
      mayRespond.open();
      await expect.poll(async () => (await shop.store.get(id))?.state).toBe("created");

      expect(call).toBe("left");
      expect(await shop.pay(id)).toEqual(PENDING);
      expect(shop.gateway.chargesFor(id)).toHaveLength(1);
    });
  });
});
