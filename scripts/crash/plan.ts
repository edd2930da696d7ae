import { chance, chosen } from "../../test/system/support/chance.ts";
import type { DatabaseAddress } from "./databases.ts";

/** When a process is killed, in chronological order. */
export const MOMENTS = [
  "before the claim",
  "during the claim",
  "between claim and send",
  "during the send",
  "before the record",
  "during the record",
  "at its end",
] as const;
export type Moment = (typeof MOMENTS)[number];

/** When a connection is dropped. */
export const DROPS = [
  "before it was accepted",
  "after it was accepted",
  "in the middle of the response",
] as const;
export type Drop = (typeof DROPS)[number];

const ATTEMPTS = 3;
const DROPPED = 3 / 10;
const LOST_POSTBACKS = 1 / 4;

/**
 * The leases of a client last half a minute or more. Here they are short, so that the run does not wait for the leases of
 * dead processes.
 */
export const LEASE_MS = 2_000;

/** One process that wants to send an order. */
export interface Attempt {
  readonly name: string;
  readonly moment: Moment;
  readonly drop: Drop | undefined;
  /** Whether the service accepts a request whose sender is killed while it sends. */
  readonly isAccepted: boolean;
}

export interface Order {
  readonly externalRef: string;
  /** Cents. */
  readonly amount: number;
  /** Whether all its processes run at the same time; otherwise each begins when the one before it was killed. */
  readonly isRush: boolean;
  /** Whether no postback of it arrives. */
  readonly isPostbackLost: boolean;
  readonly attempts: readonly Attempt[];
}

const AT_ITS_END = { moment: "at its end", drop: undefined } as const;

/** How the first orders begin, so that a short run covers every moment and drop. The rest is random. */
const BEGINNINGS: readonly Pick<Attempt, "moment" | "drop">[] = [
  ...MOMENTS.map((moment) => ({ moment, drop: undefined })),
  ...DROPS.map((drop) => ({ ...AT_ITS_END, drop })),
];

export function planOrders(seed: number, count: number): readonly Order[] {
  return Array.from({ length: count }, (_, index) => planOrder(seed, index + 1));
}

function planOrder(seed: number, number: number): Order {
  const beginning = BEGINNINGS[number - 1];
  const isOpen = beginning === undefined;
  const first = isOpen ? [] : [beginning, AT_ITS_END];
  const attempts = Array.from({ length: ATTEMPTS }, (_, index): Attempt => {
    const attempt = index + 1;
    const isDropped = chance(seed, "is dropped", number, attempt) < DROPPED;
    return {
      name: `order-${number}/${attempt}`,
      moment: pickOne(MOMENTS, seed, "moment", number, attempt),
      drop: isDropped ? pickOne(DROPS, seed, "drop", number, attempt) : undefined,
      isAccepted: chance(seed, "is taken", number, attempt) < 1 / 2,
      ...first[index],
    };
  });
  return {
    externalRef: `order-${number}`,
    amount: chosen(100, 100_000, seed, "amount", number),
    isRush: isOpen && chance(seed, "is rush", number) < 1 / 3,
    isPostbackLost: isOpen && chance(seed, "is lost", number) < LOST_POSTBACKS,
    attempts,
  };
}

export function pickOne<Item>(items: readonly [Item, ...Item[]], ...of: Parameters<typeof chance>): Item {
  return items[chosen(0, items.length - 1, ...of)] ?? items[0];
}

/** When a shop is killed. */
export const SHOP_MOMENTS = [
  "during the claim",
  "as the callback begins",
  "before shipping",
  "after shipping",
  "during the record",
  "while idle",
] as const;

/** The one argument of the process of a shop, as JSON. */
export interface ShopSettings {
  readonly seed: number;
  /** Distinguishes the processes of a run. */
  readonly life: number;
  readonly database: DatabaseAddress;
  /** A file to which every process appends. */
  readonly journal: string;
  /** `undefined`: it lives until the end. */
  readonly moment: (typeof SHOP_MOMENTS)[number] | undefined;
  /** It is killed at or after this run of the callback, counted from 1. */
  readonly nth: number;
}
