// Rehearses the shop, without a browser and without a running Next.js: its tests call the route handlers.
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type Shop, type ShopOrder, type ShopService, type ShopView, shopTests } from "payments-sdk/testing";
import { test, vi } from "vitest";
import { POST as pay } from "./app/orders/[id]/[method]/route";
import { POST as receivePostback } from "./app/postbacks/route";
import { recover } from "./lib/pay";
import { forgetShop, getShop } from "./lib/payments";
import { show, type View } from "./lib/view";

function viewOf(view: View | undefined): ShopView {
  if (!view) throw new Error("The shop has no such order.");
  if (view.text.includes("declined")) return "declined";
  if (view.pix) return "code";
  if (view.text.includes("is paid")) return "paid";
  return /Nothing was charged|How would you like/.test(view.text) ? "error" : "waiting";
}

export async function start({ baseUrl, secretKey, publicKey }: ShopService): Promise<Shop> {
  const server = createServer(async (incoming, response) => {
    const init = {
      method: "POST",
      headers: { ...incoming.headers } as HeadersInit,
      body: await text(incoming),
    };
    const { status, headers, body } = await receivePostback(
      new Request(`http://localhost${incoming.url}`, init),
    );
    response.writeHead(status, Object.fromEntries(headers)).end(await new Response(body).text());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  Object.assign(process.env, {
    PAYMENTS_BASE_URL: baseUrl,
    PAYMENTS_SECRET_KEY: secretKey,
    PAYMENTS_PUBLIC_KEY: publicKey,
    PAYMENTS_POSTBACK_URL: `http://127.0.0.1:${port}/postbacks`,
    PAYMENTS_POSTBACK_SECRET: "for tests only: 32 bytes or more",
    SHOP_DATABASE: join(mkdtempSync(join(tmpdir(), "shop-")), "shop.db"),
  });
  forgetShop();
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
  vi.spyOn(console, "error").mockImplementation(() => undefined); // the failures that the tests cause
  const ids = new Map<string, string>();

  async function payOrder({ id: name, amount, method, cardToken }: ShopOrder): Promise<ShopView> {
    const id = ids.get(name) ?? getShop().orders.create(amount);
    ids.set(name, id);
    const request = new Request(`http://localhost/orders/${id}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-forwarded-for": `${name}, 203.0.113.7` },
      body: JSON.stringify({ token: await cardToken?.() }),
    });
    const params = Promise.resolve({ id, method: method === "pix" ? "pix" : "card" });
    const response = await pay(request, { params }).catch(() => undefined);
    return response ? viewOf(await response.json()) : "waiting";
  }

  return {
    pay: payOrder,
    view: async (name) => viewOf(await show(ids.get(name) ?? "", "")),
    shipped: (name) =>
      log.mock.calls.filter(([line]) => line === `Order ${ids.get(name)} is paid: ship it.`).length,
    restart() {
      forgetShop();
      return recover();
    },
    failOnce: () =>
      void vi.spyOn(getShop().orders, "markPaid").mockImplementationOnce(() => {
        throw new Error("The database does not respond.");
      }),
    async stop() {
      vi.restoreAllMocks();
      server.closeAllConnections();
      server.close();
    },
  };
}

for (const { name, run } of shopTests({ start })) test(name, run, 30_000); // on a slow machine, more than Vitest's 5 seconds
