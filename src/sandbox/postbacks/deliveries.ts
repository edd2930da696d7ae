import { type Scheduler, timestamp } from "../clock.ts";
import { UnknownIdError } from "../sandbox-errors.ts";
import type { SandboxTransaction } from "../transaction.ts";
import type { DeliveryAttempt, PostbackBody, PostbackDelivery } from "./delivery.ts";
import { HOLD_MS, type PostbackSettings } from "./postback-options.ts";
import { sendPostback } from "./send-postback.ts";

/** The postbacks of a gateway. One to a `postbackUrl` that was not sent goes nowhere. */
export interface Deliveries {
  /** Posts the present status. Spec: "Postback notification". */
  post(transaction: SandboxTransaction): void;
  /** As {@link post}, where the options ask for it. */
  postCreation(transaction: SandboxTransaction): void;
  /** Delivers a body once more, as a delivery of its own. @throws {UnknownIdError} */
  resend(deliveryId: number): PostbackDelivery;
  /** Oldest first. */
  list(): readonly PostbackDelivery[];
  /** Resolves when no postback is on its way. Those that wait for the clock are not waited for. */
  settled(): Promise<void>;
  /** Gives up what is on its way. */
  stop(): void;
}

export function createDeliveries(
  settings: PostbackSettings,
  scheduler: Scheduler,
  changed: (delivery: PostbackDelivery) => void,
): Deliveries {
  const stopping = new AbortController();
  const records: PostbackDelivery[] = []; // by id, less 1
  const held = new Map<number, readonly number[]>(); // what waits for the next postback of its transaction
  const lines = new Map<number, Promise<void>>(); // one after the other, for each transaction

  function keep(record: PostbackDelivery): PostbackDelivery {
    records[record.id - 1] = record;
    changed(record);
    return record;
  }

  function make(
    transactionId: number,
    url: string,
    body: PostbackBody,
    waitMs: number = settings.delayMs,
  ): PostbackDelivery {
    return keep({
      id: records.length + 1,
      transactionId,
      url,
      body,
      status: "scheduled",
      attempts: [],
      nextAttemptAt: timestamp(scheduler.now() + waitMs),
    });
  }

  function find(id: number): PostbackDelivery {
    const record = records[id - 1];
    if (record === undefined) throw new UnknownIdError(`There is no postback ${id}.`);
    return record;
  }

  function scheduleAttempt(id: number, time: number): void {
    scheduler.at(time, () => enqueue(id, time));
  }

  function enqueue(id: number, due: number): void {
    const { transactionId } = find(id);
    const since = scheduler.machineNow();
    // The clock may be advanced while a promise is on its way: times count from when the attempt fell due.
    const present = () => due + scheduler.machineNow() - since;
    const before = lines.get(transactionId) ?? Promise.resolve();
    const line = before.then(() => attempt(id, present));
    lines.set(transactionId, line);
    void line.then(() => {
      if (lines.get(transactionId) === line) lines.delete(transactionId);
    });
  }

  async function attempt(id: number, present: () => number): Promise<void> {
    const at = timestamp(present());
    const { url, body } = find(id);
    const answer = await sendPostback(url, body, settings, stopping.signal);
    record(id, { at, ...answer }, present());
  }

  function record(id: number, attempted: DeliveryAttempt, now: number): void {
    const { nextAttemptAt: _past, ...before } = find(id);
    const attempts = [...before.attempts, attempted];
    const { status: answered = 0 } = attempted;
    if (answered >= 200 && answered < 300) {
      keep({ ...before, attempts, status: "delivered" });
    } else if (attempts.length > settings.retries) {
      keep({ ...before, attempts, status: "failed" });
    } else {
      const next = now + settings.backoffMs * 2 ** (attempts.length - 1);
      keep({ ...before, attempts, nextAttemptAt: timestamp(next) });
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
      keep({ ...find(id), nextAttemptAt: timestamp(scheduler.now() + settings.delayMs) });
      scheduleAttempt(id, scheduler.now() + settings.delayMs);
    }
  }

  function post(transaction: SandboxTransaction): void {
    const { id, postBackUrl: url } = transaction;
    if (url === undefined) return;
    const body = bodyOf(transaction);
    const isHeld = settings.reorder && !held.has(id); // of two in a row the second goes first
    const waitMs = settings.delayMs + (isHeld ? HOLD_MS : 0);
    const ids = Array.from({ length: 1 + settings.duplicates }, () => make(id, url, body, waitMs).id);
    if (isHeld) {
      hold(id, ids);
    } else {
      for (const copy of ids) scheduleAttempt(copy, scheduler.now() + settings.delayMs);
      release(id);
    }
  }

  return {
    post,
    postCreation(transaction) {
      if (settings.onCreation) post(transaction);
    },
    resend(deliveryId) {
      const { transactionId, url, body } = find(deliveryId);
      const delivery = make(transactionId, url, body);
      scheduleAttempt(delivery.id, scheduler.now() + settings.delayMs);
      return delivery;
    },
    list: () => [...records],
    stop: () => stopping.abort(),
    async settled() {
      while (lines.size > 0) await Promise.all(lines.values());
    },
  };
}

function bodyOf({ id, status, externalId, amount, timeline, createdAt }: SandboxTransaction): PostbackBody {
  const transactionDate = timeline.find((entry) => entry.status === status)?.at ?? createdAt;
  return {
    id,
    status,
    ...(externalId !== undefined && { externalRef: externalId }),
    amount,
    transactionDate,
  };
}
