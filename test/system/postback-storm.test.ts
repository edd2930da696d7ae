import { EventEmitter, once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { PostbackUrlSigner } from "payments-sdk/postbacks";
import { beforeEach, expect, onTestFailed, onTestFinished, test } from "vitest";
import { type Running, run } from "../support/running.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { chance, chosen, readSeed, SIGNING_KEYS } from "./support/chance.ts";
import { Slots } from "./support/slots.ts";
import type { ReceiverSettings } from "./support/storm-receiver.ts";

const ORDERS = 200;
const STATUSES = ["pending", "processing", "approved", "refunded"] as const;
const DELIVERIES = 2_000;

const MAX_CONCURRENT = 64;
const MAX_SENDS = 200;
const TIMEOUT_MS = 20_000;

/** Delay after a response without `Retry-After`, or after no response. */
const RESEND_AFTER_MS = 20;

/** How long one second of `Retry-After` lasts here, and the maximum delay: this keeps the test short. */
const SECOND_MS = 50;
const MAX_WAIT_MS = 500;

/** One report of the status of an order. Each status is handled once, however often it is reported. */
interface Delivery {
  readonly id: number;
  /** The transaction and its status, as the receiver records them. */
  readonly change: string;
  /** Path and signed query of the order's postback URL. */
  readonly path: string;
  readonly body: string;
}

/** A service that repeats each delivery until it gets a 2xx, and the receivers, which share one database. */
class Storm {
  readonly #deliveries: readonly Delivery[];
  readonly #settings: Omit<ReceiverSettings, "number" | "diesAfter">;
  readonly #receivers: Running[] = [];
  readonly #responses = new EventEmitter();
  #addresses: readonly string[] = [];
  #isStopped = false;

  private constructor(deliveries: readonly Delivery[], seed: number, leaseMs: number) {
    const folder = temporaryFolder();
    this.#deliveries = deliveries;
    this.#settings = { seed, leaseMs, database: join(folder, "db"), journal: join(folder, "journal") };
    onTestFinished(async () => {
      this.#isStopped = true;
      for (const receiver of this.#receivers) receiver.kill();
      await Promise.all(this.#receivers.map(({ ended }) => ended));
    });
  }

  /** Creates a storm that is cleaned up when its test ends. */
  static async prepare(seed: number, leaseMs: number): Promise<Storm> {
    return new Storm(await shuffledDeliveries(seed), seed, leaseMs);
  }

  /** Starts receivers at the same time. From now on only they get deliveries. */
  async start(count = 1, extra: Pick<ReceiverSettings, "diesAfter"> = {}): Promise<Running> {
    const started = Array.from({ length: count }, () => {
      const settings: ReceiverSettings = { ...this.#settings, ...extra, number: this.#receivers.length + 1 };
      const program = join(import.meta.dirname, "support/storm-receiver.ts");
      const receiver = run("node", [program, JSON.stringify(settings)]);
      this.#receivers.push(receiver);
      return receiver;
    });
    const printed = await Promise.all(started.map((receiver) => receiver.printed(/^http:\S+(?=\n)/)));
    this.#addresses = printed.map(([address]) => address);
    return started[0] as Running;
  }

  /** Resolves after this number of further responses. */
  async answersMore(count: number): Promise<void> {
    for (let remaining = count; remaining > 0; remaining -= 1) await once(this.#responses, "response");
  }

  /** Sends each delivery until it gets a 2xx. Returns how many responses had each status and result. */
  async deliver(): Promise<Readonly<Record<string, number>>> {
    const slots = new Slots(MAX_CONCURRENT);
    const counts: Record<string, number> = {};
    const count = (response: string) => {
      counts[response] = (counts[response] ?? 0) + 1;
    };
    const deliver = async (delivery: Delivery) => {
      for (let nth = 1; nth <= MAX_SENDS; nth += 1) {
        if (this.#isStopped) return;
        const { isOk, waitMs } = await slots.use(() => this.#send(delivery, nth, count));
        if (isOk) return;
        await setTimeout(waitMs);
      }
      throw new Error(`"${delivery.change}" was sent ${MAX_SENDS} times and got no 2xx.`);
    };
    await Promise.all(this.#deliveries.map(deliver));
    return counts;
  }

  async #send({ id, path, body }: Delivery, nth: number, count: (response: string) => void) {
    const { seed } = this.#settings;
    const address = this.#addresses[chosen(0, this.#addresses.length - 1, seed, "to", id, nth)];
    const init = { method: "POST", body, headers: { "content-type": "application/json" } };
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const response = await fetch(`${address}${path}`, { ...init, signal });
      const { result, error } = (await response.json()) as { result?: string; error?: string };
      count(`${response.status} ${result ?? error}`);
      this.#responses.emit("response");
      const retryAfter = response.headers.get("retry-after");
      const waitMs = retryAfter === null ? RESEND_AFTER_MS : Number(retryAfter) * SECOND_MS;
      return { isOk: response.ok, waitMs: Math.min(waitMs, MAX_WAIT_MS) };
    } catch {
      count("no answer");
      return { isOk: false, waitMs: RESEND_AFTER_MS * nth };
    }
  }

  /** The responses that the service counted, and the runs that the receivers recorded. */
  figures(answers: Readonly<Record<string, number>>) {
    const entries = Array.from(this.journal().matchAll(/^(\d+)\t(\w+)\t(.+)$/gm), (match) => match.slice(1));
    const runs = entries.filter(([, entry]) => entry === "began").length;
    const throws = entries.filter(([, entry]) => entry === "threw").length;
    const succeeded = entries.filter(([, entry]) => entry === "succeeded");
    const changes = new Set(succeeded.map(([, , change]) => change));
    const all = new Set(this.#deliveries.map(({ change }) => change));
    return {
      ...{ answers, runs, throws },
      successes: succeeded.length,
      // Successes of a change after its first one.
      repeats: succeeded.length - changes.size,
      lost: [...all].filter((change) => !changes.has(change)),
      receivers: [...new Set(succeeded.map(([receiver]) => Number(receiver)))].sort(),
    };
  }

  /** Everything that the receivers recorded. */
  journal(): string {
    return readFileSync(this.#settings.journal, "utf8");
  }

  /** Everything that the receivers printed to stderr. */
  complaints(): string {
    return this.#receivers.map((receiver) => receiver.stderr()).join("");
  }
}

/** Every change at least once, some often, shuffled. Half of the duplicates are sent together with another one. */
async function shuffledDeliveries(seed: number): Promise<readonly Delivery[]> {
  const numbers = Array.from({ length: ORDERS }, (_, index) => index + 1);
  const changes = (await Promise.all(numbers.map((number) => changesOfOrder(seed, number)))).flat();
  const placed = Array.from({ length: DELIVERIES }, (_, id) => {
    const isDuplicate = id >= changes.length;
    const original = isDuplicate ? chosen(0, changes.length - 1, seed, "duplicate of", id) : id;
    const isTogether = isDuplicate && chance(seed, "together", id) < 1 / 2;
    const change = changes[original] as Omit<Delivery, "id">;
    return { place: chance(seed, "place", isTogether ? original : id), delivery: { id, ...change } };
  });
  return placed.sort((one, other) => one.place - other.place).map(({ delivery }) => delivery);
}

async function changesOfOrder(seed: number, number: number): Promise<Omit<Delivery, "id">[]> {
  const externalRef = `order-${number}`;
  const amount = chosen(100, 100_000, seed, "amount", number);
  const signer = new PostbackUrlSigner({ keys: SIGNING_KEYS });
  const url = new URL(await signer.sign("https://shop.example/postbacks", { externalRef, amount }));
  return STATUSES.map((status, minute) => ({
    change: `${number} ${status}`,
    path: url.pathname + url.search,
    body: JSON.stringify({
      ...{ id: number, status, externalRef, amount },
      transactionDate: new Date(Date.UTC(2026, 10, 21, 12, minute)).toISOString(),
    }),
  }));
}

const seed = readSeed();

/** Longer than a test: unless a process dies, each claim must be released. */
const LONG_LEASE_MS = 120_000;

/** So short that the claims of a killed receiver soon end. */
const SHORT_LEASE_MS = 1_000;

/** Each ends with a kill at a random moment, and a kill at the worst one: between a success and its record. */
const LIVES = 4;

/** The possible responses, and none from a killed receiver. */
const REPLIES = ["200 duplicate", "200 handled", "500 handler_failed", "503 busy", "no answer"];

beforeEach(() => {
  onTestFailed(() => console.log(`PAYMENTS_STORM_SEED=${seed} repeats this run.`));
});

test("two receivers of one database handle every postback exactly once", async () => {
  const storm = await Storm.prepare(seed, LONG_LEASE_MS);
  await storm.start(2);

  const figures = await rage(storm);

  expectExactlyOnce(figures);
  await expectNothingRunsAgain(storm);
});

test("a killed receiver handles every postback, and repeats at most one for each kill", async () => {
  const storm = await Storm.prepare(seed, SHORT_LEASE_MS);
  let receiver = await storm.start();

  const figures = await rage(storm, async () => {
    for (let life = 1; life <= LIVES; life += 1) {
      await storm.answersMore(chosen(60, 140, seed, "answers of life", life));
      await setTimeout(chosen(0, 20, seed, "milliseconds of life", life));
      receiver.kill();
      const diesAfter = chosen(5, 25, seed, "successes of life", life);
      receiver = await storm.start(1, { diesAfter });
      expect(await receiver.ended).toBe("SIGKILL");
      receiver = await storm.start();
    }
  });

  expectAllHandled(figures);
  expect(figures.repeats).toBeLessThanOrEqual(2 * LIVES);
  expect(figures.repeats).toBeGreaterThanOrEqual(LIVES); // half of the kills were at the worst moment
  await expectNothingRunsAgain(storm);
});

type Figures = ReturnType<Storm["figures"]>;

async function rage(storm: Storm, meanwhile?: () => Promise<void>): Promise<Figures> {
  const [answers] = await Promise.all([storm.deliver(), meanwhile?.()]);
  return storm.figures(answers);
}

function expectAllHandled({ lost, answers, runs, throws }: Figures): void {
  expect(lost).toEqual([]);
  expect(Object.keys(answers).filter((name) => !REPLIES.includes(name))).toEqual([]);
  expect((answers["200 handled"] ?? 0) + (answers["200 duplicate"] ?? 0)).toBe(DELIVERIES);
  // Without these the storm would prove nothing.
  expect(answers["503 busy"]).toBeGreaterThan(0);
  expect(throws / runs).toBeGreaterThan(0.1);
  expect(throws / runs).toBeLessThan(0.3);
}

function expectExactlyOnce(figures: Figures): void {
  expectAllHandled(figures);
  const { answers, successes, throws, runs, repeats, receivers } = figures;
  expect({ successes, repeats, receivers }).toEqual({ successes: 800, repeats: 0, receivers: [1, 2] });
  // No run was cut off, and each had the right response.
  expect(runs).toBe(successes + throws);
  expect(answers["200 handled"]).toBe(successes);
  expect(answers["500 handler_failed"]).toBe(throws);
}

async function expectNothingRunsAgain(storm: Storm): Promise<void> {
  const before = storm.journal();

  const answers = await storm.deliver();

  expect(answers).toEqual({ "200 duplicate": DELIVERIES });
  expect(storm.journal()).toBe(before);
  expect(storm.complaints()).toBe("");
}
