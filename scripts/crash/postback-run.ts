import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { PaymentsClient } from "payments-sdk";
import type { PaymentsStore } from "payments-sdk/idempotency";
import { PostbackUrlSigner } from "payments-sdk/postbacks";
import type { Gateway } from "payments-sdk/sandbox";
import { startSandbox } from "payments-sdk/sandbox/server";
import { type Running, run } from "../../test/support/running.ts";
import { aPix } from "../../test/system/runtimes/smoke/orders.ts";
import { chance, chosen, SIGNING_KEYS } from "../../test/system/support/chance.ts";
import { type DatabaseKind, openStore } from "./databases.ts";
import { pickOne, SHOP_MOMENTS, type ShopSettings } from "./plan.ts";
import { startDatabase } from "./start-database.ts";

const SHOPS = 3;
const PAID_AT_ONCE = 6;

export interface PostbackFigures {
  /** Paid orders that were never shipped, although their postback arrived. */
  readonly lost: readonly string[];
  /** Broken promises. */
  readonly wrong: readonly string[];
  /** A summary. */
  readonly text: string;
}

interface ShopsSettings extends Pick<ShopSettings, "seed" | "database" | "journal"> {
  /** The number of postbacks, without those that are sent again. */
  readonly count: number;
  readonly folder: string;
}

/** Pays orders, and delivers two copies of each postback at once, to three shops that are killed again and again. */
export async function postbackRun(
  kind: DatabaseKind,
  { seed, count }: { readonly seed: number; readonly count: number },
): Promise<PostbackFigures> {
  await using cleanup = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "payments-sdk-crash-"));
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
  const { address: database } = await startDatabase(kind, folder, cleanup);
  const { store, close } = await openStore(database);
  cleanup.defer(async () => void (await close()));
  const shops = new Shops({ seed, count, database, folder, journal: join(folder, "journal") });
  cleanup.defer(() => shops.kill());
  const { gateway, ...sandbox } = await startSandbox({
    postbacks: { retries: 0, fetch: (url, init) => shops.deliver(url, init) },
  });
  cleanup.defer(sandbox.close);

  const { baseUrl, secretKey, publicKey } = sandbox;
  const payments = new PaymentsClient({
    ...{ baseUrl, secretKey, publicKey, idempotency: store },
    postbackUrl: "http://127.0.0.1/postbacks",
    postbackSigner: new PostbackUrlSigner({ keys: SIGNING_KEYS }),
  });
  const orders = Array.from({ length: count }, (_, index) => `order-${index + 1}`);
  for (const order of orders) await payments.transactions.createPix(aPix(order));

  const sentAgain = new Set<string>();
  const sell = async () => {
    for (let first = 0; first < count; first += PAID_AT_ONCE) {
      const batch = gateway.transactions.slice(first, first + PAID_AT_ONCE);
      for (const { id } of batch) gateway.pay(id);
      await gateway.settled();
    }
    await sendMissedAgain(gateway, store, shops, sentAgain);
    shops.end();
  };
  await Promise.all([sell(), ...Array.from({ length: SHOPS }, (_, slot) => shops.keepRunning(slot))]);
  return evaluate(orders, shops, sentAgain.size, `--part postbacks --seed ${seed} --orders ${count} ${kind}`);
}

/** A shop that was killed before it recorded a postback never had it. Of the others, none is sent again. */
async function sendMissedAgain(
  gateway: Gateway,
  store: PaymentsStore,
  shops: Shops,
  sentAgain: Set<string>,
): Promise<void> {
  while (true) {
    const had = new Set(shops.journal().map(({ order }) => order));
    for await (const { externalRef } of store.openPostbacks()) had.add(externalRef);
    const last = new Map(gateway.deliveries.map((delivery) => [delivery.body.externalRef ?? "", delivery]));
    const missed = [...last].filter(
      ([order, { attempts }]) => !had.has(order) && ![200, 500].includes(attempts[0]?.status ?? 0),
    );
    if (missed.length === 0) return;
    for (const [order, { id }] of missed) {
      sentAgain.add(order);
      gateway.resendPostback(id);
    }
    await gateway.settled();
    await setTimeout(100); // a claim of a shop that died may last some seconds
  }
}

/** Three processes, each of which is started again when it was killed. */
class Shops {
  /** The moment of each kill. */
  readonly kills: string[] = [];
  readonly killedLives = new Set<number>();
  readonly #settings: ShopsSettings;
  readonly #shops: (Running | undefined)[] = [];
  readonly #urls: (string | undefined)[] = [];
  #lives = 0;
  #deliveries = 0;
  #isEnding = false;

  constructor(settings: ShopsSettings) {
    this.#settings = settings;
  }

  /** Sends two copies of a postback. Returns the response that says most: a copy that a shop is handling gets a 503. */
  async deliver(url: string, init: RequestInit): Promise<Response> {
    this.#deliveries += 1;
    const nth = this.#deliveries;
    const copies = await Promise.allSettled([this.#send(url, init, nth, 1), this.#send(url, init, nth, 2)]);
    const responses = copies.flatMap((copy) => (copy.status === "fulfilled" ? copy.value : []));
    const response = responses.find(({ status }) => status !== 503) ?? responses[0];
    if (response === undefined) throw new Error("Both shops were killed.");
    return response;
  }

  /** Sends a postback to a shop that runs. */
  async #send(url: string, init: RequestInit, nth: number, copy: number): Promise<Response> {
    while (true) {
      const [first, ...others] = this.#urls.filter((known) => known !== undefined);
      if (first !== undefined) {
        const shop = pickOne([first, ...others], this.#settings.seed, "to", nth, copy);
        try {
          return await fetch(shop + new URL(url).search, init);
        } catch (error) {
          if ((error as { cause?: { code?: string } }).cause?.code !== "ECONNREFUSED") throw error;
        }
      }
      await setTimeout(10); // no shop had it
    }
  }

  async keepRunning(slot: number): Promise<void> {
    while (true) {
      const settings = this.#plan();
      const program = join(import.meta.dirname, "shop.ts");
      const cache = { NODE_COMPILE_CACHE: this.#settings.folder };
      const shop = run(process.execPath, [program, JSON.stringify(settings)], undefined, cache);
      shop.printed(/kill me/).then(shop.kill, () => undefined);
      const [url] = await shop.printed(/^http:\S+(?=\n)/);
      this.#urls[slot] = url;
      this.#shops[slot] = shop;
      if (this.#isEnding) shop.signal("SIGTERM");
      const end = await shop.ended;
      this.#urls[slot] = undefined;
      if (end === 0) return;
      if (end !== "SIGKILL") throw new Error(`Shop ${settings.life} ended with ${end}.\n${shop.stderr()}`);
      this.kills.push(/^dies (.+)$/m.exec(shop.stdout())?.[1] ?? "unexpectedly");
      this.killedLives.add(settings.life);
    }
  }

  /** Of those that start after every postback was sent, half live on. */
  #plan(): ShopSettings {
    const { seed, count, database, journal } = this.#settings;
    this.#lives += 1;
    const life = this.#lives;
    const isLast = this.#deliveries >= count && chance(seed, "is last", life) < 1 / 2;
    const moment =
      SHOP_MOMENTS[life - 1] ?? (isLast ? undefined : pickOne(SHOP_MOMENTS, seed, "moment", life));
    return { seed, life, database, journal, moment, nth: chosen(1, 8, seed, "nth", life) };
  }

  end(): void {
    this.#isEnding = true;
    for (const shop of this.#shops) shop?.signal("SIGTERM");
  }

  kill(): void {
    for (const shop of this.#shops) shop?.kill();
  }

  journal() {
    const text = readFileSync(this.#settings.journal, { encoding: "utf8", flag: "a+" });
    return Array.from(text.matchAll(/^(\d+)\t(\w+)\t(.+)$/gm), ([, life, entry, order = ""]) => {
      return { life: Number(life), entry, order };
    });
  }
}

/** A repetition is right only if the process that shipped was killed before it recorded that. */
function evaluate(orders: readonly string[], shops: Shops, sentAgain: number, name: string): PostbackFigures {
  const journal = shops.journal();
  const livesOf = (entry: string, order: string) =>
    journal.filter((line) => line.entry === entry && line.order === order).map(({ life }) => life);
  const lost = orders.filter((order) => livesOf("shipped", order).length === 0);
  const wrong = journal.filter(({ entry }) => entry === "review").map(({ order }) => `review of ${order}`);
  let [repeated, between] = [0, 0];
  for (const order of orders) {
    const shipped = livesOf("shipped", order);
    const recorded = livesOf("recorded", order);
    const cut = shipped.filter((life) => shops.killedLives.has(life) && !recorded.includes(life)).length;
    const repetitions = Math.max(0, shipped.length - 1);
    if (repetitions > cut) wrong.push(`${order} was shipped ${shipped.length} times, after ${cut} kills`);
    repeated += repetitions;
    between += cut;
  }
  const kills = shops.kills.length;
  if (repeated > kills) wrong.push(`${repeated} repetitions after ${kills} kills`);
  for (const moment of SHOP_MOMENTS) if (!shops.kills.includes(moment)) wrong.push(`no kill ${moment}`);
  const text = `${name}: ${kills} killed, ${between} runs of the callback cut between shipping and its record, ${sentAgain} postbacks sent again because no shop had them, ${repeated} shipped again, ${lost.length} lost`;
  return { lost, wrong, text };
}
