import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { PaymentsClient } from "payments-sdk";
import { createApp } from "./app.ts";
import { buildAssets } from "./assets.ts";
import { AttemptLimit } from "./attempt-limit.ts";
import { Orders } from "./orders.ts";
import type { Shop } from "./shop.ts";

export interface ShopOptions {
  /** The service that takes the money. */
  readonly service: { readonly baseUrl: string; readonly secretKey: string; readonly publicKey: string };
  /** Default: any that is free. */
  readonly port?: number;
  /** Where the service can reach this shop for its postbacks. Default: the shop's own address. */
  readonly publicUrl?: string;
  /** Default: none. */
  readonly log?: (line: string) => void;
}

export interface RunningShop {
  readonly url: string;
  readonly orders: Orders;
  close(): Promise<void>;
}

const HOUR_MS = 60 * 60_000;

/** Starts the shop on this machine. */
export async function startShop({ service, port = 0, publicUrl, log }: ShopOptions): Promise<RunningShop> {
  const { baseUrl, secretKey, publicKey } = service;
  let url = "";
  const shop: Shop = {
    payments: new PaymentsClient({ baseUrl, secretKey, publicKey }),
    orders: new Orders(),
    refusals: new AttemptLimit(5, HOUR_MS),
    pixCodes: new AttemptLimit(30, HOUR_MS),
    publicUrl: () => publicUrl ?? url,
    log: log ?? (() => undefined),
  };
  const app = createApp(shop, await buildAssets(), { baseUrl, publicKey });
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, orders: shop.orders, close: () => close(server) };
}

async function close(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections(); // pages that listen for news would keep it open
  await closed;
}
