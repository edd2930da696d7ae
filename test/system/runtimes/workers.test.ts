import { once } from "node:events";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { postgresStore } from "payments-sdk/idempotency";
import { createGateway, type GatewayOptions } from "payments-sdk/sandbox";
import { Pool } from "pg";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { aGate, type Reply, startServer } from "../../support/http-server.ts";
import { aPix } from "../../support/merchant.ts";
import { startPostgres } from "../../support/postgres-server.ts";
import { freePort, root, run } from "../../support/running.ts";
import { succeed } from "../support/consumer.ts";
import { type Project, useProject, withMatrix } from "../support/matrix.ts";

/** The Worker of docs/workers.md with PostgreSQL, bundled by wrangler, in the runtime that wrangler uses, and with a real database. */

const PACKAGES = ["wrangler@4.164.0", "pg@8.23.1", "hono@4.13.19"];

const SAMPLE = join(root, "docs/samples/worker");

let folder: string;
let databasePort: number;
let connectionString: string;
let database: Pool;

async function bundleWorker(project: Project): Promise<void> {
  folder = await project.installTools(...PACKAGES);
  cpSync(SAMPLE, join(folder, "src"), { recursive: true });
  cpSync(join(SAMPLE, "wrangler.jsonc"), join(folder, "wrangler.jsonc"));
  const settings = ["CI=1", "WRANGLER_SEND_METRICS=false", "npx"];
  await succeed("env", [...settings, "wrangler", "deploy", "--dry-run", "--outdir", "bundle"], folder);
}

async function openDatabase() {
  databasePort = await freePort();
  const server = await startPostgres({ listen_addresses: "127.0.0.1", port: String(databasePort) });
  connectionString = `postgres://postgres@127.0.0.1:${databasePort}/postgres`;
  database = new Pool({ connectionString, application_name: "test" });
  await postgresStore(database).migrate();
  // Not unique, so that it counts the runs of the callback.
  await database.query("CREATE TABLE orders (id text, payment json); CREATE TABLE shipments (order_id text)");
  return server;
}

/** The browser sends it with the requests of the shop's page. */
const SAME_ORIGIN = { "sec-fetch-site": "same-origin" };

/** Calls the shop as a customer who leaves once the service has charged, and as the Cron Trigger. */
const CALLER = `
export default {
  async fetch({ url }, { SHOP, SERVICE }) {
    const { pathname } = new URL(url);
    if (pathname === "/cron") return Response.json(await SHOP.scheduled({ cron: "* * * * *", scheduledTime: new Date() }));
    const leaving = new AbortController();
    const response = SHOP.fetch("http://shop.example" + pathname, {
      method: "POST", headers: { "sec-fetch-site": "same-origin" }, signal: leaving.signal,
    });
    const left = response.then(() => "served", () => "left");
    await fetch(SERVICE + "/charged");
    leaving.abort();
    return new Response(await left);
  },
};`;

interface Ports {
  readonly shop: number;
  readonly caller: number;
  readonly database: number;
}

const toVariables = (service: string, shop: string) => ({
  PAYMENTS_BASE_URL: service,
  PAYMENTS_SECRET_KEY: "sk_sandbox_secret",
  PAYMENTS_PUBLIC_KEY: "pk_sandbox_public",
  PAYMENTS_POSTBACK_URL: `${shop}/postbacks`,
  PAYMENTS_POSTBACK_SECRET: "only for this test, never for a shop",
});

function toConfig({ shop, caller, database }: Ports, service: string): string {
  const settings = readFileSync(join(folder, "wrangler.jsonc"), "utf8");
  const [, date] = /"compatibility_date": "(.*)"/.exec(settings) ?? [];
  const variables = Object.entries(toVariables(service, `http://127.0.0.1:${shop}`));
  const texts = variables.map(([name, text]) => `(name = "${name}", text = "${text}")`);
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "shop", worker = .shop),
    (name = "caller", worker = .caller),
    (name = "net", network = (allow = ["public", "private"])),
    (name = "database", external = (address = "127.0.0.1:${database}", tcp = ())),
  ],
  sockets = [
    (name = "shop", address = "127.0.0.1:${shop}", http = (), service = "shop"),
    (name = "caller", address = "127.0.0.1:${caller}", http = (), service = "caller"),
  ],
);
const shop :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "bundle/worker.js")],
  bindings = [
    (name = "HYPERDRIVE", hyperdrive = (
      designator = "database", database = "postgres", user = "postgres", password = "none", scheme = "postgres")),
    ${texts.join(",\n    ")},
  ],
  compatibilityDate = "${date}",
  globalOutbound = "net",
);
const caller :Workerd.Worker = (
  modules = [(name = "worker", esModule = ${JSON.stringify(CALLER)})],
  bindings = [(name = "SHOP", service = "shop"), (name = "SERVICE", text = "${service}")],
  compatibilityDate = "${date}",
  compatibilityFlags = ["service_binding_extra_handlers"],
  globalOutbound = "net",
);`;
}

interface Setting {
  readonly postbacks?: GatewayOptions["postbacks"];
  /** Until when the service holds its responses. */
  readonly responses?: Promise<void>;
}

async function startService({ postbacks = {}, responses }: Setting) {
  const gateway = createGateway({ postbacks });
  onTestFinished(() => gateway.close());
  const charged = aGate();
  const serve: Reply = async ({ arrival, response, requestRead }) => {
    await requestRead;
    const { method, url, body } = arrival;
    if (url === "/charged") return charged.passed.then(() => response.end());
    const headers = {
      authorization: arrival.headers.authorization ?? "",
      "content-type": "application/json",
    };
    const reply = await gateway.fetch(gateway.baseUrl + url, { method, headers, body });
    charged.open();
    await responses;
    return response.writeHead(reply.status, { "content-type": "application/json" }).end(await reply.text());
  };
  const { baseUrl, arrivals } = await startServer(serve);
  return { gateway, baseUrl, arrivals };
}

/** Starts the Worker, and a service that it pays with. */
async function startShop(setting: Setting = {}, database = databasePort) {
  const { gateway, baseUrl, arrivals } = await startService(setting);
  const ports = { shop: await freePort(), caller: await freePort(), database };
  const file = join(folder, `${ports.shop}.capnp`);
  writeFileSync(file, toConfig(ports, baseUrl));
  // `--experimental` is for the call of `scheduled`.
  const running = run(join(folder, "node_modules/.bin/workerd"), ["serve", "--experimental", file], folder);
  onTestFinished(running.kill);
  const call = (port: number, path: string) => {
    const headers = { "CF-Connecting-IP": "203.0.113.7", ...SAME_ORIGIN };
    return fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", headers });
  };
  const statusOf = ({ status }: Response) => status;
  const ready = expect.poll(() => call(ports.shop, "/").then(statusOf, () => 0)).toBe(404);
  await Promise.race([ready, running.ended.then(() => expect.unreachable(running.stderr()))]);

  async function pay(id: string) {
    const response = await call(ports.shop, `/orders/${id}/pix`);
    const { status, code, error }: Record<string, unknown> = await response.json();
    return { http: response.status, status, code, error };
  }
  return {
    ...{ gateway, arrivals, pay },
    /** What the Worker printed. */
    logs: () => running.stdout() + running.stderr(),
    asCaller: async (path: string) => (await call(ports.caller, path)).text(),
    async payAndSettle(id: string) {
      await pay(id);
      for (const charge of gateway.chargesFor(id)) gateway.pay(charge.id);
      await gateway.settled();
    },
  };
}

/** Adds an order to the database of the shop. */
async function anOrder(): Promise<string> {
  const { externalRef: _ref, postbackUrl: _url, ...payment } = aPix();
  const id = `order-${crypto.randomUUID()}`;
  await database.query("INSERT INTO orders VALUES ($1, $2)", [id, JSON.stringify(payment)]);
  return id;
}

async function shipmentsOf(id: string): Promise<number> {
  return (await database.query("SELECT FROM shipments WHERE order_id = $1", [id])).rows.length;
}

/** Those of the Worker. A pool of pg does not wait until its connections have ended, nor does the server. */
async function connectionsOfWorker(): Promise<number> {
  const others = "backend_type = 'client backend' AND application_name <> 'test'";
  return (await database.query(`SELECT FROM pg_stat_activity WHERE ${others}`)).rows.length;
}

/** A database that accepts connections, and never answers. Returns its port. */
async function startSilentDatabase(): Promise<number> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket.on("error", () => undefined)));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

const PENDING = { http: 200, status: "pending", code: expect.stringMatching(/^000201/), error: undefined };

beforeAll(async () => {
  const server = await openDatabase();
  return async () => {
    await database.end();
    await server.stop();
  };
});

async function importWorker() {
  interface Worker {
    fetch(request: Request, env: object, ctx: object): Promise<Response>;
  }
  const sample: { default: Worker } = await import(join(SAMPLE, "worker.ts"));
  return sample.default;
}

test("the Worker of docs/workers.md ships a paid order once, and closes its connections, in Node as well", async () => {
  const worker = await importWorker();
  const waiting: Promise<unknown>[] = [];
  const call = (url: string, init: RequestInit) =>
    worker.fetch(new Request(url, init), env, { waitUntil: (work: Promise<unknown>) => waiting.push(work) });
  const { gateway, baseUrl } = await startService({ postbacks: { duplicates: 2, fetch: call } });
  const env = { ...toVariables(baseUrl, "http://shop.example"), HYPERDRIVE: { connectionString } };
  const id = await anOrder();

  const stranger = { method: "POST", headers: { "sec-fetch-site": "cross-site" } };
  expect((await call(`http://shop.example/orders/${id}/pix`, stranger)).status).toBe(403);
  const response = await call(`http://shop.example/orders/${id}/pix`, {
    method: "POST",
    headers: SAME_ORIGIN,
  });
  for (const charge of gateway.chargesFor(id)) gateway.pay(charge.id);
  const statuses = () => gateway.deliveries.map(({ status }) => status);
  await expect.poll(statuses).toEqual(["delivered", "delivered", "delivered"]);

  expect(await response.json()).toEqual({ status: "pending", code: expect.stringMatching(/^000201/) });
  expect(await shipmentsOf(id)).toBe(1);
  await Promise.all(waiting);
  await expect.poll(connectionsOfWorker, { timeout: 5_000 }).toBe(0); // a pool ends an idle one after 10 seconds
});

test("the Worker of docs/workers.md responds if its database accepts a connection and is silent", async () => {
  const connectionString = `postgres://shop@127.0.0.1:${await startSilentDatabase()}/shop`;
  const env = {
    ...toVariables("http://127.0.0.1:9", "http://shop.example"),
    HYPERDRIVE: { connectionString },
  };
  const waiting: Promise<unknown>[] = [];
  const waitUntil = (work: Promise<unknown>) => void waiting.push(work);
  const logged = vi.spyOn(console, "error").mockReturnValue();
  onTestFinished(() => logged.mockRestore());

  const request = new Request("http://shop.example/orders/1/pix", { method: "POST", headers: SAME_ORIGIN });
  const { status } = await (await importWorker()).fetch(request, env, { waitUntil });

  expect(status).toBe(500);
  expect(String(logged.mock.lastCall?.[0])).toContain("timeout");
  await Promise.all(waiting);
});

describe.each(withMatrix([], [PACKAGES.join(" ")]))("%s: the Worker of docs/workers.md", () => {
  const project = useProject();
  beforeAll(() => bundleWorker(project), 300_000);

  test("creates one pix for each order, for requests in a row and at the same time", async () => {
    const { pay, gateway, arrivals, logs } = await startShop();
    const orders = await Promise.all(Array.from({ length: 6 }, anOrder));

    const inRow = [];
    for (const id of orders.slice(0, 3)) inRow.push(await pay(id));
    const together = await Promise.all([...orders, ...orders.slice(3)].map(pay));

    expect([...inRow, ...together]).toEqual(Array(12).fill(PENDING));
    expect(orders.map((id) => gateway.chargesFor(id).length)).toEqual(Array(6).fill(1));
    for (const { headers, body } of arrivals) expect(headers["content-length"]).toBe(String(body.length));
    expect(logs()).toBe("");
  });

  test("responds if its database accepts a connection and is silent", async () => {
    const { asCaller } = await startShop({}, await startSilentDatabase());

    expect(JSON.parse(await asCaller("/cron")).outcome).toBe("exception");
  });

  test("ships by its Cron Trigger what failed when the postback arrived", async () => {
    const { payAndSettle, asCaller, gateway } = await startShop({ postbacks: { retries: 0 } });
    const id = await anOrder();
    await database.query("ALTER TABLE shipments RENAME TO missing");

    await payAndSettle(id);
    await database.query("ALTER TABLE missing RENAME TO shipments");
    const results = [await asCaller("/cron"), await asCaller("/cron")];

    expect(gateway.deliveries.map(({ attempts }) => attempts.map(({ status }) => status))).toEqual([[500]]);
    expect(results.map((result) => JSON.parse(result).outcome)).toEqual(["ok", "ok"]);
    expect(await shipmentsOf(id)).toBe(1);
  });

  test("shows the same pix to a customer who left while it was created, and came back", async () => {
    const mayRespond = aGate();
    const { pay, asCaller, gateway } = await startShop({ responses: mayRespond.passed });
    const id = await anOrder();

    const call = await asCaller(`/orders/${id}/pix`);
    mayRespond.open();
    const store = postgresStore(database);
    await expect.poll(async () => (await store.get(id))?.state).toBe("created");

    expect(call).toBe("left");
    expect(await pay(id)).toEqual(PENDING);
    expect(gateway.chargesFor(id)).toHaveLength(1);
  });
});
