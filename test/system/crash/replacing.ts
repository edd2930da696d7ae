import type { PaymentsStore } from "payments-sdk/idempotency";
import type { Gateway } from "payments-sdk/sandbox";
import type { Attempt, Order } from "./plan.ts";

/** The id whose code the buyer sees, by reference. */
export type Seen = ReadonlyMap<string, string | undefined>;

/** Transactions of an order: those that were paid, and the others. */
const idsOf = (gateway: Gateway, externalRef: string, isPaid: boolean) =>
  gateway.transactions
    .filter((one) => one.externalId === externalRef && (one.status === "approved") === isPaid)
    .map(({ id }) => id);

/**
 * Three processes create every order again at the same time. All of them must get the same code, and the service at most
 * one new transaction.
 *
 * @param create - Runs a process, which returns the id of the transaction whose code it got.
 */
export async function replaceLostPix(
  orders: readonly Order[],
  create: (order: Order, attempt: Attempt) => Promise<{ readonly id: string | undefined }>,
  gateway: Gateway,
): Promise<{ readonly seen: Seen; readonly wrong: readonly string[] }> {
  const seen = new Map<string, string | undefined>();
  const wrong: string[] = [];
  for (const order of orders) {
    const { externalRef } = order;
    const before = gateway.chargesFor(externalRef).length;
    const processes = [1, 2, 3].map((nth) =>
      create(order, {
        name: `${externalRef}/again-${nth}`,
        moment: "at its end",
        drop: undefined,
        isAccepted: true,
      }),
    );
    const [first, ...others] = (await Promise.all(processes)).map(({ id }) => id);
    const added = gateway.chargesFor(externalRef).length - before;
    if (first === undefined || others.some((id) => id !== first) || added > 1) {
      wrong.push(`${externalRef}: processes got ${[first, ...others]}, with ${added} new transactions`);
    }
    seen.set(externalRef, first);
  }
  return { seen, wrong };
}

/** The buyer pays the code on the screen, or every code; the others expire. */
export function payPix({ externalRef, paysAll }: Order, seen: Seen, gateway: Gateway): void {
  for (const id of idsOf(gateway, externalRef, false)) {
    if (paysAll || seen.get(externalRef) === String(id)) gateway.pay(id);
    else if (gateway.chargesFor(externalRef).some((one) => one.id === id)) gateway.expire(id);
  }
}

/** Each order was paid once, unless its buyer paid every code; and exactly then a warning names the order. */
export async function checkPaid(
  orders: readonly Order[],
  store: PaymentsStore,
  warned: ReadonlySet<string>,
  gateway: Gateway,
): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const { externalRef } of orders) {
    const paid = idsOf(gateway, externalRef, true);
    const order = await store.get(externalRef);
    const isKnown = order?.transaction?.status === "approved" && paid.includes(Number(order.transactionId));
    const isReported = warned.has(externalRef) === paid.length > 1;
    if (paid.length === 0 || !isKnown || !isReported) {
      wrong.push(
        `${externalRef}: paid ${paid}, ${JSON.stringify(order)}, warned: ${warned.has(externalRef)}`,
      );
    }
  }
  return wrong;
}
