import { assertConfig, knownOptions } from "../errors/check-options.ts";
import { AbortedError } from "../errors/connection-errors.ts";
import { isTransactionStatus, type TransactionStatus } from "../spec/transaction-status.ts";
import type { Postback } from "./parse-postback.ts";

/** Options of `waitFor`. */
export interface WaitOptions {
  /** Ends the wait, such as `AbortSignal.timeout(10_000)`. Default: none, so the wait may never end. */
  readonly signal?: AbortSignal | undefined;
  /** Waits for a postback of this status. Default: any status. */
  readonly status?: TransactionStatus | undefined;
}

interface Wait {
  readonly externalRef: string;
  readonly status: TransactionStatus | undefined;
  readonly resolve: (postback: Postback) => void;
}

/** References whose postbacks are kept: a create call may return after its postback arrived. */
const KEPT_REFERENCES = 100;

/** The callers of `waitFor`, and the postbacks that were handled before they called. */
export class HandledPostbacks {
  readonly #waits = new Set<Wait>();
  /** By reference and status, latest last. */
  readonly #handled = new Map<string, Map<TransactionStatus, Postback>>();

  /** Adds a postback that was handled, now or before, and ends the waits for it. */
  add(postback: Postback, isDuplicate: boolean): void {
    const { externalRef, status } = postback;
    if (externalRef === undefined) return;
    const handled = this.#handled.get(externalRef) ?? new Map<TransactionStatus, Postback>();
    if (isDuplicate && handled.has(status)) return; // it must not become the latest
    handled.delete(status);
    handled.set(status, postback);
    this.#handled.delete(externalRef);
    this.#handled.set(externalRef, handled);
    for (const oldest of this.#handled.keys()) {
      if (this.#handled.size <= KEPT_REFERENCES) break;
      this.#handled.delete(oldest);
    }
    for (const wait of this.#waits) {
      const isAwaited = wait.status === undefined || wait.status === status;
      if (isAwaited && wait.externalRef === externalRef) wait.resolve(postback);
    }
  }

  async waitFor(externalRef: string, options: WaitOptions = {}): Promise<Postback> {
    const { signal, status } = knownOptions(options, ["signal", "status"]);
    const isReference = typeof externalRef === "string" && externalRef !== "";
    assertConfig(isReference, "waitFor needs the externalRef of an order.");
    const isStatus = status === undefined || isTransactionStatus(status);
    assertConfig(isStatus, "status must be the status of a transaction.");
    assertConfig(signal === undefined || signal instanceof AbortSignal, "signal must be an AbortSignal.");
    if (signal?.aborted === true) throw aborted(externalRef);
    const handled = this.#handled.get(externalRef);
    const past = status === undefined ? [...(handled?.values() ?? [])].at(-1) : handled?.get(status);
    if (past !== undefined) return past;

    const { promise, resolve, reject } = Promise.withResolvers<Postback>();
    const wait = { externalRef, status, resolve };
    const onAbort = () => reject(aborted(externalRef));
    this.#waits.add(wait);
    signal?.addEventListener("abort", onAbort, { once: true });
    return await promise.finally(() => {
      this.#waits.delete(wait);
      signal?.removeEventListener("abort", onAbort);
    });
  }
}

function aborted(externalRef: string): AbortedError {
  return new AbortedError({ outcome: "not_applicable", externalRef });
}
