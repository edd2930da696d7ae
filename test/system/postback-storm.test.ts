import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { PostbackUrlSigner } from "payments-sdk/postbacks";
import { beforeEach, expect, onTestFailed, onTestFinished, test, vi } from "vitest";
import { type Running, run } from "../support/running.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { chance, chosen, readSeed, SIGNING_KEYS } from "./support/chance.ts";
import type { ReceiverSettings } from "./support/storm-receiver.ts";

const ORDERS = 200;
const STATUSES = ["pending", "processing", "approved", "refunded"] as const;
const CHANGES = ORDERS * STATUSES.length;

const CONCURRENT = 64;
const TIMEOUT_MS = 20_000;

/** Delay after a response without `Retry-After`, or after no response. */
const RESEND_AFTER_MS = 20;

/** How long one second of `Retry-After` lasts here, and the maximum delay: this keeps the test short. */
const SECOND_MS = 50;
const MAX_WAIT_MS = 500;

const seed = readSeed();

beforeEach(() => {
  onTestFailed(() => console.log(`PAYMENTS_STORM_SEED=${seed} repeats this run.`));
});

/** One report of the status of an order. Each status is handled once, however often it is reported. */
interface Delivery {
  /** Path and signed query of the order's postback URL. */
  readonly path: string;
  readonly body: string;
}

/** Each change one to four times, shuffled. The copies of a change are sent in pairs. */
async function shuffledDeliveries(): Promise<Delivery[]> {
  const signer = new PostbackUrlSigner({ keys: SIGNING_KEYS });
  const placed: (Delivery & { place: number })[] = [];
  for (let id = 1; id <= ORDERS; id += 1) {
    const order = { externalRef: `order-${id}`, amount: chosen(100, 100_000, seed, "amount", id) };
    const { pathname, search } = new URL(await signer.sign("https://shop.example/postbacks", order));
    for (const [minute, status] of STATUSES.entries()) {
      const transactionDate = new Date(Date.UTC(2026, 10, 21, 12, minute)).toISOString();
      const delivery = {
        path: pathname + search,
        body: JSON.stringify({ id, status, ...order, transactionDate }),
      };
      for (let copies = chosen(1, 4, seed, "copies", id, status); copies > 0; copies -= 1) {
        placed.push({ ...delivery, place: chance(seed, "place", id, status, Math.ceil(copies / 2)) });
      }
    }
  }
  return placed.sort((one, other) => one.place - other.place);
}

/** A service that repeats each delivery until it gets a 2xx, and receivers that share one database. */
async function prepareStorm(leaseMs: number) {
  const folder = temporaryFolder();
  const settings = { seed, leaseMs, database: join(folder, "db"), journal: join(folder, "journal") };
  const deliveries = await shuffledDeliveries();
  const receivers: Running[] = [];
  let addresses: string[] = [];
  let responses = 0;
  let isStopped = false;
  onTestFinished(async () => {
    isStopped = true;
    for (const receiver of receivers) receiver.kill();
    await Promise.all(receivers.map(({ ended }) => ended));
  });

  /** Starts a receiver. From now on only it gets deliveries, and the other ones of `beside`. */
  const start = async (beside: readonly string[] = [], extra: Pick<ReceiverSettings, "diesAfter"> = {}) => {
    const own: ReceiverSettings = { ...settings, ...extra, number: receivers.length + 1 };
    const program = join(import.meta.dirname, "support/storm-receiver.ts");
    const receiver = run("node", [program, JSON.stringify(own)]);
    receivers.push(receiver);
    const [address] = await receiver.printed(/^http:\S+(?=\n)/);
    addresses = [...beside, address];
    return { receiver, address };
  };

  /** Sends a delivery once. Returns the response, and how long to wait if it was not a 2xx. */
  const send = async (
    { path, body }: Delivery,
    nth: number,
  ): Promise<[response: string, waitMs?: number]> => {
    const address = addresses[chosen(0, addresses.length - 1, seed, "to", path, nth)];
    const headers = { "content-type": "application/json" };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const response = await fetch(`${address}${path}`, { method: "POST", body, headers, signal });
      const { result, error } = (await response.json()) as { result?: string; error?: string };
      responses += 1;
      if (response.ok) return [`${response.status} ${result}`];
      const seconds = response.headers.get("retry-after");
      const waitMs = seconds === null ? RESEND_AFTER_MS : Number(seconds) * SECOND_MS;
      return [`${response.status} ${error}`, Math.min(waitMs, MAX_WAIT_MS)];
    } catch {
      return ["no answer", RESEND_AFTER_MS * nth];
    }
  };

  /** Sends each delivery until it gets a 2xx. Returns how often each response was received. */
  const deliver = async () => {
    const counts: Record<string, number> = {};
    const waiting = deliveries.values();
    const worker = async () => {
      for (const delivery of waiting) {
        for (let nth = 1; !isStopped; nth += 1) {
          const [response, waitMs] = await send(delivery, nth);
          counts[response] = (counts[response] ?? 0) + 1;
          if (waitMs === undefined) break;
          await setTimeout(waitMs);
        }
      }
    };
    await Promise.all(Array.from({ length: CONCURRENT }, worker));
    return counts;
  };

  const waitForResponses = (count: number) => {
    const last = responses + count;
    return vi.waitUntil(() => responses >= last, { interval: 1, timeout: TIMEOUT_MS });
  };
  const journal = () => readFileSync(settings.journal, "utf8");

  /** What the receivers recorded: runs of `onPostback`, and changes that were handled. */
  const recorded = () => {
    const entries = Array.from(journal().matchAll(/^\d+\t(\w+)\t(.+)$/gm));
    const changesOf = (kind: string) =>
      entries.filter(([, entry]) => entry === kind).map(([, , change]) => change);
    const [runs, throws, successes] = [changesOf("began"), changesOf("threw"), changesOf("succeeded")];
    const handled = new Set(successes).size;
    return { runs: runs.length, throws: throws.length, handled, repeats: successes.length - handled };
  };

  const expectAllHandled = ({ "200 handled": handled = 0, "200 duplicate": duplicate = 0, ...others }) => {
    expect(recorded().handled).toBe(CHANGES);
    expect(handled + duplicate).toBe(deliveries.length);
    // Both occur, or the storm would prove nothing; without a killed receiver there is always an answer.
    const { "no answer": _, ...refusals } = others as Record<string, number>;
    expect(refusals).toEqual({ "500 handler_failed": expect.any(Number), "503 busy": expect.any(Number) });
  };

  const expectNothingRunsAgain = async () => {
    const before = journal();
    expect(await deliver()).toEqual({ "200 duplicate": deliveries.length });
    expect(journal()).toBe(before);
    expect(receivers.map(({ stderr }) => stderr()).join("")).toBe("");
  };

  return { start, deliver, waitForResponses, recorded, expectAllHandled, expectNothingRunsAgain };
}

/** Longer than a test: unless a process dies, each claim must be released. */
const LONG_LEASE_MS = 120_000;

/** So short that the claims of a killed receiver soon end. */
const SHORT_LEASE_MS = 1_000;

/** Each ends with a kill at a random moment, and a kill at the worst one: between a success and its record. */
const LIVES = 4;

test("two receivers of one database handle every postback exactly once", async () => {
  const storm = await prepareStorm(LONG_LEASE_MS);
  const { address } = await storm.start();
  await storm.start([address]);

  const counts = await storm.deliver();

  storm.expectAllHandled(counts);
  const { runs, throws, repeats } = storm.recorded();
  expect({ repeats, runs }).toEqual({ repeats: 0, runs: CHANGES + throws });
  expect(counts).toMatchObject({ "200 handled": CHANGES, "500 handler_failed": throws });
  expect(counts).not.toHaveProperty("no answer");
  await storm.expectNothingRunsAgain();
});

test("a killed receiver handles every postback, and repeats at most one for each kill", async () => {
  const storm = await prepareStorm(SHORT_LEASE_MS);
  let { receiver } = await storm.start();
  const killAgainAndAgain = async () => {
    for (let life = 1; life <= LIVES; life += 1) {
      await storm.waitForResponses(chosen(60, 140, seed, "answers of life", life));
      await setTimeout(chosen(0, 20, seed, "milliseconds of life", life));
      receiver.kill();
      ({ receiver } = await storm.start([], { diesAfter: chosen(5, 25, seed, "successes of life", life) }));
      expect(await receiver.ended).toBe("SIGKILL");
      ({ receiver } = await storm.start());
    }
  };

  const [counts] = await Promise.all([storm.deliver(), killAgainAndAgain()]);

  storm.expectAllHandled(counts);
  const { repeats } = storm.recorded();
  expect(repeats).toBeLessThanOrEqual(2 * LIVES);
  expect(repeats).toBeGreaterThanOrEqual(LIVES); // half of the kills were at the worst moment
  await storm.expectNothingRunsAgain();
});
