import { pause } from "../waiting.ts";
import type { Customer } from "./customer.ts";
import { type ForgedUrls, forgeUrls } from "./forged-urls.ts";
import { APPROVED, forEach, METHODS, type Rehearsal, rules } from "./rehearsal.ts";

const COPIES = 5;
const AT_ONCE = 5;

/** Milliseconds, until after a late response. */
const POSTING_MS = 1_100;
const REPEAT_MS = 20;

const REFUNDED = "An order was shipped after its money was returned";
const STILL_PAID = "The shop says that the order is paid, and the money was returned";

/** The service sends no postbacks: the test does. */
function holdPostbacks({ gateway }: Rehearsal): void {
  gateway.faults.add({ on: "postbacks", kind: "shop_500", times: Number.MAX_SAFE_INTEGER });
}

/** What a forger may try for the order of a customer. */
async function forge(customer: Customer, other: Customer): Promise<ForgedUrls> {
  const { orderUrl } = customer;
  await customer.expect(URL.canParse(orderUrl.url), "The shop sent no postbackUrl");
  return forgeUrls(orderUrl, other.orderUrl);
}

const RULES = rules({
  "a postback": {
    "that arrives several times, also at the same moment, ships once": async ({ newCustomer }) => {
      const customer = newCustomer("pix");
      const pix = await customer.orderPix();

      await customer.payCodes();
      await Promise.all(Array.from({ length: COPIES }, () => customer.post(pix, "approved")));
      await customer.isShippedOnce();
      await customer.post(pix, "approved");

      await customer.isShippedOnce();
    },

    ...forEach(
      "of another status that arrives after the payment changes nothing: %s",
      ["pending", "expired", "refused"] as const,
      async ({ newCustomer }, status) => {
        const customer = newCustomer("pix");
        const pix = await customer.orderPix();
        await customer.payCodes();
        await customer.isShippedOnce();

        await customer.post(pix, status);
        await customer.isShippedOnce();
        await customer.pay();

        await customer.hasOnePayment();
        await customer.isShippedOnce();
      },
    ),

    "of a payment that arrives after the refund ships nothing": async (rehearsal) => {
      holdPostbacks(rehearsal);
      const customer = rehearsal.newCustomer("pix");
      const pix = await customer.orderPix();
      await customer.payCodes();
      rehearsal.gateway.refund(pix.id);

      await customer.post(pix, "refunded");
      await customer.post(pix, "approved");

      await customer.isNotShipped(REFUNDED);
      await customer.eventually(async () => (await customer.reload()) !== "paid", STILL_PAID);
    },

    "over another amount ships nothing": async ({ newCustomer }) => {
      const customer = newCustomer("pix");
      const pix = await customer.orderPix();

      await customer.post(pix, "approved", { amount: 1 });
      await customer.pay();

      await customer.isNotShipped();
    },

    "at the URL of another order ships nothing": async ({ newCustomer }) => {
      const [customer, other] = [newCustomer("pix"), newCustomer("pix")];
      const pix = await customer.orderPix();
      await other.orderPix();

      const { ofOther: url } = await forge(customer, other);
      if (url !== undefined) await customer.post(pix, "approved", { url });

      await customer.isNotShipped();
      await other.isNotShipped();
    },

    ...forEach(
      "%s ships nothing, and the genuine one does",
      { "without a signature": "unsigned", "with a forged signature": "forged" } as const,
      async ({ newCustomer }, kind) => {
        const [customer, other] = [newCustomer("pix"), newCustomer("pix")];
        const pix = await customer.orderPix();
        await other.orderPix();

        const { [kind]: urls } = await forge(customer, other);
        for (const url of urls) await customer.post(pix, "approved", { url });
        await customer.isNotShipped();
        await customer.payCodes();

        await customer.isShippedOnce();
      },
    ),

    ...forEach(
      "that arrives before the response to its request ships once: %s",
      METHODS,
      async ({ newCustomer, gateway }, method) => {
        const customer = newCustomer(method);
        gateway.faults.add({ on: "transactions.create", kind: "late_response" });

        const page = customer.click();
        await customer.isRequested();
        await customer.payCodes();
        for (let postedMs = 0; postedMs < POSTING_MS; postedMs += REPEAT_MS) {
          await customer.postAll();
          await pause(REPEAT_MS);
        }
        await customer.seesPage(page);

        await customer.isShippedOnce();
        await customer.hasOnePayment();
      },
    ),
  },

  "a payment that is returned": forEach(
    "is not shipped again, and not shown as paid: %s",
    {
      "a refunded pix": ["pix", "refund"],
      "a pix that the banks return": ["pix", "med"],
      "a refunded card": [APPROVED, "refund"],
      "a card after a chargeback": [APPROVED, "chargeback"],
    } as const,
    async ({ newCustomer, gateway }, [method, move]) => {
      const customer = newCustomer(method);
      await customer.pay();
      await customer.payCodes();
      await customer.isShippedOnce();
      const payments = customer.atService.transactions;

      for (const { id } of payments) gateway[move](id);
      await customer.eventually(async () => (await customer.reload()) !== "paid", STILL_PAID);
      for (const payment of payments) await customer.post(payment, "approved");

      await customer.isShippedOnce();
    },
  ),

  "orders that are paid at the same moment": {
    "are all shipped once, and meanwhile others can pay": async ({ newCustomer }) => {
      const customers = Array.from({ length: AT_ONCE }, () => newCustomer("pix"));
      await Promise.all(customers.map((customer) => customer.orderPix()));

      await Promise.all(customers.map((customer) => customer.payCodes()));
      await newCustomer("pix").orderPix();

      await Promise.all(customers.map((customer) => customer.isShippedOnce()));
    },
  },
});

/** The shop's own work fails after the payment was confirmed. */
const FAILING_WORK_RULES = rules(
  {
    "an order whose payment the shop fails to record": {
      "is shipped once after its postback: pix": async ({ newCustomer, shop }) => {
        const customer = newCustomer("pix");
        await customer.orderPix();

        await shop.failOnce();
        await customer.payCodes();

        await customer.isShippedOnce();
      },

      "shows no error, and is shipped once after a postback: card": async ({ newCustomer, shop }) => {
        const customer = newCustomer(APPROVED);

        await shop.failOnce();
        await customer.pay();
        await customer.reload();
        await customer.postAll();

        await customer.isShippedOnce();
        await customer.isChargedAtMostOnce();
      },
    },
  },
  "failOnce",
);

/** What postbacks do, and what happens after them. */
export const POSTBACK_RULES = [...RULES, ...FAILING_WORK_RULES];
