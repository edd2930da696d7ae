import { forEach, METHODS, needs, rules } from "./rehearsal.ts";

/** The shop's process ends, and starts again. */
export const RESTART_RULES = rules(
  {
    "a shop that restarts": {
      ...forEach(
        "before it has recorded a charge, charges once and ships once: %s",
        METHODS,
        async ({ newCustomer }, method) => {
          const customer = newCustomer(method);

          await customer.payAndRestart();
          await customer.reload();
          await customer.pay();
          await customer.payCodes();
          await customer.postAll();

          await customer.isShippedOnce();
          if (method !== "pix") await customer.isChargedAtMostOnce();
        },
      ),

      "before a pix is paid, ships it once": async ({ newCustomer, shop }) => {
        const customer = newCustomer("pix");
        await customer.orderPix();

        await shop.restart();
        await customer.payCodes();

        await customer.isShippedOnce();
      },

      "right after it has accepted a postback, ships once": async ({ newCustomer, shop, gateway }) => {
        const customer = newCustomer("pix");
        await customer.orderPix();
        await customer.payCodes();
        await gateway.settled();

        await shop.restart();

        await customer.isShippedOnce();
      },

      ...forEach(
        "after it has shipped, neither ships nor charges again: %s",
        METHODS,
        async ({ newCustomer, shop }, method) => {
          const customer = newCustomer(method);
          await customer.pay();
          await customer.payCodes();
          await customer.isShippedOnce();

          await shop.restart();
          await customer.postAll();
          await customer.pay();

          await customer.hasOnePayment();
          await customer.isShippedOnce();
        },
      ),

      "after its work has failed, ships once": needs("failOnce", async ({ newCustomer, shop, gateway }) => {
        const customer = newCustomer("pix");
        await customer.orderPix();
        await shop.failOnce();
        await customer.payCodes();
        await gateway.settled();

        await shop.restart();

        await customer.isShippedOnce();
      }),
    },
  },
  "restart",
);
