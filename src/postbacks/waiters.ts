import { AbortedError } from "../errors/aborted-error.ts";
import { assertConfig, knownOptions, NO_CALL } from "../errors/check-options.ts";
import { TRANSACTION_STATUSES, type TransactionStatus } from "../spec/values.ts";
import type { Postback } from "./parse-postback.ts";

/** Which postback to wait for, and how long. */
export interface WaitOptions {
  /** Ends the waiting, such as `AbortSignal.timeout(10_000)`. Without one it may have no end. */
  readonly signal?: AbortSignal | undefined;
  /** Only a postback of this status. Default: the first that comes. */
  readonly status?: TransactionStatus | undefined;
}

interface Waiter {
  readonly status: TransactionStatus | undefined;
  readonly resolve: (postback: Postback) => void;
}

/** References whose postbacks are kept for those who ask late; a create may answer after its postback came. */
const KEPT_REFERENCES = 100;

const STATUSES: ReadonlySet<unknown> = new Set([...TRANSACTION_STATUSES, "unrecognized"]);

/** Those who wait for postbacks, and the postbacks that came before them. */
export class Waiters {
  readonly #waiting = new Map<string, Set<Waiter>>();
  /** By reference and status, latest last. */
  readonly #handled = new Map<string, Map<TransactionStatus, Postback>>();

  /** A postback was handled, now or before. */
  notice(postback: Postback, isDuplicate: boolean): void {
    const { externalRef, status } = postback;
    if (externalRef === undefined) return;
    const handled = this.#handled.get(externalRef) ?? new Map<TransactionStatus, Postback>();
    if (isDuplicate && handled.has(status)) return; // no news, and not the last one
    handled.delete(status);
    handled.set(status, postback);
    this.#handled.delete(externalRef);
    this.#handled.set(externalRef, handled);
    for (const oldest of this.#handled.keys()) {
      if (this.#handled.size > KEPT_REFERENCES) this.#handled.delete(oldest);
      else break;
    }
    for (const waiter of this.#waiting.get(externalRef) ?? []) {
      if (waiter.status === undefined || waiter.status === status) waiter.resolve(postback);
    }
  }

  async wait(externalRef: string, options: WaitOptions = {}): Promise<Postback> {
    const { signal, status } = knownOptions(options, ["signal", "status"], NO_CALL);
    assertConfig(
      typeof externalRef === "string" && externalRef !== "",
      "waitFor needs the reference of an order.",
    );
    assertConfig(status === undefined || STATUSES.has(status), "status must be the status of a transaction.");
    assertConfig(signal === undefined || signal instanceof AbortSignal, "signal must be an AbortSignal.");
    if (signal?.aborted === true) throw aborted(externalRef);
    const handled = this.#handled.get(externalRef);
    const past = status === undefined ? [...(handled?.values() ?? [])].at(-1) : handled?.get(status);
    if (past !== undefined) return past;

    let onAbort = () => {};
    let waiter: Waiter | undefined;
    const waiting = this.#waiting.get(externalRef) ?? new Set();
    this.#waiting.set(externalRef, waiting);
    try {
      return await new Promise<Postback>((resolve, reject) => {
        waiter = { status, resolve };
        waiting.add(waiter);
        onAbort = () => reject(aborted(externalRef));
        signal?.addEventListener("abort", onAbort, { once: true });
      });
    } finally {
      signal?.removeEventListener("abort", onAbort);
      if (waiter !== undefined) waiting.delete(waiter);
      if (waiting.size === 0 && this.#waiting.get(externalRef) === waiting) this.#waiting.delete(externalRef);
    }
  }
}

function aborted(externalRef: string): AbortedError {
  return new AbortedError({ outcome: "not_applicable", externalRef });
}
