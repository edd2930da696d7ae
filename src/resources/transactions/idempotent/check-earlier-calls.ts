import type { IdempotencyStore } from "../../../contracts/idempotency-store.ts";
import { bare, isRecord } from "../../../data/own.ts";
import { addEarlierCharge, type PaymentsError } from "../../../errors/payments-error.ts";
import type { Call } from "../../../http/call.ts";
import { withTimeout } from "../../../http/timers.ts";
import { isReference } from "../request.ts";
import type { Recorded } from "./record-outcome.ts";

/** How long a failed call waits for the record of its order, in milliseconds. An aborted call waits, too. */
const LOOK_UP_WITHIN_MS = 2_000;

/** Errors that were checked: those of calls that claimed their order are thrown through the rest of the call. */
const checked = new WeakSet<PaymentsError>();

/**
 * Sets `mayHaveCharged` of a call that charged no one itself, if an earlier call for its order may have. In doubt, it is
 * `true`. Never rejects.
 *
 * @param recorded - What the store returned for the end of this call's own claim; missing if it did not claim the order.
 */
export async function checkEarlierCalls(
  call: Call,
  store: IdempotencyStore,
  failure: PaymentsError,
  recorded?: Recorded,
): Promise<void> {
  if (failure.mayHaveCharged || checked.has(failure)) return;
  checked.add(failure);
  if (await mayHaveCharged(call, store, recorded)) addEarlierCharge(failure);
}

async function mayHaveCharged(
  { externalRef, options }: Call,
  store: IdempotencyStore,
  recorded: Recorded | undefined,
): Promise<boolean> {
  if (!isReference(externalRef)) return false; // no order can have been sent with it
  if (recorded && (recorded.error || recorded.isReplaced || recorded.hasDuplicates)) return true;
  try {
    // A custom store may have no `get`. An order that this call could claim was free, or a lost pix.
    if (typeof store.get !== "function") return recorded === undefined || options.replaceLost;
    const order = await withTimeout({ ms: LOOK_UP_WITHIN_MS }, async () => store.get(externalRef));
    return order !== undefined && !isFree(order, externalRef);
  } catch {
    return true;
  }
}

/** Whether a record shows that no one was charged. A custom store may return anything. */
function isFree(order: unknown, externalRef: string): boolean {
  if (!isRecord(order)) return false;
  const { externalRef: reference, state, possibleDuplicates: others } = bare(order);
  return reference === externalRef && state === "free" && Array.isArray(others) && others.length === 0;
}
