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

const SENT_AT_ONCE = 64;
const SENDS_AT_MOST = 200;
const TIMEOUT_MS = 20_000;

/** After an answer without `Retry-After`, or none. */
const RESEND_AFTER_MS = 20;

/** A second of `Retry-After`, and all of it at most: this service is in a hurry. */
const SECOND_MS = 50;
const WAIT_AT_MOST_MS = 500;

/** One of the times that the service reports a status of an order, which is to be handled once. */
interface Delivery {
  readonly id: number;
  /** As the receiver notes it: the transaction and its status. */
  readonly change: string;
  /** Path and signed query of the order's postback URL. */
  readonly path: string;
  readonly body: string;
}

/** A service that sends deliveries until they get a 2xx, and the receivers of one database that take them. */
export class Storm {
  readonly #deliveries: readonly Delivery[];
  readonly #settings: Omit<ReceiverSettings, "number" | "diesAfter">;
  readonly #receivers: Running[] = [];
  readonly #answered = new EventEmitter();
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

  /** One that leaves nothing behind when its test ends. */
  static async prepare(seed: number, leaseMs: number): Promise<Storm> {
    return new Storm(await shuffledDeliveries(seed), seed, leaseMs);
  }

  /** Starts receivers at the same moment. From now on deliveries go to them alone. */
  async start(count = 1, own: Pick<ReceiverSettings, "diesAfter"> = {}): Promise<Running> {
    const started = Array.from({ length: count }, () => {
      const settings: ReceiverSettings = { ...this.#settings, ...own, number: this.#receivers.length + 1 };
      const program = join(import.meta.dirname, "receiver.ts");
      const receiver = run("node", [program, JSON.stringify(settings)]);
      this.#receivers.push(receiver);
      return receiver;
    });
    const printed = await Promise.all(started.map((receiver) => receiver.printed(/^http:\S+(?=\n)/)));
    this.#addresses = printed.map(([address]) => address);
    return started[0] as Running;
  }

  /** Resolves when so many more answers came. */
  async answersMore(count: number): Promise<void> {
    for (let left = count; left > 0; left -= 1) await once(this.#answered, "answer");
  }

  /** Sends everything until it got a 2xx; counts the answers by status and what the body says. */
  async deliver(): Promise<Readonly<Record<string, number>>> {
    const slots = new Slots(SENT_AT_ONCE);
    const answers: Record<string, number> = {};
    const count = (answer: string) => {
      answers[answer] = (answers[answer] ?? 0) + 1;
    };
    const deliver = async (delivery: Delivery) => {
      for (let nth = 1; nth <= SENDS_AT_MOST; nth += 1) {
        if (this.#isStopped) return;
        const { isOk, waitMs } = await slots.use(() => this.#send(delivery, nth, count));
        if (isOk) return;
        await setTimeout(waitMs);
      }
      throw new Error(`"${delivery.change}" was sent ${SENDS_AT_MOST} times, and got no 2xx.`);
    };
    await Promise.all(this.#deliveries.map(deliver));
    return answers;
  }

  async #send({ id, path, body }: Delivery, nth: number, count: (answer: string) => void) {
    const { seed } = this.#settings;
    const address = this.#addresses[chosen(0, this.#addresses.length - 1, seed, "to", id, nth)];
    const init = { method: "POST", body, headers: { "content-type": "application/json" } };
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const response = await fetch(`${address}${path}`, { ...init, signal });
      const { result, error } = (await response.json()) as { result?: string; error?: string };
      count(`${response.status} ${result ?? error}`);
      this.#answered.emit("answer");
      const retryAfter = response.headers.get("retry-after");
      const waitMs = retryAfter === null ? RESEND_AFTER_MS : Number(retryAfter) * SECOND_MS;
      return { isOk: response.ok, waitMs: Math.min(waitMs, WAIT_AT_MOST_MS) };
    } catch {
      count("no answer");
      return { isOk: false, waitMs: RESEND_AFTER_MS * nth };
    }
  }

  /** What happened: answers as the service counted them, the rest as the receivers noted it. */
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
      // Successes of a change beyond its first one.
      repeats: succeeded.length - changes.size,
      lost: [...all].filter((change) => !changes.has(change)),
      receivers: [...new Set(succeeded.map(([receiver]) => Number(receiver)))].sort(),
    };
  }

  /** What the receivers noted. */
  journal(): string {
    return readFileSync(this.#settings.journal, "utf8");
  }

  /** What the receivers printed as errors. */
  complaints(): string {
    return this.#receivers.map((receiver) => receiver.stderr()).join("");
  }
}

/** Every change at least once, some often, shuffled; half of the duplicates come together with another one. */
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
