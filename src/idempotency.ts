/**
 * Stores that record the outcome of each payment, so that no payment is sent twice, and the handled postbacks.
 *
 * @module payments-sdk/idempotency
 */

export type * from "./contracts/idempotency-store.ts";
export type * from "./contracts/postback-store.ts";
export { IdempotencyStoreError, OutcomePendingError } from "./errors/idempotency-errors.ts";
export { ConfigurationError, InvalidRequestError } from "./errors/usage-errors.ts";
export {
  type DocumentOperations,
  type DocumentStoreOptions,
  documentStore,
} from "./idempotency/document-store.ts";
export type { DocumentWrite, ListedDocument, StoredDocument } from "./idempotency/documents.ts";
export type {
  PaymentsStore,
  StatsOptions,
  StoreOptions,
  StoreProblem,
  StoreStats,
} from "./idempotency/store.ts";
export {
  type D1Client,
  type D1Rows,
  type D1Statement,
  type D1Store,
  d1Store,
} from "./idempotency/stores/d1-store.ts";
export { type MemoryStoreOptions, memoryStore } from "./idempotency/stores/memory-store.ts";
export type { MysqlClient } from "./idempotency/stores/mysql-client.ts";
export { type MysqlStore, mysqlStore } from "./idempotency/stores/mysql-store.ts";
export type {
  PostgresClient,
  PostgresJsClient,
  QueryingPostgresClient,
} from "./idempotency/stores/postgres-client.ts";
export {
  type PostgresStore,
  type PostgresStoreOptions,
  postgresStore,
} from "./idempotency/stores/postgres-store.ts";
export type {
  IoRedisClient,
  IoRedisCluster,
  NodeRedisClient,
  NodeRedisCluster,
  RedisClient,
} from "./idempotency/stores/redis-client.ts";
export { redisStore } from "./idempotency/stores/redis-store.ts";
export { type SqliteStore, sqliteStore } from "./idempotency/stores/sqlite-store.ts";
