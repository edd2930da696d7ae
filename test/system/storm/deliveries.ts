import { PostbackUrlSigner } from "payments-sdk/postbacks";
import { chance, chosen } from "./chance.ts";
import { SIGNING_KEYS } from "./signing-keys.ts";

export const ORDERS = 200;
const STATUSES = ["pending", "processing", "approved", "refunded"] as const;
export const DELIVERIES = 2_000;

const SIGNER = new PostbackUrlSigner({ keys: SIGNING_KEYS });

/** What the service has to say of an order, to be handled once. */
export interface StatusChange {
  /** As the receiver writes it down: the transaction and its status. */
  readonly name: string;
  /** Path and signed query of the order's postback URL. */
  readonly path: string;
  readonly body: string;
}

/** One of the times that the service says it. */
export interface Delivery {
  readonly id: number;
  readonly change: StatusChange;
}

/** Every status of every order. */
export async function statusChanges(seed: number): Promise<readonly StatusChange[]> {
  const orders = Array.from({ length: ORDERS }, (_, index) => changesOfOrder(seed, index + 1));
  return (await Promise.all(orders)).flat();
}

async function changesOfOrder(seed: number, number: number): Promise<readonly StatusChange[]> {
  const externalRef = `order-${number}`;
  const amount = chosen(100, 100_000, seed, "amount", number);
  const url = new URL(await SIGNER.sign("https://shop.example/postbacks", { externalRef, amount }));
  return STATUSES.map((status, minute) => {
    const transactionDate = new Date(Date.UTC(2026, 10, 21, 12, minute)).toISOString();
    return {
      name: `${number} ${status}`,
      path: url.pathname + url.search,
      body: JSON.stringify({ id: number, status, externalRef, amount, transactionDate }),
    };
  });
}

/** Every change at least once, some often, shuffled; half of the duplicates come together with another one. */
export function shuffledDeliveries(seed: number, changes: readonly StatusChange[]): readonly Delivery[] {
  const placed = Array.from({ length: DELIVERIES }, (_, id) => {
    const isDuplicate = id >= changes.length;
    const original = isDuplicate ? chosen(0, changes.length - 1, seed, "duplicate of", id) : id;
    const isTogether = isDuplicate && chance(seed, "together", id) < 1 / 2;
    const change = changes[original];
    if (change === undefined) throw new RangeError(`no change ${original}`);
    return { place: chance(seed, "place", isTogether ? original : id), delivery: { id, change } };
  });
  return placed.sort((one, other) => one.place - other.place).map(({ delivery }) => delivery);
}
