import { isRecord } from "../data/own.ts";
import { SQLITE_LOCK_AT_MOST_MS } from "../spec/limits.ts";

/** Pauses between two tries, in milliseconds. They double. */
const PAUSE_MS = { first: 1, most: 50 } as const;

const SQLITE_BUSY = 5;

const STILL_BUSY = Symbol();

/** Whether another process holds a lock that the statement needs. */
export function isBusy(error: unknown): boolean {
  // The upper bytes of an extended code say why: a recovery, or a snapshot that another process outdated.
  return isRecord(error) && (Number(error["errcode"]) & 0xff) === SQLITE_BUSY;
}

/** @param path - Of the file. */
export function lockedError(path: string, ms: number, cause?: unknown): Error {
  return new Error(`Another process has held the write lock of ${path} for ${Math.round(ms)} ms.`, { cause });
}

interface Turn {
  wake: () => void;
}

/**
 * Runs the statements of one connection, each of which is a transaction. One that finds the file locked waits without
 * blocking the event loop, which SQLite's own `busy_timeout` would do.
 *
 * Statements wait in the order in which they came, and only the first of them tries: a thousand that wait cost as much
 * as one.
 */
export class SqliteLock {
  readonly #path: string;
  readonly #waiting = new Set<Turn>();
  #busySince: number | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** Runs a statement that writes, after those that came before. */
  async write<Result>(statement: () => Result, signal?: AbortSignal): Promise<Result> {
    return this.#waiting.size > 0 ? this.#wait(statement, signal) : this.read(statement, signal);
  }

  /** Runs a statement that only reads, before those that wait: a process that writes does not lock it out. */
  async read<Result>(statement: () => Result, signal?: AbortSignal): Promise<Result> {
    const result = this.#try(statement);
    return result === STILL_BUSY ? this.#wait(statement, signal) : result;
  }

  /** Runs a statement that may as well run later: it does not wait, delays nothing that waits, and never fails. */
  tryNow(statement: () => void): void {
    if (this.#waiting.size > 0) return;
    try {
      statement();
    } catch {
      // The next one tries again, and a problem of the file is reported by the statements that matter.
    }
  }

  async #wait<Result>(
    statement: () => Result,
    signal: AbortSignal = AbortSignal.timeout(SQLITE_LOCK_AT_MOST_MS),
  ): Promise<Result> {
    const turn: Turn = { wake: () => {} };
    const wake = () => turn.wake();
    this.#waiting.add(turn);
    signal.addEventListener("abort", wake);
    try {
      let pauseMs: number = PAUSE_MS.first;
      while (true) {
        await this.#pause(turn, pauseMs, signal);
        if (signal.aborted) throw this.#whyStopped(signal);
        if (this.#first() !== turn) continue;
        const result = this.#try(statement);
        if (result !== STILL_BUSY) {
          this.#busySince = undefined;
          return result;
        }
        pauseMs = Math.min(2 * pauseMs, PAUSE_MS.most);
      }
    } finally {
      signal.removeEventListener("abort", wake);
      this.#leave(turn);
    }
  }

  /** Until it is time for the next try, the turn has come, or the signal is aborted. */
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
      if (!isBusy(error)) throw error;
      this.#busySince ??= performance.now();
      return STILL_BUSY;
    }
  }

  #first(): Turn | undefined {
    return this.#waiting.values().next().value;
  }

  #leave(turn: Turn): void {
    const wasFirst = this.#first() === turn;
    this.#waiting.delete(turn);
    if (this.#waiting.size === 0) this.#busySince = undefined;
    // In a new turn of the event loop: a thousand that waited would otherwise write without a break.
    else if (wasFirst) setImmediate(() => this.#first()?.wake());
  }

  #whyStopped(signal: AbortSignal): unknown {
    if (this.#busySince === undefined) return signal.reason; // others of this process took so long
    return lockedError(this.#path, performance.now() - this.#busySince, signal.reason);
  }
}
