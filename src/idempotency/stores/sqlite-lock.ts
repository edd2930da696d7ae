import { isRecord } from "../../data/own.ts";
import { SQLITE_LOCK_MAX_MS } from "../../spec/limits.ts";

/** Pauses between two tries, in milliseconds. They double. */
const PAUSE_MS = { first: 1, max: 50 } as const;

const SQLITE_BUSY = 5;

const STILL_BUSY = Symbol();

/** Whether another process holds a lock that the statement needs. */
export function isBusy(error: unknown): boolean {
  // The upper bytes of an extended code are the reason: a recovery, or a snapshot that another process outdated.
  return isRecord(error) && (Number(error["errcode"]) & 0xff) === SQLITE_BUSY;
}

/** @param path - Of the file. */
function createLockedError(path: string, ms: number, cause?: unknown): Error {
  return new Error(`Another process has held the write lock of ${path} for ${Math.round(ms)} ms.`, { cause });
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

  /** Runs a statement that writes, after those that wait already. */
  async write<Result>(statement: () => Result, signal?: AbortSignal): Promise<Result> {
    return this.#waiting.size > 0 ? this.#wait(statement, signal) : this.read(statement, signal);
  }

  /** Runs a statement that only reads, before those that wait: a process that writes does not block it. */
  async read<Result>(statement: () => Result, signal?: AbortSignal): Promise<Result> {
    const result = this.#try(statement);
    return result === STILL_BUSY ? this.#wait(statement, signal) : result;
  }

  /** Runs a statement that is not urgent: it does not wait, delays no statement that waits, and never fails. */
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
    signal: AbortSignal = AbortSignal.timeout(SQLITE_LOCK_MAX_MS),
  ): Promise<Result> {
    const turn: Turn = { wake: () => {} };
    const wake = () => turn.wake();
    this.#waiting.add(turn);
    signal.addEventListener("abort", wake);
    try {
      let pauseMs: number = PAUSE_MS.first;
      while (true) {
        await this.#pause(turn, pauseMs, signal);
        if (signal.aborted) throw this.#toAbortReason(signal);
        if (this.#first() !== turn) continue;
        const result = this.#try(statement);
        if (result !== STILL_BUSY) {
          this.#busySince = undefined;
          return result;
        }
        pauseMs = Math.min(2 * pauseMs, PAUSE_MS.max);
      }
    } finally {
      signal.removeEventListener("abort", wake);
      this.#endTurn(turn);
    }
  }

  /** Waits until the next try is due, the statement becomes the first, or the signal is aborted. */
  async #pause(turn: Turn, ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const jitter = 0.5 + Math.random() / 2;
    let timer: ReturnType<typeof setTimeout> | undefined;
    await new Promise<void>((resolve) => {
      turn.wake = resolve;
      if (this.#first() === turn) timer = setTimeout(resolve, ms * jitter);
    });
    clearTimeout(timer);
  }

  #try<Result>(statement: () => Result): Result | typeof STILL_BUSY {
    try {
      return statement();
    } catch (error) {
      if (isRecord(error) && error["code"] === "ERR_INVALID_STATE")
        throw new Error("The store is closed.", { cause: error });
      if (!isBusy(error)) throw error;
      this.#busySince ??= performance.now();
      return STILL_BUSY;
    }
  }

  #first(): Turn | undefined {
    return this.#waiting.values().next().value;
  }

  #endTurn(turn: Turn): void {
    const wasFirst = this.#first() === turn;
    this.#waiting.delete(turn);
    if (this.#waiting.size === 0) this.#busySince = undefined;
    // In a new turn of the event loop: a thousand waiting statements would otherwise block it while they write.
    else if (wasFirst) setImmediate(() => this.#first()?.wake());
  }

  #toAbortReason(signal: AbortSignal): unknown {
    if (this.#busySince === undefined) return signal.reason; // only statements of this process took so long
    return createLockedError(this.#path, performance.now() - this.#busySince, signal.reason);
  }
}
