import type { Sandbox } from "payments-sdk/sandbox/server";
import { shopTests } from "payments-sdk/testing";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { start } from "../../sandbox/support/running.ts";
import { tokenFor } from "../support/card-token.ts";
import { createJsonShop } from "./support/json-shop.ts";
import { type RoutesShop, startRoutesShop } from "./support/shop-routes.ts";

vi.setConfig({ maxConcurrency: 8, testTimeout: 30_000 }); // most of a test starts processes

const APPROVED = "4111111111111111";

async function open(): Promise<{ sandbox: Sandbox; shop: RoutesShop }> {
  const sandbox = await start();
  const shop = await startRoutesShop(sandbox);
  onTestFinished(shop.stop);
  return { sandbox, shop };
}

const pay = async ({ shop, sandbox }: Awaited<ReturnType<typeof open>>) =>
  (await shop.post("/pay", { token: await tokenFor(sandbox, APPROVED) })).json();

describe("the routes for Nuxt and SvelteKit", () => {
  test.each([[null], [[]], ["token"], [{}], [{ token: 7 }]])(
    "charge nothing for a body without a token, and say so: %j",
    async (body) => {
      const { shop } = await open();

      const response = await shop.post("/pay", body);

      expect(await response.json()).toMatchObject({ again: true, text: expect.stringContaining("not been") });
    },
  );

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

const tests = shopTests({
  start: async (service) => createJsonShop((amount) => startRoutesShop(service, amount)),
  timeoutMs: 10_000,
}).filter(({ name }) => !/fails to record|work has failed/.test(name));

// The others do not apply: its work cannot fail.
for (const { name, run } of tests) test.concurrent(name, run);
