import { assertConfig } from "../../errors/check-options.ts";
import { createStore } from "../create-store.ts";
import {
  type Documents,
  type DocumentWrite,
  type StoredDocument,
  type WriteBoth,
  writeOne,
} from "../documents.ts";
import { type PaymentsStore, readStoreOptions, type StoreOptions } from "../store.ts";
import { isCluster, isRedisClient, type Redis, type RedisClient, toRedis, toText } from "./redis-client.ts";
import {
  ADD,
  ADD_BOTH,
  NAME,
  READ,
  READ_INDEX,
  READ_OPEN,
  REPLACE,
  REPLACE_BOTH,
  SETTINGS,
} from "./redis-scripts.ts";

/**
 * A store in Redis 6 or newer, or Valkey, for many machines. It is only as durable as Redis, which can lose the latest
 * writes with its default settings. An order that Redis has lost can be charged again. Therefore, configure:
 *
 * - `appendonly yes` and `appendfsync always`: every confirmed write is on the disk. With `everysec`, the default,
 *   a power cut loses the latest second or two; without `appendonly` a restart loses everything since the latest snapshot.
 * - `maxmemory-policy noeviction`: other policies delete orders at the memory limit. With `noeviction` Redis then refuses
 *   claims of new orders, and still records how payments ended; a user with an ACL needs `+persist` for that.
 * - Replication is asynchronous: a failover of Sentinel or of a cluster loses the last writes of the old master.
 *   `min-replicas-to-write` and `WAIT` make that rarer, but do not rule it out. If it must not happen, fail over by hand,
 *   or use `postgresStore` with synchronous replication.
 * - No offline queue in the client (`disableOfflineQueue: true` in node-redis, `enableOfflineQueue: false` in ioredis):
 *   otherwise the claim of a create call that has failed may be written when Redis is back, and a person has to resolve
 *   the order.
 *
 * Each operation uses keys of one slot: clusters work, and clients with a key prefix. Leases use the clock of Redis.
 *
 * The first create call emits a `warning` event if Redis has no append-only file, or deletes records when its memory is
 * full. A user with an ACL needs `+info` for that.
 *
 * @param client - Your own connected client: `createClient`, `createClientPool`, `createCluster` or `createSentinel` of
 * node-redis 5 or newer, `Redis` or `Cluster` of ioredis 5 or newer. The store does not close it.
 * @throws {ConfigurationError} on an invalid option, and if `client` is not a Redis client.
 */
export function redisStore(client: RedisClient, options: StoreOptions = {}): PaymentsStore {
  const { namespace, retentionMs } = readStoreOptions(options);
  assertConfig(isRedisClient(client), "client must be a client of node-redis or ioredis.");
  const redis = toRedis(client);
  // Encoded, so that the keys of one namespace cannot begin with those of another.
  const prefix = `${ROOT}${encodeURIComponent(namespace)}`;
  const store = createStore({
    orders: createRedisDocuments(redis, `${prefix}:order:`, retentionMs),
    postbacks: createIndexedDocuments(redis, `${prefix}:inbox`, retentionMs),
    writeBoth: isCluster(client) ? undefined : createWriteBoth(redis, prefix, retentionMs),
    unsigned: createRedisDocuments(redis, `${prefix}:postbacks:`, retentionMs),
    isShared: true,
    readNamespaces: () => readNamespaces(redis),
  });
  let hasRead = false;
  let warning: string | undefined;
  const readWarningOnce = async () => {
    if (hasRead) return;
    hasRead = true;
    warning = await readWarning(redis, prefix).catch(() => undefined); // without a warning the store still works
  };
  return {
    ...store,
    get warning() {
      return warning;
    },
    claim: async (order, leaseMs, options) => {
      const claim = await store.claim(order, leaseMs, options);
      void readWarningOnce(); // in the background
      return claim;
    },
  };
}

/**
 * Reads the settings with which a server may lose records.
 *
 * @param key - Selects the server in a cluster.
 * @returns a warning; `undefined` if those settings are safe, or if the user may not read them.
 */
async function readWarning(redis: Redis, key: string): Promise<string | undefined> {
  const info = toText(await redis.run(SETTINGS, [key]));
  const readSetting = (name: string) => new RegExp(`^${name}:(\\S*)`, "m").exec(info)?.[1];
  const policy = readSetting("maxmemory_policy");
  const hasLimit = readSetting("maxmemory") !== "0"; // without a limit nothing is evicted
  const reasons: string[] = [];
  if (policy !== undefined && policy !== "noeviction" && hasLimit) {
    reasons.push(`Redis has maxmemory-policy ${policy}, so it deletes records when its memory is full`);
  }
  if (readSetting("aof_enabled") === "0") {
    reasons.push("Redis has appendonly no, so a restart loses what was written since its latest snapshot");
  }
  if (reasons.length === 0) return undefined;
  return `may lose payments, and a lost payment can be charged again: ${reasons.join("; ")}`;
}

const ROOT = "payments:";

/** Reads the namespaces that have orders, from their keys. */
async function readNamespaces(redis: Redis): Promise<string[]> {
  const root = toText(await redis.run(NAME, [ROOT])); // with the prefix of the client
  const names = new Set<string>();
  for await (const keys of redis.scan(`${escapeGlob(root)}*:order:*`)) {
    for (const key of keys) {
      const [namespace = "", kind] = key.slice(root.length).split(":", 2);
      try {
        if (kind === "order") names.add(decodeURIComponent(namespace));
      } catch {
        // The key of another program.
      }
    }
  }
  return [...names];
}

/** State, version, when it was written, text. */
const VALUE = /^(open|done) (\S+) (\d+) (.*)$/s;

/** Documents in Redis, each under its own key. Listing them examines every key of the server. */
export function createRedisDocuments(redis: Redis, prefix: string, retentionMs: number): Documents {
  const { find, ...operations } = createOperations(redis, (key) => [toName(prefix, key)], retentionMs);
  return {
    ...operations,
    async *list(isOpenOnly) {
      const fullPrefix = toText(await redis.run(NAME, [prefix]));
      const unreadable: unknown[] = [];
      for await (const names of redis.scan(`${escapeGlob(fullPrefix)}*`)) {
        const reads = names.map(async (name) => {
          const key = toKey(fullPrefix, name);
          return { key, found: await find(key, "missing", isOpenOnly ? READ_OPEN : READ) };
        });
        for (const read of await Promise.allSettled(reads)) {
          if (read.status === "rejected") unreadable.push(read.reason);
          else if (read.value.found !== undefined) yield { ...read.value.found, key: read.value.key };
        }
      }
      // Thrown at the end, so that it does not hide the others.
      if (unreadable.length > 0) throw unreadable[0];
    },
  };
}

/** The end of the key of an index. */
const OPEN = "open";

/** Documents of a kind are spread over this many slots of a cluster, each with an index. */
const INDEXES = 16;

/** Documents in Redis with an index of those that are open: only they can be listed. */
function createIndexedDocuments(redis: Redis, prefix: string, retentionMs: number): Documents {
  // Redis takes the text in braces for the slot, so a document and its index are on the same server.
  const toPrefix = (index: number) => `${prefix}:{${index}}:`;
  const toNames = (key: string) => {
    const own = toPrefix(toIndex(key));
    return [toName(own, key), `${own}${OPEN}`];
  };
  const { find, ...operations } = createOperations(redis, toNames, retentionMs);
  return {
    ...operations,
    async *list() {
      for (let index = 0; index < INDEXES; index += 1) {
        const name = `${toPrefix(index)}${OPEN}`;
        const reply = await redis.run(READ_INDEX, [name]);
        const [fullName, members]: unknown[] = Array.isArray(reply) ? reply : [];
        if (!Array.isArray(members)) throw new UnreadableValueError(name);
        const fullPrefix = toText(fullName).slice(0, -OPEN.length); // with the prefix of the client
        const reads = members.map(async (member) => {
          const key = toKey(fullPrefix, toText(member));
          return { key, found: await find(key, "missing", READ_OPEN).catch(toUnreadable) };
        });
        for (const { key, found } of await Promise.all(reads))
          if (found !== undefined) yield { ...found, key };
      }
    },
  };
}

/** The same for each key, and spread evenly. */
function toIndex(key: string): number {
  let hash = 0;
  for (let place = 0; place < key.length; place += 1) hash = (hash * 31 + key.charCodeAt(place)) % 1_000_003;
  return hash % INDEXES;
}

/** Redis stores bytes, and a lone surrogate has no UTF-8 encoding: as JSON, different keys stay different. */
function toName(prefix: string, key: string): string {
  return `${prefix}${JSON.stringify(key).slice(1, -1)}`;
}

function toKey(fullPrefix: string, name: string): string {
  return JSON.parse(`"${name.slice(fullPrefix.length)}"`);
}

const toRetention = (ms: number) => String(Math.min(Math.ceil(ms), Number.MAX_SAFE_INTEGER));

/** @param toNames - The names of a document, and of its index if it has one. */
function createOperations(redis: Redis, toNames: (key: string) => readonly string[], retentionMs: number) {
  const retention = toRetention(retentionMs);

  function toValues({ isOpen, isEnd = false, version, text }: DocumentWrite): readonly string[] {
    const purpose = isEnd ? "end" : "claim";
    return isOpen ? ["open", version, text, purpose] : ["done", version, text, purpose, "PX", retention];
  }

  /** @param none - What the script returns instead of a document. */
  async function find(
    key: string,
    none: "added" | "missing",
    script: string,
    ...values: readonly string[]
  ): Promise<StoredDocument | undefined> {
    const names = toNames(key);
    const reply = await redis.run(script, names, ...values);
    if (!Array.isArray(reply) || reply.length !== 2) throw new UnreadableValueError(names[0]);
    const [now = "", value = ""] = reply.map(toText);
    if (value === none) return undefined;
    const [, , version, writtenAt, text] = VALUE.exec(value) ?? [];
    const ageMs = Number(now) - Number(writtenAt);
    if (version === undefined || text === undefined || Number.isNaN(ageMs))
      throw new UnreadableValueError(names[0]);
    return { text, version, ageMs };
  }

  return {
    find,
    add: (key: string, document: DocumentWrite) => find(key, "added", ADD, ...toValues(document)),
    read: (key: string) => find(key, "missing", READ),
    async replace(key: string, version: string, document: DocumentWrite) {
      const names = toNames(key);
      const reply = toText(await redis.run(REPLACE, names, version, ...toValues(document)));
      if (reply !== "replaced" && reply !== "kept") throw new UnreadableValueError(names[0]);
      return reply === "replaced";
    },
  };
}

function escapeGlob(text: string): string {
  return text.replace(/[*?[\]\\^-]/g, "\\$&");
}

class UnreadableValueError extends Error {
  constructor(name: string | undefined) {
    super(`Redis has a value under ${name} that payments-sdk did not write.`);
  }
}

/** A document that is listed, so that a person sees it. */
function toUnreadable(error: unknown): StoredDocument {
  if (error instanceof UnreadableValueError) return { text: "", version: "", ageMs: 0 };
  throw error;
}

/** Writes the postbacks and the record of an order in one script. In a cluster they may be on two servers. */
function createWriteBoth(redis: Redis, prefix: string, retentionMs: number): WriteBoth {
  const retention = toRetention(retentionMs);
  return async (inbox, order) => {
    const { isOpen, version, text } = order.write;
    const ofOrder = [String(order.expected), version, text, retention];
    let written: unknown;
    const withOrder: Redis = {
      ...redis,
      async run(script, keys, ...values) {
        const all = [...keys, toName(`${prefix}:order:`, order.key)];
        const reply = await redis.run(script === ADD ? ADD_BOTH : REPLACE_BOTH, all, ...ofOrder, ...values);
        if (!Array.isArray(reply)) throw new UnreadableValueError(keys[0]);
        written = toText(reply[0]);
        return reply[1];
      },
    };
    const write = (to: Redis) => writeOne(createIndexedDocuments(to, `${prefix}:inbox`, retentionMs), inbox);
    const result = await write(isOpen ? redis : withOrder).catch((error: Error) => {
      if (!error.message.includes("CROSSSLOT")) throw error;
      return write(redis); // the client of one server of a cluster
    });
    return result === "first" && written === "both" ? "both" : result;
  };
}
