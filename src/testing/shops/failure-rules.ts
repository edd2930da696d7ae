import { FAULT_KINDS } from "../../sandbox.ts";
import type { Customer } from "./customer.ts";
import { APPROVED, forEach, METHODS, rules } from "./rehearsal.ts";

/** Faults after which it is certain that nothing was charged. */
const NOT_CHARGED = { refused_connection: "refused_connection", rate_limited: "rate_limited" } as const;

/** All others; a late response is one of the postback rules. */
const FAULTS = Object.fromEntries(
  FAULT_KINDS.filter((kind) => !(kind in NOT_CHARGED) && kind !== "late_response").map((kind) => [
    kind,
    kind,
  ]),
);

const on = "transactions.create";
const NO_REQUEST = "The shop sent no request to the service";
const STUCK = "The customer cannot pay, although nothing was charged";

/** A request fails, or its response is lost. */
export const FAILURE_RULES = rules({
  "a card payment": forEach(
    "with the fault %s charges at most once, and shows no error if a charge may exist",
    FAULTS,
    async ({ newCustomer, gateway }, kind) => {
      const customer = newCustomer(APPROVED);
      await customer.holdToken();
      gateway.faults.add({ on, kind });

      await customer.payThroughFault();
      await customer.reload();
      await customer.pay();

      await customer.isChargedAtMostOnce();
      if (customer.transactions.length === 0) return customer.isNotShipped();
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

        await customer.payThroughFault();
        await customer.reload();
        const view = await customer.pay();

        const shown = customer.transactions.at(-1);
        if (view !== "code" || shown === undefined) return customer.isNotShipped();
        gateway.pay(shown.id);
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

  "a request that was not sent": forEach(
    "can be repeated: %s",
    combine(METHODS, NOT_CHARGED),
    async ({ newCustomer, gateway, isUp }, [method, kind]) => {
      const customer = newCustomer(method);
      await customer.holdToken();
      gateway.faults.add({ on, kind });

      await customer.payThroughFault();
      await customer.eventually(isUp, NO_REQUEST);
      await customer.pay();

      await customer.expect(customer.transactions.length > 0, STUCK);
      await customer.payCodes();
      await customer.isShippedOnce();
      await customer.isChargedAtMostOnce();
    },
  ),

  "a service that is down for a while": {
    "keeps no one from paying later, and no one pays twice": async ({ newCustomer, gateway, isUp }) => {
      const customers = [newCustomer("pix"), newCustomer(APPROVED)];
      const all = (step: (customer: Customer) => Promise<unknown>) => Promise.all(customers.map(step));
      await all((customer) => customer.holdToken());
      gateway.faults.add({ on, kind: "refused_connection", times: 2 });

      await all((customer) => customer.pay());
      await all((customer) => customer.reload());
      await all((customer) => Promise.all([customer.pay(), customer.pay()]));
      await all((customer) => customer.eventually(isUp, NO_REQUEST));
      await all((customer) => customer.pay());

      await all((customer) => customer.hasOnePayment());
      await all((customer) => customer.payCodes());
      await all((customer) => customer.isShippedOnce());
    },
  },
});

/** Each of some cases with each of others. */
function combine<First, Second>(
  first: Readonly<Record<string, First>>,
  second: Readonly<Record<string, Second>>,
): Record<string, readonly [First, Second]> {
  const pairs = Object.entries(first).flatMap(([name, one]) =>
    Object.entries(second).map(([other, two]) => [`${name}, ${other}`, [one, two] as const] as const),
  );
  return Object.fromEntries(pairs);
}
