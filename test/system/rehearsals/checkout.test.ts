import { type Shop, type ShopOrder, type ShopService, type ShopView, shopTests } from "payments-sdk/testing";
import { test, vi } from "vitest";
import { type Order, PRODUCT } from "../../../examples/checkout/server/orders.ts";
import { startShop } from "../../../examples/checkout/server/start-shop.ts";
import type { OrderState, OrderView, RefusedPayment } from "../../../examples/checkout/shared/order-view.ts";
import { BUYER } from "../support/open-shop.ts";

vi.setConfig({ maxConcurrency: 20 }); // a shop mostly waits

/** What the page shows in each state. */
function viewOf(state: OrderState): ShopView {
  if (state.kind === "pix") return "code";
  if (state.kind === "paid") return "paid";
  if (state.kind !== "open") return "waiting";
  if (state.ended?.method === "card") return "declined";
  return state.ended === undefined ? "error" : "waiting"; // "if you have paid the code, do not pay again"
}

/** The requests of the page in examples/checkout/page. */
async function start(service: ShopService): Promise<Shop> {
  const shipments: Order[] = [];
  let isFailing = false;
  const ship = (order: Order) => {
    if (!isFailing) return void shipments.push(order);
    isFailing = false;
    throw new Error("the shop's database is down");
  };
  const shop = await startShop({ service, ship, log: () => undefined });
  const orders = new Map<string, Order>();
  const urlOf = (id: string) => `${shop.url}/orders/${orders.get(id)?.id}`;
  const load = async (id: string) => (await (await fetch(`${urlOf(id)}/state`)).json()) as OrderView;

  async function post({ id, method, cardToken }: ShopOrder): Promise<ShopView> {
    const { revision } = await load(id);
    const token = { installments: 1, token: await cardToken?.() };
    const response = await fetch(`${urlOf(id)}/${method === "pix" ? "pix" : "card"}`, {
      method: "POST",
      headers: { "content-type": "application/json", "sec-fetch-site": "same-origin" },
      body: JSON.stringify({ revision, buyer: BUYER, ...(method === "pix" ? {} : token) }),
    });
    if (response.status !== 200 && response.status !== 409) return viewOf((await load(id)).state);
    const answer = (await response.json()) as OrderView | RefusedPayment;
    if (!("refusal" in answer)) return viewOf(answer.state);
    return answer.refusal.code === "no_pix" ? "waiting" : viewOf(answer.order.state);
  }

  return {
    pay(order) {
      if (!orders.has(order.id)) orders.set(order.id, shop.orders.create(order.amount / PRODUCT.quantity));
      return post(order);
    },
    view: async (id) => viewOf((await load(id)).state),
    shipped: (id) => shipments.filter((order) => order === orders.get(id)).length,
    failOnce() {
      isFailing = true;
    },
    stop: () => shop.close(),
  };
}

const tests = shopTests({ start, timeoutMs: 10_000 }).filter(
  ({ name }) => !name.startsWith("a shop that restarts"),
);

// Those of a restart do not apply: it forgets these orders.
for (const { name, run } of tests) test.concurrent(name, run);
