import type { Sandbox } from "payments-sdk/sandbox/server";
import { type Shop, type ShopOrder, type ShopService, shopTests } from "payments-sdk/testing";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { start } from "../../sandbox/support/running.ts";
import { tokenFor } from "../support/card-token.ts";
import { viewOfSample } from "./support/sample-view.ts";
import { type RoutesShop, startRoutesShop } from "./support/shop-routes.ts";

vi.setConfig({ maxConcurrency: 8, testTimeout: 30_000 }); // most of a test starts processes

const APPROVED = "4111111111111111";
const PENDING = "4000000000009235";

async function open(): Promise<{ sandbox: Sandbox; shop: RoutesShop }> {
  const sandbox = await start();
  const shop = await startRoutesShop(sandbox);
  onTestFinished(shop.stop);
  return { sandbox, shop };
}

const pay = async ({ shop, sandbox }: Awaited<ReturnType<typeof open>>, card = APPROVED) =>
  (await shop.post("/pay", { token: await tokenFor(sandbox, card) })).json();

describe("the routes for Nuxt and SvelteKit", () => {
  test.each([[null], [[]], ["token"], [{}], [{ token: 7 }]])(
    "charge nothing for a body without a token, and say so: %j",
    async (body) => {
      const { shop } = await open();

      const response = await shop.post("/pay", body);

      expect(await response.json()).toMatchObject({ again: true, text: expect.stringContaining("not been") });
    },
  );

  test("ship no card that was paid over another amount, and ask the customer not to pay again", async () => {
    const opened = await open();
    await pay(opened, PENDING);
    const { id, postBackUrl = "", externalId: externalRef } = opened.sandbox.gateway.transactions[0] ?? {};
    const body = JSON.stringify({ id, externalRef, status: "approved", amount: 500 });
    await fetch(postBackUrl, { method: "POST", headers: { "content-type": "application/json" }, body });

    const { text } = await pay(opened);

    expect(text).toContain("do not pay again");
    expect(opened.shop.printed()).not.toContain("ship it");
    expect(opened.shop.printed()).toContain(`Check ${externalRef}`);
  });

  test.each(["refund", "chargeback"] as const)("say after a %s that the money was returned", async (kind) => {
    const opened = await open();
    await pay(opened);
    const { gateway } = opened.sandbox;
    gateway[kind](gateway.transactions[0]?.id ?? 0);
    await gateway.settled();

    await expect.poll(async () => (await pay(opened)).text).toContain("returned your money");
    expect(await (await opened.shop.post("/pix", {})).json()).toEqual({
      text: expect.stringContaining("returned your money"),
    });
    expect(gateway.transactions).toHaveLength(1);
  });

  test("log a payment of an order that the shop does not know, and ship nothing", async () => {
    const { sandbox, shop } = await open();
    await shop.post("/pix", {});
    shop.changeOrders("DELETE FROM orders");

    sandbox.gateway.pay(sandbox.gateway.transactions[0]?.id ?? 0);
    await sandbox.gateway.settled();

    await expect.poll(shop.printed).toContain("no such order");
    expect(shop.printed()).not.toContain("ship it");
  });

  test("ship an approved card after a restart, if the process was killed before it did", async () => {
    const opened = await open();
    await pay(opened);
    opened.shop.changeOrders("UPDATE orders SET paidWith = NULL");

    await opened.shop.restart();

    await expect.poll(() => opened.shop.printed().match(/ship it/g)).toHaveLength(2);
  });
});

/** The sample sells one thing to one customer: a shop for each order. */
async function startShop(service: ShopService): Promise<Shop> {
  const shops = new Map<string, Promise<RoutesShop>>();

  return {
    async pay({ id, amount, method, cardToken }: ShopOrder) {
      const opening = shops.get(id) ?? startRoutesShop(service, amount);
      shops.set(id, opening);
      const shop = await opening;
      const body = { token: await cardToken?.() };
      return viewOfSample(await shop.post(method === "pix" ? "/pix" : "/pay", body).catch(() => undefined));
    },
    /** The buttons, without a text. The server decides what they do. */
    view: async () => "waiting",
    shipped: async (id) => ((await shops.get(id))?.printed().match(/ship it$/gm) ?? []).length,
    async restart() {
      for (const shop of shops.values()) await (await shop).restart();
    },
    async stop() {
      for (const shop of shops.values()) await (await shop).stop();
    },
  };
}

const tests = shopTests({ start: startShop, timeoutMs: 10_000 }).filter(
  ({ name }) => !/fails to record|work has failed/.test(name),
);

// The others do not apply: its work cannot fail.
for (const { name, run } of tests) test.concurrent(name, run);
