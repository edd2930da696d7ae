import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { env } from "node:process";
import { getRequestListener } from "@hono/node-server";
import { build } from "esbuild";
import { PaymentsClient } from "payments-sdk";
import { memoryStore, type PaymentsStore } from "payments-sdk/idempotency";
import { PostbackUrlSigner } from "payments-sdk/postbacks";
import { SANDBOX_SECRET_KEY } from "payments-sdk/sandbox";
import { type Assets, createApp } from "./app.ts";
import { AttemptLimit } from "./attempt-limit.ts";
import { type Order, Orders } from "./orders.ts";

/** What the parts of the server share. */
export interface Shop {
  readonly payments: PaymentsClient;
  readonly service: URL;
  readonly postbackSigner: PostbackUrlSigner;
  /** In memory, like the orders. A real shop uses a database. */
  readonly store: PaymentsStore;
  readonly orders: Orders;
  /** Refused cards: someone who tests stolen cards gets many refusals. */
  readonly refusals: AttemptLimit;
  /** Releases the goods of a paid order. */
  readonly ship: (order: Order) => unknown;
  /** Writes one line; never card data, a token or a postback URL. */
  readonly log: (line: string) => void;
}

export interface ShopOptions {
  readonly service: { readonly baseUrl: string; readonly secretKey: string; readonly publicKey: string };
  /** Default: any free port. */
  readonly port?: number;
  /** URL at which the service reaches this shop. Default: its own address, for a sandbox on this machine. */
  readonly publicUrl?: string | undefined;
  readonly log: (line: string) => void;
  /** Called once for each paid order, and again if it fails: with its next postback, or when its page is loaded. Default: writes a line. */
  readonly ship?: (order: Order) => unknown;
}

export interface RunningShop {
  readonly url: string;
  readonly orders: Orders;
  close(): Promise<void>;
}

export async function startShop({
  service,
  port = 0,
  publicUrl,
  log,
  ...options
}: ShopOptions): Promise<RunningShop> {
  const { ship = (order) => log(`SHIP ${order.number}`) } = options;
  const { baseUrl, secretKey, publicKey } = service;
  const postbackSigner = createSigner(secretKey);
  const assets = await buildAssets();
  const server = createServer().listen(port, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const postbackUrl = `${publicUrl ?? url}/postbacks`;
  const store = memoryStore();
  const payments = new PaymentsClient({
    ...{ baseUrl, secretKey, publicKey, postbackUrl, postbackSigner, idempotency: store },
    onEvent: (event) => event.type === "warning" && log(`${event.field} ${event.message}`),
  });
  const orders = new Orders();
  const refusals = new AttemptLimit(5);
  const shop: Shop = {
    payments,
    service: new URL(baseUrl),
    postbackSigner,
    store,
    orders,
    refusals,
    ship,
    log,
  };
  server.on("request", getRequestListener(createApp(shop, assets, { baseUrl, publicKey }).fetch));
  return {
    url,
    orders: shop.orders,
    async close() {
      const closed = once(server.close(), "close");
      await payments.close(); // waits for the calls in flight
      server.closeAllConnections(); // idle connections would keep it open
      await closed;
    },
  };
}

/** Signs the postback URL of each order, and verifies it when a postback arrives. */
function createSigner(secretKey: string): PostbackUrlSigner {
  const secret = env["PAYMENTS_POSTBACK_SECRET"] || undefined;
  // A sandbox loses its transactions when it stops. A real service sends postbacks for months, also after a restart.
  if (secret === undefined && secretKey !== SANDBOX_SECRET_KEY) {
    throw new Error("PAYMENTS_POSTBACK_SECRET is not set: create one with `openssl rand -base64 32`.");
  }
  return new PostbackUrlSigner({ keys: [{ kid: "1", secret: secret ?? randomBytes(32) }] });
}

/** The files of the page, bundled with the elements as in the build of a real shop. */
async function buildAssets(): Promise<Assets> {
  const page = join(import.meta.dirname, "../page");
  const { outputFiles } = await build({
    entryPoints: [join(page, "checkout.ts"), join(page, "checkout.css")],
    outdir: page, // names the files; nothing is written
    bundle: true,
    minify: true,
    format: "esm",
    write: false,
  });
  const bundled = (extension: string) => outputFiles.find(({ path }) => path.endsWith(extension))?.text ?? "";
  return new Map([
    ["checkout.js", ["text/javascript; charset=utf-8", bundled(".js")]],
    ["checkout.css", ["text/css; charset=utf-8", bundled(".css")]],
    ["shirt.svg", ["image/svg+xml", await readFile(join(page, "shirt.svg"), "utf8")]],
  ]);
}
