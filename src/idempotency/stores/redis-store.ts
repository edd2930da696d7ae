import { assertConfig } from "../../errors/check-options.ts";
import { createStore } from "../create-store.ts";
import {
  type Documents,
  type RecordWrite,
  type StoredDocument,
  type WriteBoth,
  writeOne,
} from "../documents.ts";
import { type PaymentsStore, readStoreOptions, type StoreOptions, type StoreProblem } from "../store.ts";
import { isRedisClient, type Redis, type RedisClient, toRedis, toText } from "./redis-client.ts";
import {
  ADD,
  ADD_BOTH,
  CHANGE_SET,
  CHECK,
  NAME,
  READ_MANY,
  READ_SET,
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
  const store = createStore({
    orders: createRedisOrders(redis, namespace, retentionMs),
    postbacks: createInboxes(redis, namespace, retentionMs),
    writeBoth: createWriteBoth(redis, namespace, retentionMs),
    unsigned: {
      ...createOperations(redis, (key) => [toName(`${prefix}:postbacks:`, key)], retentionMs, false),
      async *list() {}, // never
    },
    isShared: true,
    readNamespaces: () => readNamespaces(redis),
    check: () => check(redis, prefix),
  });
  let isListed = false;
  /** Before the first claim: the namespace must be in the list of namespaces. */
  const addNamespaceOnce = async () => {
    if (isListed) return;
    isListed = true;
    const added = redis.run(CHANGE_SET, [NAMESPACES], "SADD", encodeURIComponent(namespace));
    await added.catch(() => (isListed = false)); // the claim reports what is wrong
  };
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
      await addNamespaceOnce();
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

/** Tries the commands that a store needs. */
async function check(redis: Redis, prefix: string): Promise<StoreProblem[]> {
  const problems: StoreProblem[] = [];
  try {
    const refused = await redis.run(CHECK, [`${prefix}:none`]);
    for (const refusal of Array.isArray(refused) ? refused.map(toText) : []) {
      const level = /^(?:SCAN|PERSIST|INFO|EVALSHA):/.test(refusal) ? "warning" : "error";
      problems.push({ level, message: `Redis refuses ${refusal}` });
    }
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith("NOPERM"))) throw error;
    problems.push({ level: "error", message: `Redis refuses scripts: ${error.message}` });
  }
  const warning = await readWarning(redis, prefix).catch(() => undefined);
  return warning === undefined ? problems : [...problems, { level: "warning", message: `Redis ${warning}` }];
}

const ROOT = "payments:";

/** Encoded, so that the keys of one namespace cannot begin with those of another. */
const toPrefix = (namespace: string) => `${ROOT}${encodeURIComponent(namespace)}`;

const ORDER = ":order:";

/** The set of namespaces. No namespace is empty, so none has this prefix. */
const NAMESPACES = `${ROOT}:namespaces`;

/** The end of the key of an index. */
const OPEN = "open";

/**
 * Milliseconds for which a set counts as complete after all keys were read. Processes with an older version of this
 * package may run beside this one, and do not add what they write.
 */
const COMPLETE_MS = 60 * 60_000;

/** The first character of the member of a set that says when all keys were read. No other member begins with it. */
const MARK = "\n";

/** Reads a set whose members can be found in the keys as well, and whether it has all of them. */
async function readSet(redis: Redis, name: string) {
  const reply = await redis.run(READ_SET, [name]);
  const [now, fullName, all]: unknown[] = Array.isArray(reply) ? reply : [];
  if (!Array.isArray(all)) throw new UnreadableValueError(name);
  const texts = all.map(toText);
  const [members, marks] = [true, false].map((is) => texts.filter((text) => text.startsWith(MARK) !== is));
  const mark = `${MARK}${toText(now)}`;
  return {
    members: members ?? [],
    /** What the client adds to all keys. */
    clientPrefix: toText(fullName).slice(0, -name.length),
    isComplete: marks?.some((each) => Math.abs(Number(mark) - Number(each)) < COMPLETE_MS) === true,
    /** After all keys were read. It never fails: the user may only read. */
    async setComplete(...found: readonly string[]) {
      const added = redis.run(CHANGE_SET, [name], "SADD", ...found, mark);
      const outdated = marks?.filter((each) => each !== mark) ?? [];
      await added.then(() => redis.run(CHANGE_SET, [name], "SREM", ...outdated)).catch(() => undefined);
    },
  };
}

/** Reads the namespaces that have orders, or have had some. */
async function readNamespaces(redis: Redis): Promise<string[]> {
  const set = await readSet(redis, NAMESPACES);
  const names = new Set(set.members.map(decodeURIComponent));
  if (!set.isComplete) {
    for await (const page of scanOrders(redis)) for (const { namespace } of page) names.add(namespace);
    await set.setComplete(...[...names].map(encodeURIComponent));
  }
  return [...names];
}

/** The names of a document, and of its index if it has one. */
type Names = readonly string[];

interface Entry {
  readonly key: string;
  readonly namespace: string;
  readonly names: Names;
}

const toOrderNames = (namespace: string, key: string): Names => {
  const prefix = toPrefix(namespace);
  return [toName(`${prefix}${ORDER}`, key), `${prefix}:${OPEN}`];
};

/** Pages of the orders of namespaces, from the keys of the server. Default: of all. */
async function* scanOrders(redis: Redis, only?: ReadonlySet<string>): AsyncIterable<Entry[]> {
  const root = toText(await redis.run(NAME, [ROOT])); // with the prefix of the client
  const [first = ""] = only ?? [];
  const selected = only?.size === 1 ? escapeGlob(encodeURIComponent(first)) : "*";
  for await (const names of redis.scan(`${escapeGlob(root)}${selected}${ORDER}*`)) {
    yield names.flatMap((name) => {
      const [encoded = ""] = name.slice(root.length).split(":", 1);
      const start = root.length + encoded.length;
      try {
        if (!name.startsWith(ORDER, start)) return [];
        const [namespace, key] = [decodeURIComponent(encoded), toKey(name.slice(start + ORDER.length))];
        return only?.has(namespace) === false
          ? []
          : [{ key, namespace, names: toOrderNames(namespace, key) }];
      } catch {
        return []; // the key of another program
      }
    });
  }
}

/** Reads the documents of an index, and whether it has all that are open. */
async function readIndex(redis: Redis, namespace: string, start: string, index: string) {
  const { members, clientPrefix, ...set } = await readSet(redis, index);
  const from = `${clientPrefix}${start}`.length;
  const written = members.map((each) => (each.includes(MARK) ? each.split(MARK, 1)[0] : each.slice(from)));
  const entries = [...new Set(written)].map((name = ""): Entry => {
    const key = toKey(name);
    return { key, namespace, names: [toName(start, key), index] };
  });
  return { ...set, namespace, entries };
}

/** Reads the orders of namespaces; those that are open from the indexes, as far as these are complete. */
async function* listOrders(redis: Redis, namespaces: readonly string[], isOpenOnly: boolean) {
  const readOpen = (namespace: string) =>
    readIndex(redis, namespace, `${toPrefix(namespace)}${ORDER}`, `${toPrefix(namespace)}:${OPEN}`);
  const indexes = isOpenOnly ? await Promise.all(namespaces.map(readOpen)) : [];
  const complete = indexes.filter(({ isComplete }) => isComplete);
  const indexed = complete.flatMap(({ entries }) => entries);
  for await (const { document } of readPages(redis, indexed, true)) yield document;
  if (isOpenOnly && complete.length === indexes.length) return;
  const incomplete = indexes.filter(({ isComplete }) => !isComplete);
  const scanned = isOpenOnly ? incomplete.map(({ namespace }) => namespace) : namespaces;
  let isIndexed = true;
  for await (const entries of scanOrders(redis, new Set(scanned)))
    for await (const { names, document, isInIndex } of readPages(redis, entries, isOpenOnly)) {
      yield document;
      if (isInIndex || !isOpenOnly) continue;
      const member = toMember(document.key, document.version);
      const added = redis.run(CHANGE_SET, names.slice(1), "SADD", member);
      await added.catch(() => (isIndexed = false));
    }
  if (isIndexed) await Promise.all(incomplete.map(({ setComplete }) => setComplete()));
}

/** The orders of a namespace, each under its own key, and an index of the open ones. */
export function createRedisOrders(redis: Redis, namespace: string, retentionMs: number): Documents {
  return {
    ...createOperations(redis, (key) => toOrderNames(namespace, key), retentionMs, true),
    async *list(isOpenOnly, isEverywhere) {
      yield* listOrders(redis, isEverywhere ? await readNamespaces(redis) : [namespace], isOpenOnly);
    },
  };
}

/** Documents of a kind are spread over this many slots of a cluster, each with an index. */
const INDEXES = 16;

/** The postbacks of orders, with an index of those that are open: only they can be listed. */
function createInboxes(redis: Redis, ownNamespace: string, retentionMs: number): Documents {
  // Redis takes the text in braces for the slot, so a document and its index are on the same server.
  const toStart = (namespace: string, index: number) => `${toPrefix(namespace)}:inbox:{${index}}:`;
  const toNames = (key: string): Names => {
    const start = toStart(ownNamespace, toIndex(key));
    return [toName(start, key), `${start}${OPEN}`];
  };
  async function* listOpen(namespace: string) {
    for (let index = 0; index < INDEXES; index += 1) {
      const start = toStart(namespace, index);
      const { entries } = await readIndex(redis, namespace, start, `${start}${OPEN}`);
      for await (const { document } of readPages(redis, entries, true)) yield document;
    }
  }
  return {
    ...createOperations(redis, toNames, retentionMs, false),
    async *list(_isOpenOnly, isEverywhere) {
      const namespaces = isEverywhere ? await readNamespaces(redis) : [ownNamespace];
      for (const namespace of namespaces) yield* listOpen(namespace);
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

/** @param name - Without its prefix. */
function toKey(name: string): string {
  return JSON.parse(`"${name}"`);
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

/** Documents that one script reads. */
const READ_AT_ONCE = 200;

/** Reads documents that exist, and corrects their indexes if these are on the same server. */
async function* readPages(redis: Redis, entries: readonly Entry[], isOpenOnly: boolean) {
  const purpose = isOpenOnly ? "open" : "all";
  for (let start = 0; start < entries.length; start += READ_AT_ONCE) {
    const page = entries.slice(start, start + READ_AT_ONCE);
    const allNames = page.map(({ names }) => names);
    const replies = await redis.together<readonly unknown[]>(
      async () => [await redis.run(READ_MANY, allNames.flat(), purpose, String(allNames[0]?.length))],
      () => Promise.all(allNames.map(([name = ""]) => redis.run(READ_MANY, [name], purpose, "1"))),
    );
    const read = replies.flatMap((reply) => {
      const [now, corrected, ...values]: unknown[] = Array.isArray(reply) ? reply : [];
      return values.map((value) => ({ now, value, isInIndex: toText(corrected) === "corrected" }));
    });
    for (const [place, { key, namespace, names }] of page.entries()) {
      const { now, value = "", isInIndex = false } = read[place] ?? {};
      if (value === null) continue;
      yield { names, isInIndex, document: { ...(toDocument(now, value) ?? UNREADABLE), key, namespace } };
    }
  }
}

/**
 * A version of a document in an index in another slot: the document and that index cannot be changed at once. Before an open
 * version is written, it is added, and after it was replaced, it is removed: the index never lacks an open document. If the
 * process ends in between, the member is ignored.
 */
const toMember = (key: string, version: string) => `${toName("", key)}${MARK}${version}`;

const toRetention = (ms: number) => String(Math.min(Math.ceil(ms), Number.MAX_SAFE_INTEGER));

/** @param isApart - Whether the index can be in another slot of a cluster. */
function createOperations(
  redis: Redis,
  toNames: (key: string) => Names,
  retentionMs: number,
  isApart: boolean,
): Omit<Documents, "list"> {
  const retention = toRetention(retentionMs);

  /**
   * @param replaced - The version that it replaces, if any.
   * @param parse - Returns `true` or `undefined` if the document was written.
   */
  async function write<Result>(
    key: string,
    { isOpen, isEnd = false, version, text }: RecordWrite,
    replaced: string | undefined,
    parse: (reply: unknown, name: string) => Result,
  ): Promise<Result> {
    const names = toNames(key);
    const [name = ""] = names;
    const purpose = isEnd || replaced !== undefined ? "end" : "claim";
    const values = [isOpen ? "open" : "done", version, text, purpose, ...(isOpen ? [] : ["PX", retention])];
    const run = async (keys: Names) =>
      parse(
        await (replaced === undefined
          ? redis.run(ADD, keys, ...values)
          : redis.run(REPLACE, keys, replaced, ...values)),
        name,
      );
    if (!isApart) return run(names);
    const changeIndex = (command: "SADD" | "SREM", changed: string) =>
      redis.run(CHANGE_SET, names.slice(1), command, toMember(key, changed));
    return redis.together(
      () => run(names),
      async () => {
        if (isOpen) await changeIndex("SADD", version);
        const result = await run([name]);
        const isWritten = result === true || result === undefined;
        const outdated = isWritten ? replaced : isOpen ? version : undefined;
        if (outdated !== undefined) void changeIndex("SREM", outdated).catch(() => undefined);
        return result;
      },
    );
  }

  async function readMany(keys: readonly string[]) {
    const found = new Map<string, StoredDocument>();
    const entries = keys.map((key) => ({ key, namespace: "", names: toNames(key).slice(0, 1) }));
    for await (const { names, document } of readPages(redis, entries, false)) {
      const { key, namespace: _, ...stored } = document;
      if (stored.version === "") throw new UnreadableValueError(names[0]);
      found.set(key, stored);
    }
    return keys.map((key) => found.get(key));
  }

  return {
    add: (key, document) =>
      write(key, document, undefined, (reply, name) => {
        if (!Array.isArray(reply) || reply.length !== 2) throw new UnreadableValueError(name);
        const [now, value] = reply.map(toText);
        if (value === "added") return undefined;
        const found = toDocument(now, value);
        if (found === undefined) throw new UnreadableValueError(name);
        return found;
      }),
    read: async (key) => (await readMany([key]))[0],
    replace: (key, version, document) =>
      write(key, document, version, (reply, name) => {
        if (!["replaced", "kept"].includes(toText(reply))) throw new UnreadableValueError(name);
        return toText(reply) === "replaced";
      }),
    readMany,
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

/** Writes the postbacks and the record of an order in one script. In a cluster they may be on two servers. */
function createWriteBoth(redis: Redis, namespace: string, retentionMs: number): WriteBoth {
  return async (inbox, order) => {
    const { isOpen, version, text } = order.write;
    const ofOrder = [String(order.expected), version, text, toRetention(retentionMs)];
    const [orderName = ""] = toOrderNames(namespace, order.key);
    let written: unknown;
    const withOrder: Redis = {
      ...redis,
      async run(script, keys, ...values) {
        const both = script === ADD ? ADD_BOTH : REPLACE_BOTH;
        const reply = await redis.run(both, [...keys, orderName], ...ofOrder, ...values);
        if (!Array.isArray(reply)) throw new UnreadableValueError(keys[0]);
        written = toText(reply[0]);
        return reply[1];
      },
    };
    const write = (to: Redis) => writeOne(createInboxes(to, namespace, retentionMs), inbox);
    const result = isOpen
      ? await write(redis)
      : await redis.together(
          () => write(withOrder),
          () => write(redis),
        );
    return result === "first" && written === "both" ? "both" : result;
  };
}
