import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { sqliteStore } from "payments-sdk/idempotency";
import type { Shop, ShopOrder, ShopService, ShopView } from "payments-sdk/testing";
import type { Settings } from "./shop.js";

export function viewOf(page: string): ShopView {
  if (page.includes("Pay with this code")) return "code";
  if (page.includes("is paid")) return "paid";
  if (page.includes("was declined")) return "declined";
  return page.includes("Nothing was charged") ? "error" : "waiting";
}

export async function startShop(
  service: ShopService,
  createApp: (settings: Settings) => RequestListener | Promise<RequestListener>,
) {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const orders: Settings["orders"] = new Map();
  const shipped: string[] = [];
  let isFailing = false;
  function release(id: string) {
    if (!isFailing) return void shipped.push(id);
    isFailing = false;
    throw new Error("the warehouse does not respond");
  }
  const settings = {
    ...service,
    postbackUrl: `${url}/postbacks`,
    store: sqliteStore(":memory:"),
    orders,
    release,
  };
  async function restart() {
    server.closeAllConnections();
    server.removeAllListeners("request").on("request", await createApp(settings));
  }
  await restart();

  async function load(id: string, options: RequestInit = {}): Promise<ShopView> {
    const response = await fetch(`${url}/orders/${id}`, options).catch(() => undefined);
    return response?.ok ? viewOf(await response.text()) : "waiting"; // a browser's error page promises nothing
  }
  return {
    url,
    orders,
    restart,
    async pay({ id, amount, cardToken }: ShopOrder) {
      orders.set(id, { amount, ...orders.get(id) });
      const body = JSON.stringify({ token: await cardToken?.() });
      return load(id, { method: "POST", headers: { "content-type": "application/json" }, body });
    },
    view: (id: string) => load(id),
    shipped: (id: string) => shipped.filter((one) => one === id).length,
    failOnce() {
      isFailing = true;
    },
    async stop() {
      server.close().closeAllConnections();
      await once(server, "close");
    },
  } satisfies Shop & { url: string; orders: Settings["orders"] };
}
