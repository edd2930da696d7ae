import { assertConfig } from "../../errors/check-options.ts";
import { createStore } from "../create-store.ts";
import { type Documents, READ_AT_ONCE, type StoredDocument, type WriteResult } from "../documents.ts";
import { toReference } from "../postbacks/postback-store.ts";
import { type PaymentsStore, readStoreOptions, type StoreOptions } from "../store.ts";
import {
  isRedisClient,
  KEYS_PER_PAGE,
  type Redis,
  type RedisClient,
  toRedis,
  toText,
} from "./redis-client.ts";
import { ADD_TO_SET, CHECK, NAME, READ_MANY, READ_SET, SETTINGS, WRITE } from "./redis-scripts.ts";

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
 * Clusters work, and clients with a key prefix. Leases use the clock of Redis.
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
  const prefix = toPrefix(namespace);
  const open = (kind: Kind) => createRedisDocuments(redis, namespace, kind, retentionMs);
  const store = createStore({
    ...{ orders: open("order"), postbacks: open("inbox"), unsigned: open("postbacks") },
    isShared: true,
    readNamespaces: () => readNamespaces(redis),
    check: async () => {
      const refused = toText(await redis.run(CHECK, [`${prefix}:none`]));
      const found = [refused && `refuses PERSIST: ${refused}`, await readWarning(redis, prefix)];
      return found.filter(Boolean).map((text) => ({ level: "warning", message: `Redis ${text}` }));
    },
  });
  let warning: string | undefined;
  let nextListing = 0;
  /** Before the first claim, and each hour: Redis may have lost the list of namespaces, and its settings may change. */
  const listNamespace = async () => {
    const now = performance.now();
    if (now < nextListing) return;
    nextListing = now + LISTING_INTERVAL_MS;
    try {
      await redis.run(ADD_TO_SET, [NAMESPACES], encodeURIComponent(namespace));
      // In the background: without a warning the store still works.
      void readWarning(redis, prefix).then(
        (found) => {
          warning = found;
        },
        () => undefined,
      );
    } catch (error) {
      nextListing = 0;
      // At its memory limit Redis refuses new orders as well, and a claim of an order that exists writes nothing.
      if (!(error instanceof Error && /\bOOM command/.test(error.message))) throw error;
    }
  };
  return {
    ...store,
    get warning() {
      return warning;
    },
    claim: async (order, leaseMs, options) => {
      await listNamespace();
      return store.claim(order, leaseMs, options);
    },
  };
}

/** Milliseconds. */
const LISTING_INTERVAL_MS = 60 * 60_000;

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

/** Of the keys of all stores. */
const ROOT = "payments:";

/** Encoded, so that the keys of one namespace cannot begin with those of another. */
const toPrefix = (namespace: string) => `${ROOT}${encodeURIComponent(namespace)}`;

/** The set of namespaces. No namespace is empty, so none has this prefix. */
const NAMESPACES = `${ROOT}:namespaces`;

/** Reads the namespaces that have orders, or have had some. */
async function readNamespaces(redis: Redis): Promise<string[]> {
  return (await readSet(redis, NAMESPACES)).map(decodeURIComponent);
}

async function readSet(redis: Redis, name: string): Promise<string[]> {
  const members = await redis.run(READ_SET, [name]);
  if (!Array.isArray(members)) throw new UnreadableValueError(name);
  return members.map(toText);
}

/** What a document is about: an order, its signed postbacks, or the unsigned ones of a transaction. */
type Kind = "order" | "inbox" | "postbacks";

/** The documents of a namespace are in so many slots of a cluster. Each slot has an index of the open ones of each kind. */
const SLOTS = 16;

/** Redis takes the text in braces for the slot, so all keys that begin with it are on one server. */
const toSlot = (namespace: string, slot: number) => `${toPrefix(namespace)}:{${slot}}:`;

const toIndex = (slot: string, kind: Kind) => `${slot}open:${kind}`;

interface Place {
  readonly namespace: string;
  readonly key: string;
  /** The part of the name that decides the slot. */
  readonly slot: string;
  readonly name: string;
}

function toPlace(namespace: string, kind: Kind, key: string): Place {
  // An order and its postbacks are in one slot, so that one script can write both.
  const hashed = kind === "inbox" ? (toReference(key) ?? key) : key;
  let hash = 0;
  for (let place = 0; place < hashed.length; place += 1)
    hash = (hash * 31 + hashed.charCodeAt(place)) % 1_000_003;
  const slot = toSlot(namespace, hash % SLOTS);
  return { namespace, key, slot, name: `${slot}${kind}:${toName(key)}` };
}

/** Redis stores bytes, and a lone surrogate has no UTF-8 encoding: as JSON, different keys stay different. */
const toName = (key: string) => JSON.stringify(key).slice(1, -1);

const toKey = (name: string): string => JSON.parse(`"${name}"`);

/** Pages of the open documents of a namespace, or of all, by their indexes. */
async function* findOpen(redis: Redis, kind: Kind, only: string | undefined): AsyncIterable<Place[]> {
  for (const namespace of only === undefined ? await readNamespaces(redis) : [only]) {
    const indexes = Array.from({ length: SLOTS }, (_, slot) => toIndex(toSlot(namespace, slot), kind));
    const names = (await Promise.all(indexes.map((index) => readSet(redis, index)))).flat();
    for (let start = 0; start < names.length; start += KEYS_PER_PAGE)
      yield names.slice(start, start + KEYS_PER_PAGE).map((name) => toPlace(namespace, kind, toKey(name)));
  }
}

/** Pages of the orders of a namespace, or of all, from the keys of the server. */
async function* findOrders(redis: Redis, namespace: string | undefined): AsyncIterable<Place[]> {
  const root = toText(await redis.run(NAME, [ROOT])); // with the prefix of the client
  const encoded = namespace === undefined ? "*" : escapeGlob(encodeURIComponent(namespace));
  for await (const names of redis.scan(`${escapeGlob(root)}${encoded}:{*}:order:*`)) {
    yield names.flatMap((name) => {
      const [, of, key] = ORDER_NAME.exec(name.slice(root.length)) ?? [];
      if (of === undefined || key === undefined) return [];
      try {
        return [toPlace(decodeURIComponent(of), "order", toKey(key))];
      } catch {
        return []; // the key of another program
      }
    });
  }
}

const ORDER_NAME = /^([^:]+):\{\d+\}:order:(.*)$/s;

function escapeGlob(text: string): string {
  return text.replace(/[*?[\]\\^-]/g, "\\$&");
}

/** State, version, when it was written, text. */
const VALUE = /^(open|done) (\S+) (\d+) (.*)$/s;

function toDocument(now: unknown, value: unknown): StoredDocument | undefined {
  const [, , version, writtenAt, text] = VALUE.exec(toText(value)) ?? [];
  const ageMs = Number(toText(now)) - Number(writtenAt);
  if (version === undefined || text === undefined || Number.isNaN(ageMs)) return undefined;
  return { text, version, ageMs };
}

/** A document that is listed, so that a person sees it. */
const UNREADABLE: StoredDocument = { text: "", version: "", ageMs: 0 };

/** Reads the documents of a page that exist; each script those of one slot. */
async function readPage(redis: Redis, places: readonly Place[], isOpenOnly: boolean) {
  const scripts = [...Map.groupBy(places, ({ slot }) => slot).values()].flatMap((inSlot) =>
    Array.from({ length: Math.ceil(inSlot.length / READ_AT_ONCE) }, async (_, nth) => {
      const page = inSlot.slice(nth * READ_AT_ONCE, (nth + 1) * READ_AT_ONCE);
      const names = page.map(({ name }) => name);
      const reply = await redis.run(READ_MANY, names, isOpenOnly ? "open" : "all");
      const [now, ...values]: unknown[] = Array.isArray(reply) ? reply : [];
      return page.flatMap(({ namespace, key, name }, index) => {
        const value = values.length === page.length ? values[index] : "";
        return value === null ? [] : [{ ...(toDocument(now, value) ?? UNREADABLE), namespace, key, name }];
      });
    }),
  );
  return (await Promise.all(scripts)).flat();
}

/** Documents of one kind, each under its own key, and indexes of the open ones. Only orders that are not open can be listed. */
export function createRedisDocuments(
  redis: Redis,
  ownNamespace: string,
  kind: Kind,
  retentionMs: number,
): Documents {
  const retention = String(Math.min(Math.ceil(retentionMs), Number.MAX_SAFE_INTEGER));

  async function readMany(keys: readonly string[]) {
    const places = keys.map((key) => toPlace(ownNamespace, kind, key));
    const found = new Map<string, StoredDocument>();
    for (const { key, name, namespace: _, ...stored } of await readPage(redis, places, false)) {
      if (stored.version === "") throw new UnreadableValueError(name);
      found.set(key, stored);
    }
    return keys.map((key) => found.get(key));
  }

  return {
    async write({ key, expected, write: { isOpen, isEnd = false, version, text } }, _signal, order) {
      const { name, slot } = toPlace(ownNamespace, kind, key);
      const [state, purpose] = [isOpen ? "open" : "done", isEnd || expected !== undefined ? "end" : "claim"];
      const values = [expected ?? "", version, state, text, toName(key), purpose, retention];
      const names = [name, toIndex(slot, kind)];
      // The script has no place for the index of orders: a record that is open, or becomes open, is not written.
      if (order !== undefined && !order.write.isOpen) {
        names.push(toPlace(ownNamespace, "order", order.key).name);
        values.push(String(order.expected), order.write.version, order.write.text);
      }
      return toWriteResult(await redis.run(WRITE, names, ...values), name);
    },
    read: async (key) => (await readMany([key]))[0],
    readMany,
    async *list(isOpenOnly, isEverywhere) {
      const namespace = isEverywhere ? undefined : ownNamespace;
      const found = isOpenOnly ? findOpen(redis, kind, namespace) : findOrders(redis, namespace);
      for await (const places of found)
        for (const { name: _, ...document } of await readPage(redis, places, isOpenOnly)) yield document;
    },
  };
}

/** @param reply - What {@link WRITE} returns. */
function toWriteResult(reply: unknown, name: string): WriteResult {
  if (!Array.isArray(reply) || reply.length !== 2) throw new UnreadableValueError(name);
  const [now, result] = reply.map(toText);
  if (result === "both" || result === "first" || result === "kept") return result;
  const found = toDocument(now, result);
  if (found === undefined) throw new UnreadableValueError(name);
  return found;
}

class UnreadableValueError extends Error {
  constructor(name: string | undefined) {
    super(`Redis has a value under ${name} that payments-sdk did not write.`);
  }
}
