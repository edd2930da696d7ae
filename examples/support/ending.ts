import { exit } from "node:process";
import { onInterrupt } from "./interrupts.ts";
import { onLostOutput } from "./output.ts";

/** How an example ends: by itself, by the Ctrl-C that it waits for, or by one that breaks it off. */
export class Ending {
  readonly #ends: (() => unknown)[] = [];
  readonly #isInterrupted: () => boolean;
  #stop: (() => void) | undefined;
  #isUnread = false;

  constructor() {
    const stop = () => {
      this.#stop?.();
      return this.#stop !== undefined;
    };
    this.#isInterrupted = onInterrupt(stop, () => this.#endAll());
    onLostOutput(() => {
      this.#isUnread = true;
      stop();
    });
  }

  /** Whether everything is being closed under its feet. */
  get isBrokenOff(): boolean {
    return this.#isInterrupted() && this.#stop === undefined;
  }

  /** Is called in the end, in whatever way that comes; the last one first. */
  add(end: () => unknown): void {
    this.#ends.push(end);
  }

  /** Also resolves where nobody reads any more what is printed. */
  untilInterrupted(): Promise<void> {
    return new Promise((resolve) => {
      this.#stop = resolve;
      if (this.#isUnread) resolve();
    });
  }

  async close(): Promise<void> {
    await this.#endAll();
    // Whoever is still connected to a server would keep it running.
    if (this.#stop !== undefined && (this.#isInterrupted() || this.#isUnread)) exit();
  }

  async #endAll(): Promise<void> {
    for (let end = this.#ends.pop(); end !== undefined; end = this.#ends.pop()) await end();
  }
}
