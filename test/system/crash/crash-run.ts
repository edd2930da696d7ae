import type { Gateway } from "payments-sdk/sandbox";
import { RECEIPTS, type Receipt } from "./cashier.ts";
import { countOf } from "./count-of.ts";
import { type Crash, crashAll, misled } from "./crashes.ts";
import { DROPS, MOMENTS, type Order, ordersOf } from "./plan.ts";
import { openScene, type Scene } from "./scene.ts";
import { deliverPostbacks, resolveByHand } from "./settling.ts";
import { chargedTwice, type Standings, standingsOf } from "./standings.ts";
import type { DatabaseKind } from "./start-database.ts";

export interface CrashOptions {
  readonly seed: number;
  /** How many orders. */
  readonly count: number;
}

/** What the crashes did, with a store or without. */
export interface CrashFigures {
  readonly kills: Readonly<Record<string, number>>;
  readonly requests: number;
  readonly drops: Readonly<Record<string, number>>;
  readonly transactions: number;
  readonly chargedTwice: readonly string[];
}

/** What became of the orders with a store. */
export interface StoreFigures extends CrashFigures {
  readonly crashed: Standings;
  readonly postbacks: number;
  readonly heard: Standings;
  readonly resolved: number;
  readonly settled: Standings;
  readonly again: Readonly<Record<string, number>>;
  /** What must not be, in words. */
  readonly wrong: readonly string[];
}

/** The same without a store: how often a merchant charges twice who sends an order anew that was not heard of. */
export function crashWithoutStore({ seed, count }: CrashOptions): Promise<CrashFigures> {
  const orders = ordersOf(seed, count);
  return inScene(orders, undefined, async (scene) => figuresOf(orders, await crashAll(orders, scene), scene));
}

/** Crashes, then postbacks, then a person, then every order once more. */
export function crashWithStore(kind: DatabaseKind, { seed, count }: CrashOptions): Promise<StoreFigures> {
  const orders = ordersOf(seed, count);
  return inScene(orders, kind, async (scene) => {
    const { store, gateway, service, cashier } = scene;
    if (store === undefined) throw new TypeError("There is no store.");
    const crashes = await crashAll(orders, scene);
    const crashed = await standingsOf(orders, store, gateway);

    const postbacks = await deliverPostbacks(orders, gateway, seed);
    const undelivered = gateway.deliveries.filter(({ status }) => status !== "delivered");
    const heard = await standingsOf(orders, store, gateway);

    const resolved = await resolveByHand(store, gateway);
    const settled = await standingsOf(orders, store, gateway);

    const receipts = await Promise.all(orders.map((order) => cashier.sell(order)));
    const final = await standingsOf(orders, store, gateway);

    const wrong = [
      ...misled(crashes, service.taken).map((name) => `${name} was told that nobody was charged`),
      ...[crashed, heard, settled, final].flatMap((standings) => standings.wrong),
      ...undelivered.map(({ body }) => `the postback of ${body.externalRef} was not taken`),
      ...receipts.flatMap((receipt, index) => complaintsAbout(orders[index], receipt, gateway)),
    ];
    const again = countOf(
      receipts.map(({ kind }) => kind),
      RECEIPTS,
    );
    const figures = figuresOf(orders, crashes, scene);
    return { ...figures, crashed, postbacks: postbacks.length, heard, resolved, settled, again, wrong };
  });
}

/** A customer is charged once in the end, or the card was refused. */
function complaintsAbout(
  order: Order | undefined,
  { kind, transactionId }: Receipt,
  gateway: Gateway,
): string[] {
  const { externalRef = "", card } = order ?? {};
  const charges = gateway.chargesFor(externalRef);
  const isRight =
    kind === "refused"
      ? card !== undefined && charges.length === 0
      : charges.length === 1 && charges[0]?.id === transactionId;
  return isRight ? [] : [`${externalRef} ended "${kind}" (${transactionId}), with ${charges.length} charges`];
}

function figuresOf(
  orders: readonly Order[],
  crashes: readonly Crash[],
  { service, gateway }: Scene,
): CrashFigures {
  return {
    kills: countOf(
      crashes.map(({ moment }) => moment),
      MOMENTS,
    ),
    requests: service.requests,
    drops: countOf(service.drops, DROPS),
    transactions: gateway.transactions.length,
    chargedTwice: chargedTwice(orders, gateway),
  };
}

async function inScene<Result>(
  orders: readonly Order[],
  kind: DatabaseKind | undefined,
  work: (scene: Scene) => Promise<Result>,
): Promise<Result> {
  const scene = await openScene(orders, kind);
  try {
    return await work(scene);
  } finally {
    await scene.close();
  }
}
