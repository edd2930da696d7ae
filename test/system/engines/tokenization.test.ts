import { PaymentsClient } from "payments-sdk";
import type * as browserEntry from "payments-sdk/browser";
import { expect, onTestFinished, test } from "vitest";
import { inEachEngine, type Tab } from "../../support/engines/engine.ts";
import { aCardPayment } from "../runtimes/smoke/orders.ts";
import { CARD, openShop, type Shop } from "./support/shop.ts";

declare const PaymentsSDK: typeof browserEntry;

/** The token, or the reason of the failure. */
function tokenize(tab: Tab, { service: { baseUrl, gateway } }: Shop) {
  return tab.evaluate(
    async (options, { number, holderName, expiry, code }) => {
      const [expirationMonth = "", year] = expiry.split("/");
      const card = { number, holderName, expirationMonth, expirationYear: `20${year}`, cvv: code };
      try {
        return { token: (await new PaymentsSDK.CardTokenizer(options).tokenize(card)).value };
      } catch (error) {
        console.error(error);
        return { reason: error instanceof PaymentsSDK.ConnectionError ? error.reason : String(error) };
      }
    },
    { baseUrl, publicKey: gateway.publicKey, maxRetries: 0 },
    CARD,
  );
}

inEachEngine((tab) => {
  test("a page with a strict policy creates a token that can be charged", async () => {
    const shop = await openShop(tab, ["browser.global.js"]);

    const { token } = await tokenize(tab, shop);

    const { baseUrl, gateway } = shop.service;
    const { secretKey, publicKey } = gateway;
    const { transactions } = new PaymentsClient({ baseUrl, secretKey, publicKey });
    const { status } = await transactions.createCard(aCardPayment("order-1", token ?? ""));
    expect(status).toBe("approved");
    expect(await shop.violations()).toEqual([]);
    expect(await shop.traces()).toEqual([]);
  });

  test("a page that is offline gets an error of the connection, and a token once it is online", async () => {
    const shop = await openShop(tab, ["browser.global.js"]);
    onTestFinished(() => shop.setOffline(false));
    await shop.setOffline(true);

    const offline = await tokenize(tab, shop);
    await shop.setOffline(false);
    const online = await tokenize(tab, shop);

    expect(offline.reason).toMatch(tab.engine.setOffline ? /^offline$/ : /^network$/);
    expect(online.token).toMatch(/^eyJ/);
    expect(await shop.traces()).toEqual([]);
  });
});
