import type { CloseOptions, CloseResult } from "../contracts/close.ts";
import { assertConfig, knownOptions } from "../errors/check-options.ts";
import { isWait, WAIT_RULE, withTimeout } from "./timers.ts";

/** With {@link LAST_MS}, it is less than the 30 s after which Kubernetes kills a process. */
const CLOSE_TIMEOUT_MS = 20_000;

/** How long what was aborted may take to be recorded, in milliseconds. */
const LAST_MS = 5_000;

/**
 * Waits until work has ended; aborts it after the timeout, and then waits a little longer.
 *
 * @param whenIdle - Resolves when nothing is running any more.
 * @param abort - Returns how much was aborted.
 * @param countLeft - Counts what has not ended, or is not recorded.
 */
export async function endWork(
  timeoutMs: number,
  whenIdle: () => Promise<unknown>,
  abort: () => number,
  countLeft: () => number,
): Promise<CloseResult> {
  const wait = (ms: number) => withTimeout({ ms }, whenIdle).catch(() => undefined);
  await wait(timeoutMs);
  const aborted = abort();
  await wait(LAST_MS);
  return { aborted, unrecorded: countLeft() };
}

/** @throws {ConfigurationError} */
export function readCloseTimeout(options: CloseOptions = {}): number {
  const { timeout = CLOSE_TIMEOUT_MS } = knownOptions(options, ["timeout"]);
  assertConfig(isWait(timeout), `timeout ${WAIT_RULE}.`);
  return timeout;
}

/** The calls of a client, and what goes on after them: what its `close()` waits for. */
export class OpenCalls {
  /** The reason with which calls are aborted. */
  readonly reason: Error = new Error("The client was closed.");
  readonly #calls = new Set<AbortController>();
  readonly #lastTry = new AbortController();
  /** How much goes on. Only counted, so that what a store never ends does not stay in memory. */
  readonly #running = { background: 0, repeats: 0 };
  #unrecorded = 0;
  #isClosed = false;
  #onIdle: (() => void) | undefined;

  /** Aborts when `close()` gives up: work in the background then has one more try. */
  get lastTry(): AbortSignal {
    return this.#lastTry.signal;
  }

  /** Makes the signal of a call abort with the client, too. A call of a closed client is aborted from the start. */
  begin({ options }: { readonly options: { signal: AbortSignal | undefined } }): () => void {
    const controller = new AbortController();
    const { signal } = options;
    const onAbort = () => controller.abort(signal?.reason);
    if (this.#isClosed) controller.abort(this.reason);
    else this.#calls.add(controller);
    if (signal?.aborted === true) onAbort();
    else signal?.addEventListener("abort", onAbort, { once: true });
    options.signal = controller.signal;
    return () => {
      signal?.removeEventListener("abort", onAbort);
      this.#calls.delete(controller);
      this.#reportIfIdle();
    };
  }

  /**
   * @param work - Rejects if it could not record an outcome.
   * @param kind - `repeats`: of what is recorded already. They have their last try as soon as nothing else goes on.
   */
  addBackground(work: Promise<unknown>, kind: "background" | "repeats" = "background"): void {
    this.#running[kind] += 1;
    const count = () => {
      this.#unrecorded += 1;
    };
    void work.catch(count).then(() => {
      this.#running[kind] -= 1;
      this.#reportIfIdle();
    });
  }

  close(timeoutMs: number): Promise<CloseResult> {
    this.#isClosed = true;
    const whenIdle = () =>
      new Promise<void>((resolve) => {
        this.#onIdle = resolve;
        this.#reportIfIdle();
      });
    const abort = () => {
      const { size } = this.#calls;
      for (const controller of this.#calls) controller.abort(this.reason);
      this.#lastTry.abort();
      return size;
    };
    const countLeft = () => this.#unrecorded + this.#calls.size + this.#running.background;
    return endWork(timeoutMs, whenIdle, abort, countLeft);
  }

  #reportIfIdle(): void {
    const { background, repeats } = this.#running;
    if (this.#calls.size + background + (this.#lastTry.signal.aborted ? repeats : 0) === 0) this.#onIdle?.();
  }
}
