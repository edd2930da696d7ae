import type { OpenPostback } from "../contracts/postback-store.ts";
import { assertConfig, knownOptions } from "../errors/check-options.ts";
import { LONGEST_TIMER_MS, unref } from "../http/timers.ts";
import { pauseAfter } from "../idempotency/postbacks/order-inbox.ts";
import type { HandlingResult, PostbackTask } from "./handle-postback.ts";
import type { HandlerSettings } from "./handler-options.ts";
import { parsePostback } from "./parse-postback.ts";

/** Options of `retryFailed`. */
export interface RetryOptions {
  /** Starts no more callbacks once it aborts. Those that run are awaited. */
  readonly signal?: AbortSignal | undefined;
  /** Maximum number of postbacks. Default: all. */
  readonly limit?: number | undefined;
}

/** The result of `retryFailed`. */
export interface RetryResult {
  /** Postbacks whose callback succeeded. */
  readonly handled: number;
  /** Postbacks whose callback failed again, or that the store failed for. */
  readonly failed: number;
}

/** Callbacks that run again at the same time. */
const MAX_RUNNING = 10;

/** Postbacks that a process schedules; others stay in the store. */
const MAX_SCHEDULED = 10_000;

/** The longest pause while the store fails, in milliseconds, and for how many tries. */
const STORE_PAUSE_MS = 30_000;
const MANY_TRIES = 120;

/** Milliseconds after which the retry of a callback that hangs no longer holds up others, and how many such there may be. */
const HANGING_MS = 30_000;
const MAX_HANGING = 10;

/** Milliseconds after which retries let the process do other work. */
const TURN_MS = 10;

/** How often a handler looks for the postbacks that other processes left, in milliseconds. */
const SWEEP_MS = 60_000;

interface Scheduled {
  readonly task: PostbackTask;
  /** By the monotonic clock. */
  readonly dueAt: number;
  readonly tries: number;
}

/** Runs the callbacks of a handler again that have not succeeded. */
export class PostbackRetries {
  readonly #settings: HandlerSettings;
  readonly #run: (task: PostbackTask) => Promise<HandlingResult>;
  readonly #scheduled = new Map<string, Scheduled>();
  /** The orders of the retries that a timer has started. One of each runs at a time, so that deliveries do not wait. */
  readonly #running = new Map<string | undefined, PostbackTask>();
  /** Retries that have not ended, with those that hang. */
  #unfinished = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastSweep = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  /** @param run - Handles a postback again; never rejects. */
  constructor(settings: HandlerSettings, run: (task: PostbackTask) => Promise<HandlingResult>) {
    this.#settings = settings;
    this.#run = run;
  }

  /** Schedules the next run of a postback, if its result asks for one. */
  update(task: PostbackTask, result: HandlingResult): void {
    if (task.verification.trust === "unsigned") return;
    // What is in the queue decides.
    if (task.isRetry !== true && "isQueued" in result && result.isQueued === false) return;
    const name = toName(task);
    const tries = (this.#scheduled.get(name)?.tries ?? 0) + 1;
    this.#scheduled.delete(name);
    const pauseMs = toPause(result, tries);
    const attempts = result.type === "failed" ? result.attempts : (task.attempts ?? 0);
    if (pauseMs !== undefined) this.#schedule({ ...task, isRetry: true, attempts }, pauseMs, tries);
    this.#arm();
  }

  /**
   * Takes over the postbacks that other processes left, once a minute: schedules them, or without timers runs ten that are
   * due. Called with each delivery.
   *
   * @throws the error of a store that cannot list its postbacks. It is tried again after a minute.
   */
  async sweep(): Promise<void> {
    if (this.#isClosed || performance.now() - this.#lastSweep < SWEEP_MS) return;
    this.#lastSweep = performance.now();
    const due: PostbackTask[] = [];
    for await (const open of this.#settings.inbox.openPostbacks()) {
      const task = toTask(open);
      const pauseMs = waitMs(open, this.#settings.leaseMs);
      if (task === undefined) continue;
      if (hasTimers()) this.#schedule(task, pauseMs);
      else if (pauseMs === 0) due.push(task);
    }
    this.#arm();
    await this.#runAll(due.slice(0, MAX_RUNNING));
  }

  async retryFailed(options: RetryOptions = {}): Promise<RetryResult> {
    const { signal, limit = Number.POSITIVE_INFINITY } = knownOptions(options, ["signal", "limit"]);
    assertConfig(signal === undefined || signal instanceof AbortSignal, "signal must be an AbortSignal.");
    const isLimit = limit === Number.POSITIVE_INFINITY || (Number.isSafeInteger(limit) && limit > 0);
    assertConfig(isLimit, "limit must be a whole number above zero.");
    const listed = await this.#listTasks();
    // Those that have waited longest: one that always fails must not take the place of all others.
    const chosen = new Set(listed.toSorted((one, other) => one.dueAt - other.dueAt).slice(0, limit));
    const tasks = listed.filter((each) => chosen.has(each)).map(({ task }) => task);
    return this.#runAll(tasks, signal);
  }

  /** Runs tasks, ten at a time; those of an order one after the other, since only one of a transaction can run. */
  async #runAll(tasks: readonly PostbackTask[], signal?: AbortSignal): Promise<RetryResult> {
    const counts = { handled: 0, failed: 0 };
    let turnBegan = performance.now();
    const run = async (task: PostbackTask) => {
      // With a synchronous database, nothing else would run until the end: no request, timer or signal.
      if (performance.now() - turnBegan > TURN_MS) {
        await new Promise((resolve) => setTimeout(resolve, 0));
        turnBegan = performance.now();
      }
      if (signal?.aborted === true || this.#isClosed) return;
      const { type } = await this.#run(task);
      if (type === "handled" || type === "unrecorded") counts.handled += 1;
      if (type === "failed" || type === "unclaimed") counts.failed += 1;
    };
    const orders = Map.groupBy(tasks, ({ postback }) => postback.externalRef).values();
    const work = async () => {
      // The iterator is shared: each takes the next order.
      for (const ofOrder of orders) for (const task of ofOrder) await run(task);
    };
    await Promise.all(Array.from({ length: MAX_RUNNING }, work));
    return counts;
  }

  /** Starts nothing more. */
  close(): void {
    this.#isClosed = true;
    this.#scheduled.clear();
    clearTimeout(this.#timer);
  }

  /** The open postbacks, oldest first, and those that the store failed to record when they arrived. */
  async #listTasks(): Promise<{ readonly task: PostbackTask; readonly dueAt: number }[]> {
    const tasks = new Map<string, { task: PostbackTask; dueAt: number }>();
    for await (const open of this.#settings.inbox.openPostbacks()) {
      const task = toTask(open);
      if (task === undefined) continue;
      const dueAt = Date.parse(open.retryAt ?? open.since);
      if (open.state !== "running") tasks.set(toName(task), { task, dueAt });
      else this.#schedule(task, this.#settings.leaseMs); // its process may have died
    }
    this.#arm();
    for (const [name, { task }] of this.#scheduled) if (!tasks.has(name)) tasks.set(name, { task, dueAt: 0 });
    return [...tasks.values()];
  }

  /** Schedules the next run of a postback, unless one is scheduled. */
  #schedule(task: PostbackTask, pauseMs: number, tries = 0): void {
    const name = toName(task);
    const isFull = !hasTimers() || this.#isClosed || this.#scheduled.size >= MAX_SCHEDULED;
    if (isFull || this.#scheduled.has(name)) return;
    this.#scheduled.set(name, { task, dueAt: performance.now() + pauseMs, tries });
  }

  /** Sets the timer for the next postback that is due. It does not keep the process alive. */
  #arm(): void {
    clearTimeout(this.#timer);
    if (this.#isClosed || this.#isFull()) return;
    let next = Number.POSITIVE_INFINITY;
    for (const { task, dueAt } of this.#scheduled.values()) {
      if (dueAt < next && !this.#running.has(task.postback.externalRef)) next = dueAt;
    }
    if (next === Number.POSITIVE_INFINITY) return;
    const ms = Math.min(Math.max(0, next - performance.now()), LONGEST_TIMER_MS);
    this.#timer = unref(setTimeout(() => this.#runDue(), ms));
  }

  #isFull(): boolean {
    return this.#running.size >= MAX_RUNNING || this.#unfinished >= MAX_RUNNING + MAX_HANGING;
  }

  #runDue(): void {
    const now = performance.now();
    for (const [name, scheduled] of this.#scheduled) {
      if (this.#isFull()) break;
      const { task } = scheduled;
      const { externalRef } = task.postback;
      if (scheduled.dueAt > now || this.#running.has(externalRef)) continue;
      this.#running.set(externalRef, task);
      this.#unfinished += 1;
      this.#scheduled.set(name, { ...scheduled, dueAt: Number.POSITIVE_INFINITY }); // its result decides
      const makeRoom = () => {
        if (this.#running.get(externalRef) === task) this.#running.delete(externalRef);
        this.#arm();
      };
      const hanging = unref(setTimeout(makeRoom, HANGING_MS));
      void this.#run(task).then(() => {
        clearTimeout(hanging);
        this.#unfinished -= 1;
        makeRoom();
      });
    }
    this.#arm();
  }
}

/** Cloudflare Workers run nothing after a response. */
export function hasTimers(): boolean {
  return globalThis.navigator?.userAgent !== "Cloudflare-Workers";
}

/** Milliseconds until the next run; `undefined` if there is none. */
function toPause(result: HandlingResult, tries: number): number | undefined {
  if (result.type === "failed") return result.attempts && result.retryAfterMs;
  if (result.type === "unclaimed") {
    // Only this process may know of it. After an hour it is not an outage any more.
    return tries <= MANY_TRIES ? Math.min(pauseAfter(tries), STORE_PAUSE_MS) : pauseAfter(tries);
  }
  // Another process handles it, and may end before it succeeds; or the pause after its last failure is not over.
  return result.type === "busy" ? Math.max(result.leaseLeftMs, pauseAfter(1)) : undefined;
}

function toName({ postback: { externalRef, id, rawStatus, amount } }: PostbackTask): string {
  return JSON.stringify([externalRef, id, rawStatus, amount]);
}

/** Milliseconds until an open postback of another process may need this one. */
function waitMs({ state, retryAt, since }: OpenPostback, leaseMs: number): number {
  if (state === "running") return leaseMs;
  // One that has just arrived may be waiting for its turn in another process.
  const dueAt = retryAt === undefined ? Date.parse(since) + leaseMs : Date.parse(retryAt);
  return Math.min(Math.max(0, dueAt - Date.now()), pauseAfter(Number.POSITIVE_INFINITY));
}

/** `undefined` if the record of the postback cannot be read. */
function toTask(open: OpenPostback): PostbackTask | undefined {
  const { externalRef, id, rawStatus, amount, transactionDate, signedAmount } = open;
  try {
    const postback = parsePostback({ id, status: rawStatus, externalRef, amount, transactionDate });
    const verification = { trust: "signed", amountMatches: signedAmount === amount, signedAmount } as const;
    // The pause after a failure is over then, or does not matter. That after a run whose process died counts.
    const attempts = open.state === "failed" ? open.attempts : open.attempts - 1;
    return { postback, verification, isRetry: true, attempts };
  } catch {
    return undefined;
  }
}
