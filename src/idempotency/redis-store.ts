import { assertConfig } from "../errors/check-options.ts";
import { DocumentPostbacks } from "./document-postbacks.ts";
import { isRedisClient, type RedisClient, redisOf } from "./redis-client.ts";
import { RedisDocuments } from "./redis-documents.ts";
import { askForWarning } from "./redis-settings.ts";
import { type PaymentsStore, storeOn } from "./store.ts";
import { readStoreOptions, type StoreOptions } from "./store-options.ts";

/**
 * A store in Redis 6 or newer, or Valkey, for many machines. It keeps what Redis keeps, and Redis as it is installed may
 * lose the latest writes. An order that Redis forgot can be charged again. So:
 *
 * - `appendonly yes` and `appendfsync always`: what the store confirmed is on the disk. With `everysec`, the default,
 *   a power cut takes the latest second or two, with `no` about half a minute; where the Redis process alone dies, both
 *   lose little or nothing. Without `appendonly` a restart takes everything since the latest snapshot.
 * - `maxmemory-policy noeviction`: where memory is short, an `allkeys-` policy forgets any order, and a `volatile-` one
 *   forgets payments that were made. With `noeviction` Redis at its memory limit refuses claims of new orders, and still
 *   records how payments ended; a user with an ACL needs `+persist` for that.
 * - Replication is asynchronous: a failover of Sentinel or of a cluster forgets what the old master confirmed last, and
 *   two masters may confirm claims for as long as they do not know of each other. `min-replicas-to-write` and `WAIT`
 *   make that rarer, and do not rule it out. Where it must not happen, fail over by hand, or use `postgresStore` with
 *   synchronous replication.
 * - No offline queue in the client (`disableOfflineQueue: true` in node-redis, `enableOfflineQueue: false` in ioredis):
 *   else the claim of a create that was given up may be written when Redis is back. That charges nobody, but a person
 *   has to resolve it.
 *
 * Each order has one key, and so have the postbacks of a transaction: a cluster works, and a client with a prefix for
 * keys does. The clock is that of Redis.
 *
 * The first create gives a `warning` event if Redis has no append-only file, or deletes records when its memory is full.
 * A user with an ACL needs `+info` for that.
 *
 * @param client - Connected, and yours to close: `createClient`, `createClientPool`, `createCluster` or
 * `createSentinel` of node-redis 5 or newer, `Redis` or `Cluster` of ioredis 5 or newer.
 * @throws {ConfigurationError} on an option that cannot work, and on a client that is none.
 */
export function redisStore(client: RedisClient, options: StoreOptions = {}): PaymentsStore {
  const { namespace, retentionMs } = readStoreOptions(options);
  assertConfig(isRedisClient(client), "client must be a client of node-redis or ioredis.");
  const redis = redisOf(client);
  // Encoded, so that no namespace can end where the keys of another one begin.
  const prefix = `payments:${encodeURIComponent(namespace)}`;
  const store = storeOn({
    orders: new RedisDocuments(redis, `${prefix}:order:`, retentionMs),
    postbacks: new DocumentPostbacks(new RedisDocuments(redis, `${prefix}:postbacks:`, retentionMs)),
  });
  let isAsked = false;
  let warning: string | undefined;
  const askOnce = async () => {
    if (isAsked) return;
    isAsked = true;
    warning = await askForWarning(redis, prefix).catch(() => undefined); // no operation fails for want of a warning
  };
  return {
    ...store,
    get warning() {
      return warning;
    },
    claim: async (order, leaseMs, options) => {
      const claim = await store.claim(order, leaseMs, options);
      void askOnce(); // nothing waits for the answer
      return claim;
    },
  };
}
