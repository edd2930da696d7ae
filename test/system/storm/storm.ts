import { EventEmitter, once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { PostbackUrlSigner } from "payments-sdk/postbacks";
import { onTestFinished } from "vitest";
import { type Running, run } from "../../support/running.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { chance, chosen, SIGNING_KEYS } from "../support/chance.ts";
import { Slots } from "../support/slots.ts";
import type { ReceiverSettings } from "./receiver.ts";

const ORDERS = 200;
const STATUSES = ["pending", "processing", "approved", "refunded"] as const;
export const DELIVERIES = 2_000;

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
export class Storm {
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
      const program = join(import.meta.dirname, "receiver.ts");
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
