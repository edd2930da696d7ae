export { ConfigurationError } from "./core/errors/configuration-error.ts";
export type { HandledPostback, PostbackClaim, PostbackKey, PostbackStore } from "./idempotency/contract.ts";
export { type MemoryStoreOptions, memoryStore } from "./idempotency/memory-store.ts";
export { type SqliteStore, type SqliteStoreOptions, sqliteStore } from "./idempotency/sqlite-store.ts";
