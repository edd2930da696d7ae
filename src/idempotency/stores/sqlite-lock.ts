import { isRecord } from "../../data/own-properties.ts";
import { Backoff } from "../../http/timers.ts";

/** Milliseconds for which an operation without a signal waits for a locked file. */
const MAX_WAIT_MS = 10_000;

const SQLITE_BUSY = 5;

const STILL_BUSY = Symbol();

/** Whether another process holds a lock that the statement needs. */
export function isBusy(error: unknown): boolean {
  // The upper bytes of an extended code are the reason: a recovery, or a snapshot that another process outdated.
  return isRecord(error) && (Number(error["errcode"]) & 0xff) === SQLITE_BUSY;
}

interface Turn {
  wake: () => void;
}

/**
 * Runs the statements of one connection, each of which is a transaction. A statement that finds the file locked waits
 * without blocking the event loop, which SQLite's own `busy_timeout` would do.
 *
 * Statements wait in order, and only the first one tries: a thousand waiting statements cost as much as one.
 */
export class SqliteLock {
  readonly #path: string;
  readonly #waiting = new Set<Turn>();
  #busySince: number | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** Runs a statement that writes, after the statements that wait already. */
  async write<Result>(statement: () => Result, signal?: AbortSignal): Promise<Result> {
    return this.#waiting.size > 0 ? this.#wait(statement, signal) : this.read(statement, signal);
  }

  /** Runs a statement that only reads, before the statements that wait: a process that writes does not block it. */
  async read<Result>(statement: () => Result, signal?: AbortSignal): Promise<Result> {
    const result = this.#try(statement);
    return result === STILL_BUSY ? this.#wait(statement, signal) : result;
  }

  /** Runs a statement that is not urgent, unless other statements wait. It never waits, and never fails. */
  tryNow(statement: () => void): void {
    if (this.#waiting.size > 0) return;
    try {
      statement();
    } catch {
      // The next one tries again, and the other statements report a problem of the file.
    }
  }

  async #wait<Result>(
    statement: () => Result,
    signal: AbortSignal = AbortSignal.timeout(MAX_WAIT_MS),
  ): Promise<Result> {
    const turn: Turn = { wake: () => {} };
    const wake = () => turn.wake();
    const backoff = new Backoff({ firstMs: 1, longestMs: 50 });
    this.#waiting.add(turn);
    signal.addEventListener("abort", wake);
    try {
      while (true) {
        await this.#pause(turn, backoff, signal);
        if (signal.aborted) throw this.#toAbortReason(signal);
        if (this.#first() !== turn) continue;
        const result = this.#try(statement);
        if (result === STILL_BUSY) continue;
        this.#busySince = undefined;
        return result;
      }
    } finally {
      signal.removeEventListener("abort", wake);
      const wasFirst = this.#first() === turn;
      this.#waiting.delete(turn);
      if (this.#waiting.size === 0) this.#busySince = undefined;
      // In a new turn of the event loop: a thousand waiting statements would otherwise block it while they write.
      else if (wasFirst) setImmediate(() => this.#first()?.wake());
    }
  }

  /** Waits until the next try is due, the statement becomes the first, or the signal is aborted. */
  async #pause(turn: Turn, backoff: Backoff, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    await new Promise<void>((resolve) => {
      turn.wake = resolve;
      if (this.#first() === turn) timer = setTimeout(resolve, backoff.nextMs());
    });
    clearTimeout(timer);
  }

  #try<Result>(statement: () => Result): Result | typeof STILL_BUSY {
    try {
      return statement();
    } catch (error) {
      const isClosed = isRecord(error) && error["code"] === "ERR_INVALID_STATE";
      if (isClosed) throw new Error("The store is closed.", { cause: error });
      if (!isBusy(error)) throw error;
      this.#busySince ??= performance.now();
      return STILL_BUSY;
    }
  }

  #first(): Turn | undefined {
    return this.#waiting.values().next().value;
  }

  #toAbortReason(signal: AbortSignal): unknown {
    if (this.#busySince === undefined) return signal.reason; // only statements of this process took so long
    const ms = Math.round(performance.now() - this.#busySince);
    const message = `Another process has held the write lock of ${this.#path} for ${ms} ms.`;
    return new Error(message, { cause: signal.reason });
  }
}
