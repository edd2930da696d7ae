import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { PaymentsClient } from "payments-sdk";
import { createApp } from "./app.ts";
import { buildAssets } from "./assets.ts";
import { AttemptLimit } from "./attempt-limit.ts";
import { Orders } from "./orders.ts";
import { postbackSignerFor } from "./postback-signer.ts";
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
  const postbackSigner = postbackSignerFor(service);
  const assets = await buildAssets();
  const server = createServer();
  server.listen(port, "127.0.0.1");
  await once(server, "listening"); // only now its port is known, and with it where postbacks go to
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const postbackUrl = `${publicUrl ?? url}/postbacks`;
  const shop: Shop = {
    payments: new PaymentsClient({ baseUrl, secretKey, publicKey, postbackUrl, postbackSigner }),
    postbackSigner,
    orders: new Orders(),
    refusals: new AttemptLimit(5, HOUR_MS),
    pixCodes: new AttemptLimit(30, HOUR_MS),
    log: log ?? (() => undefined),
  };
  server.on("request", getRequestListener(createApp(shop, assets, { baseUrl, publicKey }).fetch));
  return { url, orders: shop.orders, close: () => close(server) };
}

async function close(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections(); // pages that listen for news would keep it open
  await closed;
}
