import { copyFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { build } from "esbuild";
import { type D1Client, d1Store } from "payments-sdk/idempotency";
import { createGateway } from "payments-sdk/sandbox";
import { storeTests } from "payments-sdk/testing";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { RETENTION_DAYS } from "../../idempotency/support/databases.ts";
import { aPix } from "../../support/merchant.ts";
import { root } from "../../support/running.ts";
import { succeed } from "../support/consumer.ts";
import { useProject } from "../support/matrix.ts";

/** `d1Store` in workerd, the runtime of Workers, with the D1 of miniflare, which wrangler uses. */

const PACKAGES = ["miniflare@4.20260730.0", "hono@4.13.19", "@cloudflare/workers-types@4.20260702.1"];

/** The part of miniflare that the tests use. */
interface Miniflare {
  dispatchFetch(url: string, init?: RequestInit): Promise<Response>;
  getD1Database(name: string): Promise<D1Client>;
  dispose(): Promise<void>;
}

let folder: string;

/** Bundles a file of the folder, and starts it. `serve` responds to its requests. */
async function startWorker(
  file: string,
  bindings: object = {},
  serve?: (request: Request) => Promise<{ readonly status: number; readonly body: string }>,
): Promise<Miniflare> {
  const { outputFiles } = await build({
    ...{ entryPoints: [join(folder, file)], bundle: true, write: false, platform: "neutral", format: "esm" },
    ...{ external: ["node:*", "cloudflare:*"], conditions: ["workerd"], mainFields: ["module", "main"] },
  });
  const { Miniflare, Response } = await import(
    createRequire(join(folder, "package.json")).resolve("miniflare")
  );
  const outboundService = async (request: Request) => {
    const { status, body } = (await serve?.(request)) ?? { status: 404, body: "" };
    return new Response(body, { status, headers: { "content-type": "application/json" } });
  };
  return new Miniflare({
    ...{ modules: true, script: outputFiles[0]?.text, d1Databases: ["DB"], bindings, outboundService },
    ...{ compatibilityDate: "2026-07-01", compatibilityFlags: ["nodejs_compat"] },
  });
}

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

const NAMES = storeTests(() => expect.unreachable(), {
  retentionDays: RETENTION_DAYS,
  listsNamespaces: true,
}).map(({ name }) => name);

describe(PACKAGES.join(" "), () => {
  const project = useProject();
  beforeAll(async () => {
    folder = await project.installTools(...PACKAGES);
  }, 300_000);

  describe("d1Store in workerd", () => {
    let worker: Miniflare;
    beforeAll(async () => {
      writeFileSync(join(folder, "conformance.js"), CONFORMANCE);
      worker = await startWorker("conformance.js");
      return () => worker.dispose();
    });

    test.each(NAMES)("%s", async (name) => {
      const response = await worker.dispatchFetch("http://shop.example", { method: "POST", body: name });

      expect(await response.text()).toBe("");
    });
  });

  describe("the Worker of docs/workers.md with D1", () => {
    beforeAll(() => {
      const sample = join(root, "docs/samples/worker");
      copyFileSync(join(sample, "worker.ts"), join(folder, "worker.ts"));
      copyFileSync(join(sample, "database-d1.ts"), join(folder, "database.ts"));
    });

    test("compiles with the types of Workers", async () => {
      const compilerOptions = {
        ...{ rootDir: "/", types: ["@cloudflare/workers-types"], lib: ["esnext"], noUnusedLocals: false },
        allowImportingTsExtensions: false, // as in a new project
        paths: {
          "payments-sdk": [join(root, "dist/index.d.ts")],
          "payments-sdk/*": [join(root, "dist/*.d.ts")],
        },
      };
      const settings = { extends: join(root, "tsconfig.json"), compilerOptions, include: ["worker.ts"] };
      writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings));

      await succeed("npx", ["tsc", "-p", folder], root);
    });

    test("creates one pix for each order, for requests in a row and at the same time", async () => {
      const { pay, addOrder, gateway } = await startShop();
      const orders = await Promise.all(Array.from({ length: 4 }, addOrder));

      const inRow = [];
      for (const id of orders.slice(0, 2)) inRow.push(await pay(id));
      const together = await Promise.all([...orders, ...orders.slice(2)].map(pay));

      const pending = { status: "pending", code: expect.stringMatching(/^000201/) };
      expect([...inRow, ...together]).toEqual(Array(8).fill(pending));
      expect(orders.map((id) => gateway.chargesFor(id).length)).toEqual(Array(4).fill(1));
    });

    test("ships a paid order once, although each postback arrives three times", async () => {
      const { pay, addOrder, gateway, query } = await startShop();
      const id = await addOrder();

      await pay(id);
      for (const charge of gateway.chargesFor(id)) gateway.pay(charge.id);
      await gateway.settled();

      const statuses = () => gateway.deliveries.map(({ status }) => status);
      await expect.poll(statuses).toEqual(["delivered", "delivered", "delivered"]);
      expect((await query("SELECT order_id FROM shipments")).results).toEqual([{ order_id: id }]);
    });
  });
});

/** Starts the Worker of the page with a sandbox as the service. */
async function startShop() {
  const gateway = createGateway({
    postbacks: { duplicates: 2, fetch: (url, init) => worker.dispatchFetch(String(url), init) },
  });
  const variables = {
    PAYMENTS_BASE_URL: gateway.baseUrl,
    PAYMENTS_SECRET_KEY: gateway.secretKey,
    PAYMENTS_PUBLIC_KEY: gateway.publicKey,
    PAYMENTS_POSTBACK_URL: "http://shop.example/postbacks",
    PAYMENTS_POSTBACK_SECRET: "only for this test, never for a shop",
  };
  const worker = await startWorker("worker.ts", variables, async (request) => {
    const { method, url, headers } = request;
    const init = { method, headers: Object.fromEntries(headers), body: await request.text() };
    const response = await gateway.fetch(url, init);
    return { status: response.status, body: await response.text() };
  });
  onTestFinished(() => Promise.all([worker.dispose(), gateway.close()]).then(() => undefined));
  const database = await worker.getD1Database("DB");
  const query = (sql: string, ...values: string[]) =>
    database
      .prepare(sql)
      .bind(...values)
      .all();
  await d1Store(database).migrate();
  await query("CREATE TABLE orders (id TEXT, payment TEXT)");
  await query("CREATE TABLE shipments (order_id TEXT)"); // not unique, so that it counts the runs of the callback
  return {
    ...{ gateway, query },
    async addOrder() {
      const { externalRef: _ref, postbackUrl: _url, ...payment } = aPix();
      const id = `order-${crypto.randomUUID()}`;
      await query("INSERT INTO orders VALUES (?, ?)", id, JSON.stringify(payment));
      return id;
    },
    async pay(id: string) {
      const headers = { "sec-fetch-site": "same-origin", "CF-Connecting-IP": "203.0.113.7" };
      const url = `http://shop.example/orders/${id}/pix`;
      return (await worker.dispatchFetch(url, { method: "POST", headers })).json();
    },
  };
}
