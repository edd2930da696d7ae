import { PaymentsClient } from "payments-sdk";
import type * as browserEntry from "payments-sdk/browser";
import { expect, test } from "vitest";
import { inEachEngine } from "../../support/engines/engine.ts";
import { aCardPayment } from "../runtimes/smoke/orders.ts";
import { CARD, openShop } from "./support/shop.ts";

declare const PaymentsSDK: typeof browserEntry;

inEachEngine((tab) => {
  test("a page with a strict policy creates a token that can be charged", async () => {
    const shop = await openShop(tab, ["browser.global.js"]);

    const { baseUrl, gateway } = shop.service;
    const { secretKey, publicKey } = gateway;

    const token = await tab.evaluate(
      async (options, { number, holder: holderName, expiry, code: cvv }) => {
        const [expirationMonth = "", year] = expiry.split("/");
        const card = { number, holderName, expirationMonth, expirationYear: `20${year}`, cvv };
        return (await new PaymentsSDK.CardTokenizer(options).tokenize(card)).value;
      },
      { baseUrl, publicKey },
      CARD,
    );

    const { transactions } = new PaymentsClient({ baseUrl, secretKey, publicKey });
    const { status } = await transactions.createCard(aCardPayment("order-1", token));
    expect(status).toBe("approved");
    expect(await shop.violations()).toEqual([]);
    expect(await shop.traces()).toEqual([]);
  });
});
