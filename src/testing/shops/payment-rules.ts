import {
  APPROVED,
  APPROVED_LATER,
  DECLINED,
  DECLINED_LATER,
  forEach,
  METHODS,
  PENDING,
  rules,
} from "./rehearsal.ts";

/** Milliseconds, longer than a card is processed. */
const PROCESSING_MS = 6_000;

/** Milliseconds, longer than a card token is valid. */
const TOKEN_LIFETIME_MS = 5 * 60_000 + 1_000;

const NOT_SHOWN = "The shop does not show that the card was declined";

/** The service responds as specified. */
export const PAYMENT_RULES = rules({
  "a pix": {
    "is shipped once after it is paid": async ({ newCustomer }) => {
      const customer = newCustomer("pix");
      await customer.orderPix();

      await customer.payCodes();

      await customer.isShippedOnce();
    },

    "is not shipped while it is unpaid": async ({ newCustomer }) => {
      const customer = newCustomer("pix");

      await customer.orderPix();

      await customer.isNotShipped();
    },

    ...forEach(
      "is not shipped if it %s",
      { expires: "expire", "is cancelled": "cancel" } as const,
      async ({ newCustomer, gateway }, move) => {
        const customer = newCustomer("pix");
        const { id } = await customer.orderPix();

        gateway[move](id);

        await customer.isNotShipped();
      },
    ),
  },

  "a card": {
    "that is approved is charged and shipped once, without a postback and with one": async ({
      newCustomer,
    }) => {
      const customer = newCustomer(APPROVED);

      await customer.pay();

      await customer.isShippedOnce();
      await customer.postAll();
      await customer.isShippedOnce();
      await customer.isChargedAtMostOnce();
    },

    "that is declined is not shipped, and shown as declined, and another one can pay": async ({
      newCustomer,
    }) => {
      const customer = newCustomer(DECLINED);

      await customer.expect((await customer.pay()) === "declined", NOT_SHOWN);
      await customer.isNotShipped();
      await customer.payWith(APPROVED);
      await customer.isShippedOnce();
      await customer.postAll(); // also that the first one was declined
      await customer.isShippedOnce();
      await customer.pay();

      await customer.isShippedOnce();
      await customer.isChargedAtMostOnce();
    },

    "that is processed first is shipped once after it is approved": async ({ newCustomer, gateway }) => {
      const customer = newCustomer(APPROVED_LATER);
      await customer.pay();
      await customer.pay();

      gateway.clock.advance(PROCESSING_MS);

      await customer.isShippedOnce();
      await customer.isChargedAtMostOnce();
    },

    "that is processed first is not shipped if it is declined": async ({ newCustomer, gateway }) => {
      const customer = newCustomer(DECLINED_LATER);
      await customer.pay();

      gateway.clock.advance(PROCESSING_MS);

      await customer.isNotShipped();
    },

    "that is pending is not shipped": async ({ newCustomer }) => {
      const customer = newCustomer(PENDING);

      await customer.pay();

      await customer.isNotShipped();
    },

    "whose token expired while the customer waited can be paid with a new one": async ({
      newCustomer,
      gateway,
    }) => {
      const customer = newCustomer(APPROVED);
      await customer.holdToken();
      gateway.clock.advance(TOKEN_LIFETIME_MS);

      await customer.pay();
      customer.renewToken();
      await customer.pay();

      await customer.isShippedOnce();
      await customer.isChargedAtMostOnce();
    },
  },

  "a customer who": {
    "changes from pix to card, and pays both, gets one shipment": async ({ newCustomer }) => {
      const customer = newCustomer("pix");
      await customer.orderPix();

      await customer.payWith(APPROVED);
      await customer.payCodes();
      await customer.postAll();

      await customer.isShippedOnce();
    },

    ...forEach("clicks twice at the same moment pays once: %s", METHODS, async ({ newCustomer }, method) => {
      const customer = newCustomer(method);

      const views = await Promise.all([customer.pay(), customer.pay()]);

      await customer.expectNoDenial(...views);
      await customer.hasOnePayment();
      await customer.payCodes();
      await customer.isShippedOnce();
    }),

    ...forEach(
      "reloads the page and clicks again pays once: %s",
      METHODS,
      async ({ newCustomer }, method) => {
        const customer = newCustomer(method);
        await customer.pay();

        await customer.reload();
        await customer.pay();
        await customer.hasOnePayment();
        await customer.payCodes();
        await customer.isShippedOnce();
        await customer.pay();

        await customer.hasOnePayment();
        await customer.isShippedOnce();
      },
    ),
  },
});
