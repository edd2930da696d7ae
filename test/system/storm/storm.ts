import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFailed, onTestFinished } from "vitest";
import { type Running, run } from "../../support/running.ts";
import { chosen } from "./chance.ts";
import { type Delivery, type StatusChange, shuffledDeliveries, statusChanges } from "./deliveries.ts";
import { blockOf, type Figures, figuresOf } from "./figures.ts";
import type { ReceiverSettings } from "./receiver.ts";
import { Service } from "./service.ts";

export interface StormOptions {
  readonly title: string;
  readonly seed: number;
  readonly leaseMs: number;
}

/** Deliveries, and the receivers of one database that they come down on. */
export class Storm {
  readonly service: Service;
  readonly #options: StormOptions;
  readonly #changes: readonly StatusChange[];
  readonly #deliveries: readonly Delivery[];
  readonly #files: Pick<ReceiverSettings, "database" | "journal">;
  readonly #receivers: Running[] = [];
  #addresses: readonly string[] = [];
  #kills = 0;

  private constructor(options: StormOptions, changes: readonly StatusChange[], folder: string) {
    this.#options = options;
    this.#changes = changes;
    this.#deliveries = shuffledDeliveries(options.seed, changes);
    this.#files = { database: join(folder, "postbacks.db"), journal: join(folder, "journal.txt") };
    this.service = this.#newService();
  }

  /** One that leaves nothing behind when its test ends. */
  static async prepare(options: StormOptions): Promise<Storm> {
    const changes = await statusChanges(options.seed);
    const folder = mkdtempSync(join(tmpdir(), "payments-sdk-storm-"));
    const storm = new Storm(options, changes, folder);
    onTestFinished(async () => {
      storm.service.stop();
      for (const receiver of storm.#receivers) receiver.kill();
      await Promise.all(storm.#receivers.map(({ ended }) => ended));
      rmSync(folder, { recursive: true, force: true });
    });
    onTestFailed(() => console.log(`PAYMENTS_STORM_SEED=${options.seed} makes the same choices again.`));
    return storm;
  }

  /** Starts a receiver. From now on deliveries go to it, and to none before. */
  async start(own: Pick<ReceiverSettings, "diesAfter"> = {}): Promise<Running> {
    const receiver = this.#spawn(own);
    this.#addresses = [await addressOf(receiver)];
    return receiver;
  }

  /** Starts two receivers at the same moment. Each time that a delivery is sent, one of them gets it. */
  async startTwo(): Promise<void> {
    this.#addresses = await Promise.all([this.#spawn(), this.#spawn()].map(addressOf));
  }

  /** Waits until a kill has ended a receiver, and counts it. */
  async killed(receiver: Running): Promise<void> {
    const end = await receiver.ended;
    if (end !== "SIGKILL") throw new Error(`It was not killed, but ended with ${end}.\n${receiver.stderr()}`);
    this.#kills += 1;
  }

  /** Sends everything until it got a 2xx, whatever becomes of the receivers meanwhile, and prints the figures. */
  async rage(meanwhile?: () => Promise<void>): Promise<Figures> {
    const start = performance.now();
    await Promise.all([this.service.deliver(this.#deliveries), meanwhile?.()]);
    const seconds = (performance.now() - start) / 1000;
    const figures = figuresOf(this.#changes, this.service, this.journal(), this.#kills);
    console.log(blockOf(this.#options, figures, seconds));
    return figures;
  }

  /** Sends everything once more; how it was answered. */
  async redeliver(): Promise<ReadonlyMap<string, number>> {
    const service = this.#newService();
    await service.deliver(this.#deliveries);
    return service.answers;
  }

  /** What the receivers wrote down. */
  journal(): string {
    return readFileSync(this.#files.journal, "utf8");
  }

  /** What the receivers complained of. */
  complaints(): string {
    return this.#receivers.map((receiver) => receiver.stderr()).join("");
  }

  #newService(): Service {
    const { seed } = this.#options;
    return new Service(({ id }, nth) => {
      const address = this.#addresses[chosen(0, this.#addresses.length - 1, seed, "to", id, nth)];
      if (address === undefined) throw new Error("There is no receiver.");
      return address;
    });
  }

  #spawn(own: Pick<ReceiverSettings, "diesAfter"> = {}): Running {
    const { seed, leaseMs } = this.#options;
    const number = this.#receivers.length + 1;
    const settings: ReceiverSettings = { seed, leaseMs, number, ...this.#files, ...own };
    const running = run("node", [join(import.meta.dirname, "receiver.ts"), JSON.stringify(settings)]);
    this.#receivers.push(running);
    return running;
  }
}

async function addressOf(receiver: Running): Promise<string> {
  const [address] = await receiver.printed(/^http:\S+(?=\n)/);
  return address;
}
