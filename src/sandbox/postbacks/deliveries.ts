import { type Scheduler, toTimestamp } from "../clock.ts";
import type { FaultSupply } from "../faults/faults.ts";
import type { GatewaySettings } from "../gateway-options.ts";
import { type SandboxTransaction, UnknownIdError } from "../transactions/sandbox-transaction.ts";
import {
  type DeliveryAttempt,
  isPosted,
  type PostbackBody,
  type PostbackDelivery,
  toBody,
} from "./postback-delivery.ts";
import { HOLD_MS, type PostbackSettings } from "./postback-options.ts";

export type Deliveries = ReturnType<typeof createDeliveries>;

/** The postbacks of a gateway. A transaction without a `postbackUrl` has none. */
export function createDeliveries(
  gatewaySettings: GatewaySettings,
  scheduler: Scheduler,
  faults: Pick<FaultSupply, "take">,
  onChange: (delivery: PostbackDelivery) => void,
) {
  const settings = gatewaySettings.postbacks;
  const stopping = new AbortController();
  const records: PostbackDelivery[] = []; // indexed by id - 1
  const held = new Map<number, readonly number[]>(); // by transaction: ids held back until its next postback
  const queues = new Map<number, Promise<void>>(); // by transaction: its postbacks are sent one after the other

  function save(record: PostbackDelivery): PostbackDelivery {
    records[record.id - 1] = record;
    onChange(record);
    return record;
  }

  function create(
    content: Pick<PostbackDelivery, "transactionId" | "url" | "body">,
    waitMs: number = settings.delayMs,
  ): PostbackDelivery {
    return save({
      id: records.length + 1,
      ...content,
      status: "scheduled",
      attempts: [],
      nextAttemptAt: toTimestamp(scheduler.now() + waitMs),
    });
  }

  function find(id: number): PostbackDelivery {
    const record = records[id - 1];
    if (record === undefined) throw new UnknownIdError(`There is no postback ${id}.`);
    return record;
  }

  function scheduleAttempt(id: number, time = scheduler.now() + settings.delayMs): void {
    scheduler.at(time, () => enqueue(id, time));
  }

  function enqueue(id: number, due: number): void {
    const { transactionId } = find(id);
    const since = scheduler.machineNow();
    // The clock may be advanced while an attempt is running, so the attempt is timed from when it was due.
    const now = () => due + scheduler.machineNow() - since;
    const previous = queues.get(transactionId) ?? Promise.resolve();
    const queue = previous.then(() => attempt(id, now));
    queues.set(transactionId, queue);
    void queue.then(() => {
      if (queues.get(transactionId) === queue) queues.delete(transactionId);
    });
  }

  async function attempt(id: number, now: () => number): Promise<void> {
    const at = toTimestamp(now());
    const { url, body } = find(id);
    const fault = faults.take("postbacks", "skipPostback");
    const result = fault
      ? { status: 500, fault: fault.kind }
      : await sendPostback(url, body, settings, stopping.signal);
    recordAttempt(id, { at, ...result }, now());
  }

  function recordAttempt(id: number, attempted: DeliveryAttempt, now: number): void {
    const { nextAttemptAt: _past, ...before } = find(id);
    const attempts = [...before.attempts, attempted];
    const { status: httpStatus = 0 } = attempted;
    if (httpStatus >= 200 && httpStatus < 300) {
      save({ ...before, attempts, status: "delivered" });
    } else if (attempts.length > settings.retries) {
      save({ ...before, attempts, status: "failed" });
    } else {
      const next = now + settings.backoffMs * 2 ** (attempts.length - 1);
      save({ ...before, attempts, nextAttemptAt: toTimestamp(next) });
      scheduleAttempt(id, next);
    }
  }

  function hold(transactionId: number, ids: readonly number[]): void {
    held.set(transactionId, ids);
    scheduler.at(scheduler.now() + HOLD_MS, () => {
      if (held.get(transactionId) === ids) release(transactionId);
    });
  }

  function release(transactionId: number): void {
    const ids = held.get(transactionId) ?? [];
    held.delete(transactionId);
    for (const id of ids) {
      save({ ...find(id), nextAttemptAt: toTimestamp(scheduler.now() + settings.delayMs) });
      scheduleAttempt(id);
    }
  }

  /** Posts the current status, regardless of the options. Spec: "Postback notification". */
  function post(transaction: SandboxTransaction): void {
    const { id, postBackUrl: url } = transaction;
    if (url === undefined) return;
    const content = { transactionId: id, url, body: toBody(transaction, gatewaySettings) };
    const isHeld = settings.reorder && !held.has(id); // of each two postbacks, the second is sent first
    const waitMs = settings.delayMs + (isHeld ? HOLD_MS : 0);
    const ids = Array.from({ length: 1 + settings.duplicates }, () => create(content, waitMs).id);
    if (isHeld) {
      hold(id, ids);
    } else {
      for (const copy of ids) scheduleAttempt(copy);
      release(id);
    }
  }

  /** Posts a changed status, unless an option excludes it. */
  function postChange(transaction: SandboxTransaction): void {
    if (isPosted(transaction.status, gatewaySettings)) post(transaction);
  }

  return {
    post,
    postChange,
    /** Posts the first status like a changed one, if the option `onCreation` is set. */
    postCreation(transaction: SandboxTransaction): void {
      if (settings.onCreation) postChange(transaction);
    },
    /** Posts a body again, as a new delivery. @throws {UnknownIdError} */
    resend(deliveryId: number): PostbackDelivery {
      const { transactionId, url, body } = find(deliveryId);
      const delivery = create({ transactionId, url, body });
      scheduleAttempt(delivery.id);
      return delivery;
    },
    /** Oldest first. */
    list: (): readonly PostbackDelivery[] => [...records],
    /** Aborts the postbacks that are being sent. */
    stop: () => stopping.abort(),
    /** Resolves when no postback is being sent. It does not wait for scheduled ones. */
    async settled(): Promise<void> {
      while (queues.size > 0) await Promise.all(queues.values());
    },
  };
}

const RESPONSE_MAX_CHARACTERS = 1_000;

/** Posts a body; never rejects. A redirect is not followed. */
async function sendPostback(
  url: string,
  body: PostbackBody,
  { fetch, timeoutMs }: Pick<PostbackSettings, "fetch" | "timeoutMs">,
  stopping: AbortSignal,
): Promise<Omit<DeliveryAttempt, "at">> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([timeout, stopping]);
  try {
    signal.throwIfAborted();
    const response = await unlessAborted(
      signal,
      fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
        redirect: "manual",
        signal,
      }),
    );
    return { status: response.status, body: await readStart(response, signal) };
  } catch (error) {
    if (stopping.aborted) return { error: "the gateway was closed" };
    return { error: timeout.aborted ? `no response within ${timeoutMs} ms` : describeError(error) };
  }
}

/**
 * Reads only the part of a response that is kept, because the response may be endless. If it is cut off, it still
 * counts as a response, because its status was received.
 */
async function readStart({ body }: Response, signal: AbortSignal): Promise<string> {
  let text = "";
  try {
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    while (reader && text.length < RESPONSE_MAX_CHARACTERS) {
      const { done, value } = await unlessAborted(signal, reader.read());
      if (done) return text;
      text += value;
    }
    void reader?.cancel().catch(() => {}); // not awaited: it may never settle
  } catch {
    // Keep the text that was received.
  }
  return text.slice(0, RESPONSE_MAX_CHARACTERS);
}

/**
 * Rejects when the signal is aborted, because a custom `fetch` may ignore it. The listener is removed: Deno keeps a
 * process alive while a timeout signal has listeners.
 */
function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/** The error of `fetch` only states that it failed; the reason is in its cause. */
function describeError(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = (cause as { code?: unknown } | undefined)?.code;
  if (typeof code === "string") return code;
  return cause instanceof Error ? cause.message : String(cause);
}
