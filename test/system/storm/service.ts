import { setTimeout } from "node:timers/promises";
import type { Delivery } from "./deliveries.ts";
import { post } from "./post.ts";
import { Slots } from "./slots.ts";

const SENT_AT_ONCE = 64;
const SENDS_AT_MOST = 200;

/** After an answer that does not say when to come again. */
const RESEND_AFTER_MS = 20;

/** A second of `Retry-After`, and all of it at most, for a service that is in a hurry. */
const SECOND_MS = 50;
const WAIT_AT_MOST_MS = 500;

/** How long an address is tried that nobody listens on: it keeps one of the senders busy. */
const UNREACHABLE_MS = 100;

const NO_ANSWER = "no answer";

/** Where a delivery goes when it is sent for the nth time. */
type AddressOf = (delivery: Delivery, nth: number) => string;

/** Plays the service: it sends each delivery again until it gets a 2xx. */
export class Service {
  /** What it was answered, counted: the HTTP status, and what the body says. */
  readonly answers = new Map<string, number>();
  readonly #addressOf: AddressOf;
  readonly #slots = new Slots(SENT_AT_ONCE);
  readonly #watchers: { readonly count: number; readonly tell: () => void }[] = [];
  #answered = 0;
  #isStopped = false;
  #sent = 0;

  constructor(addressOf: AddressOf) {
    this.#addressOf = addressOf;
  }

  /** Requests that it made, with an answer or without. */
  get sent(): number {
    return this.#sent;
  }

  /** Resolves when so many more answers came. */
  answersMore(count: number): Promise<void> {
    return new Promise((tell) => void this.#watchers.push({ count: this.#answered + count, tell }));
  }

  /** Resolves when each of them got a 2xx. */
  async deliver(deliveries: readonly Delivery[]): Promise<void> {
    await Promise.all(deliveries.map((delivery) => this.#deliver(delivery)));
  }

  /** Sends nothing more: a test that failed must not storm on into the next one. */
  stop(): void {
    this.#isStopped = true;
  }

  async #deliver(delivery: Delivery): Promise<void> {
    for (let nth = 1; nth <= SENDS_AT_MOST; nth += 1) {
      if (this.#isStopped) return;
      const { isOk, againAfterMs } = await this.#slots.use(() => this.#send(delivery, nth));
      if (isOk) return;
      await setTimeout(againAfterMs);
    }
    throw new Error(`"${delivery.change.name}" was sent ${SENDS_AT_MOST} times, and got no 2xx.`);
  }

  async #send(delivery: Delivery, nth: number): Promise<{ isOk: boolean; againAfterMs: number }> {
    this.#sent += 1;
    const { path, body } = delivery.change;
    const address = this.#addressOf(delivery, nth);
    try {
      const answer = await post(address + path, body);
      this.#count(`${answer.status} ${answer.body.result ?? answer.body.error}`);
      const { status, retryAfter } = answer;
      const waitMs = retryAfter === undefined ? RESEND_AFTER_MS : Number(retryAfter) * SECOND_MS;
      return { isOk: status >= 200 && status < 300, againAfterMs: Math.min(waitMs, WAIT_AT_MOST_MS) };
    } catch {
      this.#count(NO_ANSWER);
      await setTimeout(UNREACHABLE_MS);
      return { isOk: false, againAfterMs: RESEND_AFTER_MS };
    }
  }

  #count(answer: string): void {
    this.answers.set(answer, (this.answers.get(answer) ?? 0) + 1);
    if (answer === NO_ANSWER) return;
    this.#answered += 1;
    for (const { count, tell } of this.#watchers) if (count <= this.#answered) tell();
  }
}
