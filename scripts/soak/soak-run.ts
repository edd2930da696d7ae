import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { startWorker, type Worker } from "../../bench/helpers.ts";
import type { DatabaseKind } from "../crash/databases.ts";
import { type Database, startDatabase } from "../crash/start-database.ts";
import { sizeOf } from "./database-size.ts";
import { type Judgement, judge } from "./judge.ts";
import type {
  ServiceAddress,
  ServiceSettings,
  ServiceTask,
  ShopFigures,
  ShopSettings,
  ShopTask,
} from "./plan.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** In which second of a minute a shop is killed, in turn: while the service works, and while it fails. */
const KILLED_AT_MS = [10_000, 40_000] as const;
const RESTART_EVERY_MS = 15 * MINUTE_MS;
/** So that a run of an hour deletes records for most of its time. No order takes so long. */
const RETENTION_MS = 10 * MINUTE_MS;
/** How long a process that has closed everything may take to end. */
const END_MS = 5_000;

/** The shops. The last one is killed each minute; the others live until the end, so that leaks add up. */
const TRANSPORTS = ["fetch", "nodeTransport", "fetch"] as const;
const KILLED_SHOP = TRANSPORTS.length - 1;

export interface SoakOptions {
  readonly hours: number;
  /** Create calls per second. */
  readonly rate: number;
}

/** What was measured since the sample before, by name. */
export type Sample = Readonly<Record<string, number>>;

/** What must not grow. The other shop is killed each minute. */
export const MUST_BE_FLAT = [
  "heap of shop 1, MB",
  "heap of shop 2, MB",
  "database, bytes per order",
] as const;

export interface SoakResult extends Judgement {
  readonly samples: readonly Sample[];
  readonly outcomes: Readonly<Record<string, number>>;
}

interface Shop {
  readonly settings: ShopSettings;
  readonly worker: Worker;
  readonly url: string;
}

export async function soakRun(
  kind: DatabaseKind,
  options: SoakOptions,
  onSample: (sample: Sample) => void,
): Promise<SoakResult> {
  await using cleanup = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "payments-sdk-soak-"));
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
  const run = new SoakRun(await startDatabase(kind, folder, cleanup), folder, options);
  cleanup.defer(() => run.kill());
  await run.start();
  await run.sell(onSample);
  return await run.end(); // before the processes are killed
}

class SoakRun {
  readonly #database: Database;
  readonly #folder: string;
  readonly #options: SoakOptions;
  readonly #startedAt = Date.now();
  readonly #service: Worker;
  readonly #shops: Shop[] = [];
  readonly #killed = new Set<number>();
  readonly #samples: Sample[] = [];
  readonly #outcomes: Record<string, number> = {};
  #taken: ShopFigures[] = [];
  /** Of the database, before the first order. */
  #emptyBytes = 0;
  #address: ServiceAddress | undefined;
  #lives = 0;
  #problems = { "processes that ended wrongly": 0, "listeners left": 0, "orders or postbacks left open": 0 };

  constructor(database: Database, folder: string, options: SoakOptions) {
    this.#database = database;
    this.#folder = folder;
    this.#options = options;
    const journal = join(folder, "journal-0");
    const settings: ServiceSettings = { journal, rate: options.rate, startedAt: this.#startedAt };
    this.#service = startWorker(join(import.meta.dirname, "service.ts"), [JSON.stringify(settings)]);
  }

  async start(): Promise<void> {
    this.#address = await this.#service.ask<ServiceAddress>("start" satisfies ServiceTask);
    this.#emptyBytes = await sizeOf(this.#database.address);
    await Promise.all(TRANSPORTS.map((_, slot) => this.#startShop(slot, [])));
    await this.#tellService();
  }

  async kill(): Promise<void> {
    for (const { worker } of this.#shops) await worker[Symbol.asyncDispose]();
    await this.#service[Symbol.asyncDispose]();
  }

  /** Sells until the time is over; meanwhile measures, kills and restarts, one after the other. */
  async sell(onSample: (sample: Sample) => void): Promise<void> {
    const ms = this.#options.hours * 60 * MINUTE_MS;
    const every = (intervalMs: number, offsetMs: (nth: number) => number, action: () => Promise<void>) =>
      Array.from({ length: Math.ceil(ms / intervalMs) }, (_, nth) => {
        return { at: nth * intervalMs + offsetMs(nth), action };
      }).filter(({ at }) => at <= ms);
    const sampleMs = Math.min(MINUTE_MS, ms / 12);
    const restartMs = Math.min(RESTART_EVERY_MS, ms / 4);
    const events = [
      ...every(
        MINUTE_MS,
        (nth) => KILLED_AT_MS[nth % 2] ?? 0,
        () => this.#killShop(),
      ),
      ...every(
        restartMs,
        () => restartMs,
        () => this.#restart(),
      ).filter(({ at }) => at < ms),
      ...every(
        sampleMs,
        () => sampleMs,
        async () => onSample(await this.#sample()),
      ),
    ];
    for (const { at, action } of events.toSorted((one, other) => one.at - other.at)) {
      await pause(Math.max(0, this.#startedAt + at - Date.now()));
      await action();
    }
  }

  /** Finishes what is open, and compares the shops with the service. */
  async end(): Promise<SoakResult> {
    const openOrders = await this.#askAll<{ openOrders: number }>("finish orders");
    const { undelivered } = await this.#service.ask<{ undelivered: number }>("settle" satisfies ServiceTask);
    await this.#askAll("finish orders"); // those that the service decided about late
    await this.#takeFigures();
    const ends =
      await this.#askAll<Record<"openPostbacks" | "listeners" | "unrecorded", number>>("finish postbacks");
    for (const { openPostbacks, listeners, unrecorded } of ends) {
      this.#problems["orders or postbacks left open"] += openPostbacks + unrecorded;
      this.#problems["listeners left"] += listeners;
    }
    for (const order of openOrders) this.#problems["orders or postbacks left open"] += order.openOrders;
    this.#problems["orders or postbacks left open"] += undelivered;
    for (const { worker } of this.#shops) {
      const ended = once(worker.child, "exit");
      worker.child.disconnect();
      const hasEnded = await Promise.race([ended, pause(END_MS, undefined, { ref: false })]);
      if (!hasEnded) this.#problems["processes that ended wrongly"] += 1;
    }
    const judgement = await judge(this.#folder, this.#killed);
    return {
      ...judgement,
      broken: { ...judgement.broken, ...this.#problems },
      counts: { ...judgement.counts, killed: this.#killed.size },
      ...{ samples: this.#samples, outcomes: this.#outcomes },
    };
  }

  async #startShop(slot: number, open: readonly string[]): Promise<void> {
    if (this.#address === undefined) throw new Error("The service was not started.");
    this.#lives += 1;
    const settings: ShopSettings = {
      ...{ life: this.#lives, open, service: this.#address, startedAt: this.#startedAt },
      transport: TRANSPORTS[slot] ?? "fetch",
      database: this.#database.address,
      retentionDays: RETENTION_MS / DAY_MS,
      journal: join(this.#folder, `journal-${this.#lives}`),
      rate: this.#options.rate / TRANSPORTS.length,
    };
    const program = join(import.meta.dirname, "shop.ts");
    const worker = startWorker(program, [JSON.stringify(settings)], ["--expose-gc"]);
    const url = await worker.ask<string>("start" satisfies ShopTask);
    this.#shops[slot] = { settings, worker, url };
  }

  /** Where postbacks are delivered from now on. */
  async #tellService(): Promise<void> {
    const shops = this.#shops.map(({ url }) => url);
    await this.#service.ask({ shops } satisfies ServiceTask);
  }

  async #askAll<Result>(task: ShopTask): Promise<readonly Result[]> {
    return Promise.all(this.#shops.map(({ worker }) => worker.ask<Result>(task)));
  }

  async #takeFigures(): Promise<readonly ShopFigures[]> {
    const taken = await this.#askAll<ShopFigures>("figures");
    this.#taken.push(...taken);
    for (const { outcomes } of taken) {
      for (const [outcome, count] of Object.entries(outcomes))
        this.#outcomes[outcome] = (this.#outcomes[outcome] ?? 0) + count;
    }
    return taken;
  }

  async #killShop(): Promise<void> {
    await this.#takeFigures();
    const shop = this.#shops[KILLED_SHOP];
    if (shop === undefined) return;
    this.#killed.add(shop.settings.life);
    await shop.worker[Symbol.asyncDispose]();
    await this.#startShop(KILLED_SHOP, readOpenOrders(shop));
    await this.#tellService();
  }

  /** Restarts the database, or without a server all shops at once, in order. */
  async #restart(): Promise<void> {
    await this.#takeFigures();
    if (this.#database.restart) return this.#database.restart();
    const stopped = [...this.#shops];
    for (const { worker } of stopped) worker.child.kill("SIGTERM");
    await Promise.all(
      stopped.map(async (shop, slot) => {
        const { child } = shop.worker;
        if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
        if (child.exitCode !== 0) this.#problems["processes that ended wrongly"] += 1;
        await this.#startShop(slot, readOpenOrders(shop));
      }),
    );
    await this.#tellService();
  }

  async #sample(): Promise<Sample> {
    const last = await this.#takeFigures();
    const databaseBytes = await sizeOf(this.#database.address);
    const taken = this.#taken;
    this.#taken = [];
    const minutes = (Date.now() - this.#startedAt) / MINUTE_MS;
    // The others are old enough to be deleted.
    const kept = this.#options.rate * 60 * Math.min(minutes, RETENTION_MS / MINUTE_MS);
    const ofShops = (name: string, read: (figures: ShopFigures) => number) =>
      last.map((figures, slot) => [name.replace("shop", `shop ${slot + 1}`), read(figures)] as const);
    const sample: Sample = {
      minutes,
      orders: taken.reduce((sum, { orders }) => sum + orders, 0),
      late: taken.reduce((sum, { late }) => sum + late, 0),
      ...percentiles(
        "create",
        taken.flatMap(({ create }) => create),
      ),
      ...percentiles(
        "create during faults",
        taken.flatMap(({ createInFaults }) => createInFaults),
      ),
      ...percentiles(
        "postback",
        taken.flatMap(({ postbacks }) => postbacks),
      ),
      ...Object.fromEntries(ofShops("heap of shop, MB", ({ heap }) => heap / 1e6)),
      ...Object.fromEntries(ofShops("RSS of shop, MB", ({ rss }) => rss / 1e6)),
      ...Object.fromEntries(ofShops("handles of shop", ({ handles }) => handles)),
      "database, MB": databaseBytes / 1e6,
      "database, bytes per order": (databaseBytes - this.#emptyBytes) / kept,
    };
    this.#samples.push(sample);
    return sample;
  }
}

/** Orders of a process that has ended whose customers have no code yet. */
function readOpenOrders({ settings }: Shop): readonly string[] {
  const open = new Set<string>();
  for (const line of readFileSync(settings.journal, "utf8").split("\n")) {
    const [entry, externalRef = ""] = line.split("\t");
    if (entry === "began") open.add(externalRef);
    if (entry === "done") open.delete(externalRef);
  }
  return [...open];
}

/** `NaN` without any. */
function percentiles(name: string, values: readonly number[]): Sample {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return { [`${name} p50, ms`]: at(0.5), [`${name} p99, ms`]: at(0.99) };
}
