import { isRecord } from "../data/own.ts";
import { ConfigurationError } from "../errors/configuration-error.ts";
import type { IdempotencyStore } from "../idempotency/contract.ts";

const METHODS = ["claim", "renew", "end"] as const;

/** @throws {ConfigurationError} on what is no store. */
export function readIdempotency(store: IdempotencyStore | undefined): IdempotencyStore | undefined {
  if (store === undefined) return undefined;
  const members: unknown = store;
  const isStore = isRecord(members) && METHODS.every((name) => typeof members[name] === "function");
  if (!isStore) throw new ConfigurationError("idempotency must be a store, such as sqliteStore(path).");
  return store;
}
