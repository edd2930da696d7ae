import { FAULT_KINDS } from "../../sandbox.ts";
import type { Customer } from "./customer.ts";
import { APPROVED, forEach, type Rehearsal, rules } from "./rehearsal.ts";

/** Faults after which it is certain that nothing was charged. */
const NOT_CHARGED = ["refused_connection", "rate_limited"] as const;

/** Faults in rules of their own. */
const OTHERS: readonly string[] = [...NOT_CHARGED, "late_response"];

const FAULTS = FAULT_KINDS.filter((kind) => !OTHERS.includes(kind));

/** Faults after which the response never ends. */
const STALLING: readonly string[] = ["charged_then_stalled", "stalled_body"];

const on = "transactions.create";
const NO_REQUEST = "The shop sent no request to the service";

/** A customer for each method, who do everything at the same moment. */
function oneForEachMethod({ newCustomer, paying }: Rehearsal) {
  const customers = paying.map((method) => newCustomer(method));
  return (step: (customer: Customer) => Promise<unknown>) => Promise.all(customers.map(step));
}

/** A request fails, or its response is lost. */
export const FAILURE_RULES = rules({
  "a card payment": forEach(
    "with the fault %s charges at most once, and shows no error if a charge may exist",
    FAULTS.filter((kind) => kind !== "pix_refused"),
    async ({ newCustomer, gateway }, kind) => {
      const customer = newCustomer(APPROVED);
      gateway.faults.add({ on, kind });

      await (STALLING.includes(kind) ? customer.payAndStall() : customer.pay());
      await customer.reload();
      await customer.reload();
      await customer.pay();

      await customer.isChargedAtMostOnce();
      if (!customer.atService.isPaid) return customer.isNotShipped();
      await customer.postAll();
      await customer.isShippedOnce();
    },
  ),

  "a pix payment": {
    ...forEach(
      "with the fault %s shows no error if a pix may exist, and ships once after its code is paid",
      FAULTS,
      async ({ newCustomer, gateway }, kind) => {
        const customer = newCustomer("pix");
        gateway.faults.add({ on, kind });

        await (STALLING.includes(kind) ? customer.payAndStall() : customer.pay());
        await customer.reload();
        const view = await customer.pay();

        if (view !== "code") return customer.isNotShipped();
        const shown = customer.atService.transactions.at(-1);
        const canBePaid = shown?.status === "pending";
        await customer.expect(canBePaid, "The shop shows a pix code that cannot be paid");
        gateway.pay(shown?.id ?? 0);
        await customer.isShippedOnce();
      },
    ),

    "that was lost and created again ships once if both codes are paid": async ({ newCustomer, gateway }) => {
      const customer = newCustomer("pix");
      gateway.faults.add({ on, kind: "charged_then_reset" });
      await customer.pay();
      await customer.pay();

      await customer.payCodes();

      await customer.isShippedOnce();
    },
  },

  "a request that was not sent": forEach("can be repeated: %s", NOT_CHARGED, async (rehearsal, kind) => {
    const { gateway, isUp, paying } = rehearsal;
    const each = oneForEachMethod(rehearsal);
    await each((customer) => customer.holdToken());
    gateway.faults.add({ on, kind, times: kind === "rate_limited" ? paying.length : 1 });

    await each((customer) => customer.pay());
    await each((customer) => customer.eventually(isUp, NO_REQUEST));
    await each((customer) => customer.pay());

    await each((customer) => customer.payCodes());
    await each((customer) => customer.isShippedOnce());
    await each((customer) => customer.isChargedAtMostOnce());
  }),

  "a service that is down for a while": {
    "keeps no one from paying later, and no one pays twice": async (rehearsal) => {
      const { gateway, isUp } = rehearsal;
      const each = oneForEachMethod(rehearsal);
      await each((customer) => customer.holdToken());
      gateway.faults.add({ on, kind: "refused_connection", times: 2 });

      await each((customer) => customer.pay());
      await each((customer) => customer.reload());
      await each((customer) => Promise.all([customer.pay(), customer.pay()]));
      await each((customer) => customer.eventually(isUp, NO_REQUEST));
      await each((customer) => customer.pay());

      await each((customer) => customer.hasOnePayment());
      await each((customer) => customer.payCodes());
      await each((customer) => customer.isShippedOnce());
    },
  },
});
