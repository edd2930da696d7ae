import { chance, chosen } from "../storm/chance.ts";

/** When a process is killed, in the order of its life. */
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
export const DROPS = ["before it was taken", "after it was taken", "in the middle of the answer"] as const;
export type Drop = (typeof DROPS)[number];

const ATTEMPTS = 3;
const DROPPED = 3 / 10;
const LOST_POSTBACKS = 1 / 4;

const CARDS = ["4111111111111111", "4000000000009995"] as const; // approved, refused

/** One process that wants to send an order. */
export interface Attempt {
  readonly name: string;
  readonly moment: Moment;
  readonly drop: Drop | undefined;
  /** Whether the service takes a request whose sender is killed while it sends. */
  readonly isTaken: boolean;
}

export interface Order {
  readonly externalRef: string;
  /** Cents. */
  readonly amount: number;
  /** Missing on a pix. */
  readonly card: string | undefined;
  /** Whether all its processes run at the same time; else each begins when the one before it is dead. */
  readonly isRush: boolean;
  /** Whether a pix is paid, and its postback comes, before the create is answered. */
  readonly isPaidAtOnce: boolean;
  /** Whether no other postback of it comes. */
  readonly isPostbackLost: boolean;
  readonly attempts: readonly Attempt[];
}

type Begun = Pick<Attempt, "moment" | "drop">;

const AT_ITS_END: Begun = { moment: "at its end", drop: undefined };

/** How the first orders begin, so that a short run meets all that can happen. What comes after is left to chance. */
const BEGINNINGS: readonly Begun[] = [
  ...MOMENTS.map((moment) => ({ moment, drop: undefined })),
  ...DROPS.map((drop) => ({ ...AT_ITS_END, drop })),
];

export function ordersOf(seed: number, count: number): readonly Order[] {
  return Array.from({ length: count }, (_, index) => orderOf(seed, index + 1));
}

function orderOf(seed: number, number: number): Order {
  const beginning = BEGINNINGS[number - 1];
  const isOpen = beginning === undefined;
  const isCard = isOpen && chance(seed, "is card", number) < 1 / 2;
  const first = beginning === undefined ? [] : [beginning, AT_ITS_END];
  return {
    externalRef: `order-${number}`,
    amount: chosen(100, 100_000, seed, "amount", number),
    card: isCard ? oneOf(CARDS, seed, "card", number) : undefined,
    isRush: isOpen && chance(seed, "is rush", number) < 1 / 3,
    isPaidAtOnce: isOpen && !isCard && chance(seed, "is paid at once", number) < 1 / 3,
    isPostbackLost: isOpen && chance(seed, "is lost", number) < LOST_POSTBACKS,
    attempts: Array.from({ length: ATTEMPTS }, (_, index) => ({
      ...attemptOf(seed, number, index + 1),
      ...first[index],
    })),
  };
}

function attemptOf(seed: number, order: number, number: number): Attempt {
  const isDropped = chance(seed, "is dropped", order, number) < DROPPED;
  return {
    name: `order-${order}/${number}`,
    moment: oneOf(MOMENTS, seed, "moment", order, number),
    drop: isDropped ? oneOf(DROPS, seed, "drop", order, number) : undefined,
    isTaken: chance(seed, "is taken", order, number) < 1 / 2,
  };
}

export function oneOf<Item>(items: readonly Item[], ...of: Parameters<typeof chance>): Item {
  const item = items[chosen(0, items.length - 1, ...of)];
  if (item === undefined) throw new RangeError("There is nothing to choose from.");
  return item;
}
