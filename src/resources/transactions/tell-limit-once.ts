import { type EventListener, emitTo } from "../../http/events.ts";
import type { IdempotencyStore } from "../../idempotency/contract.ts";
import { endpoints } from "../../spec/endpoints.ts";

const told = new WeakSet<IdempotencyStore>();

/** Tells what a store cannot protect from, with the first create that relies on it. */
export function tellLimitOnce(store: IdempotencyStore, onEvent: EventListener | undefined): void {
  const message = warningOf(store);
  if (message === undefined || told.has(store)) return;
  told.add(store);
  const endpoint = endpoints.createTransaction.name;
  if (onEvent !== undefined) emitTo(onEvent, { type: "warning", endpoint, field: "idempotency", message });
  // biome-ignore lint/suspicious/noConsole: whoever listens to no events would never hear that nothing protects them
  else console.warn(`payments-sdk: the idempotency store ${message}.`);
}

/** A store of the merchant's own may fail at this, too: it is then asked for a claim, and fails there. */
function warningOf(store: IdempotencyStore): string | undefined {
  try {
    return store.warning;
  } catch {
    return undefined;
  }
}
