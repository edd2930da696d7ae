import { createReadStream, readdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

interface Charge {
  /** The create call that sent it. */
  readonly call: string;
  readonly at: number;
  isPaid: boolean;
  /** When it was cancelled or expired. */
  endedAt: number;
}

/** What the service and the shops have written down about an order. */
interface History {
  readonly charges: Map<string, Charge>;
  /** The process of each shipping. */
  readonly shippedBy: number[];
  /** Calls that may have replaced a lost pix. */
  readonly replacing: string[];
  /** Why a person had to look at it. */
  readonly reviews: string[];
  /** Calls that reported that nobody was charged for the order, and when. */
  readonly uncharged: { readonly call: string; readonly at: number }[];
  /** Calls that reported that they charged nobody, whatever earlier ones did. */
  readonly unchargedCalls: string[];
  readonly errors: string[];
}

export interface Judgement {
  /** Each must be zero. */
  readonly broken: Readonly<Record<string, number>>;
  readonly counts: Readonly<Record<string, number>>;
  /** The first orders that broke a promise. */
  readonly examples: readonly string[];
}

const EXAMPLES = 20;

type Check = (history: History, killed: ReadonlySet<number>) => boolean;

/** Promises, with how an order breaks them. */
const BROKEN_PROMISES: Readonly<Record<string, Check>> = {
  "customers charged twice": isChargedTwice,
  "paid and not shipped": (history) => countPaid(history) > 0 && history.shippedBy.length === 0,
  "shipped and not paid": (history) => countPaid(history) === 0 && history.shippedBy.length > 0,
  "shipped twice without a kill": (history, killed) => repetitionsOf(history) > cutsOf(history, killed),
  "charged, but reported as not charged": isMisreported,
  "calls that failed without an outcome": ({ errors }) => errors.length > 0,
};

/** Compares what the shops have written down with what the service has. @param killed - The lives that ended by SIGKILL. */
export async function judge(folder: string, killed: ReadonlySet<number>): Promise<Judgement> {
  const histories = await readHistories(folder);
  const broken = Object.fromEntries(Object.keys(BROKEN_PROMISES).map((name) => [name, 0]));
  const counts = { orders: 0, paid: 0, shipped: 0, "shipped again after a kill": 0, "for a person": 0 };
  const examples: string[] = [];
  for (const [externalRef, history] of histories) {
    counts.orders += 1;
    counts.paid += Math.min(1, countPaid(history));
    counts.shipped += Math.min(1, history.shippedBy.length);
    counts["shipped again after a kill"] += Math.min(repetitionsOf(history), cutsOf(history, killed));
    counts["for a person"] += history.reviews.length;
    for (const [name, isBroken] of Object.entries(BROKEN_PROMISES)) {
      if (!isBroken(history, killed)) continue;
      broken[name] = (broken[name] ?? 0) + 1;
      const details = { ...history, charges: [...history.charges] };
      if (examples.length < EXAMPLES) examples.push(`${externalRef}: ${name}: ${JSON.stringify(details)}`);
    }
  }
  return { broken, counts, examples };
}

async function readHistories(folder: string): Promise<ReadonlyMap<string, History>> {
  const histories = new Map<string, History>();
  for (const name of readdirSync(folder).filter((name) => name.startsWith("journal-"))) {
    const life = Number(name.replace("journal-", ""));
    for await (const line of createInterface({ input: createReadStream(join(folder, name)) })) {
      const [entry = "", externalRef = "", ...fields] = line.split("\t");
      const known = histories.get(externalRef);
      const history = known ?? newHistory();
      if (known === undefined) histories.set(externalRef, history);
      ENTRIES[entry]?.(history, fields, life);
    }
  }
  return histories;
}

const newHistory = (): History => {
  return {
    charges: new Map(),
    shippedBy: [],
    replacing: [],
    reviews: [],
    uncharged: [],
    unchargedCalls: [],
    errors: [],
  };
};

/** What each line of a journal adds. */
const ENTRIES: Readonly<
  Record<string, (history: History, fields: readonly string[], life: number) => unknown>
> = {
  charged: ({ charges }, [id = "", at, call = ""]) =>
    charges.set(id, { call, at: Number(at), isPaid: false, endedAt: Number.POSITIVE_INFINITY }),
  paid: ({ charges }, [id = ""]) => Object.assign(charges.get(id) ?? {}, { isPaid: true }),
  ended: ({ charges }, [id = "", at]) => Object.assign(charges.get(id) ?? {}, { endedAt: Number(at) }),
  shipped: ({ shippedBy }, _fields, life) => shippedBy.push(life),
  replacing: ({ replacing }, [call = ""]) => replacing.push(call),
  review: ({ reviews }, [reason = ""]) => reviews.push(reason),
  "nobody charged": ({ uncharged }, [at, call = ""]) => uncharged.push({ call, at: Number(at) }),
  "not charged": ({ unchargedCalls }, [call = ""]) => unchargedCalls.push(call),
  wrong: ({ errors }, [error = ""]) => errors.push(error),
};

const countPaid = ({ charges }: History) => [...charges.values()].filter(({ isPaid }) => isPaid).length;
const repetitionsOf = ({ shippedBy }: History) => Math.max(0, shippedBy.length - 1);
/** Shippings of processes that were killed, perhaps before they recorded them. */
const cutsOf = ({ shippedBy }: History, killed: ReadonlySet<number>) =>
  shippedBy.filter((life) => killed.has(life)).length;

/**
 * A charge must not be made while another one of the order can still be paid, even if that one expires later. Only a lost pix
 * may stay beside the one that replaced it. If both are paid, a person has to be asked.
 */
function isChargedTwice(history: History): boolean {
  const { charges, replacing, reviews } = history;
  const isPaidTwice = countPaid(history) > 1 && !reviews.includes("paid_twice");
  const made = [...charges.values()]; // oldest first
  const isBeside = ({ call, at }: Charge, nth: number) =>
    made
      .slice(0, nth)
      .some((earlier) => earlier.endedAt > at && (!replacing.includes(call) || earlier.call === call));
  return isPaidTwice || made.some(isBeside);
}

/** A call that reports that nobody was charged speaks for the earlier calls of the order, too, even if they charge later. */
function isMisreported({ charges, uncharged, unchargedCalls }: History): boolean {
  return [...charges.values()].some(
    (charge) =>
      unchargedCalls.includes(charge.call) ||
      uncharged.some(
        ({ call, at }) => charge.endedAt > at && (charge.at <= at || !isLater(charge.call, call)),
      ),
  );
}

/** A call is named by the life of its process, which increases, and its number in it. */
function isLater(call: string, other: string): boolean {
  const [[life = 0, number = 0], [otherLife = 0, otherNumber = 0]] = [toNumbers(call), toNumbers(other)];
  return life === otherLife ? number > otherNumber : life > otherLife;
}

const toNumbers = (call: string) => call.split("-").map(Number);
