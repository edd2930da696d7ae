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
  READ,
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
    unsigned: createUnlisted(redis, `${prefix}:postbacks:`, retentionMs),
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

/** Tries the commands that a store needs on a key that does not exist. */
async function check(redis: Redis, prefix: string): Promise<StoreProblem[]> {
  const problems: StoreProblem[] = [];
  try {
    const refused = await redis.run(CHECK, [`${prefix}:check`]);
    for (const refusal of Array.isArray(refused) ? refused.map(toText) : []) {
      const level = /^(?:SCAN|PERSIST):/.test(refusal) ? "warning" : "error";
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

interface Entry {
  readonly key: string;
  readonly namespace: string;
  /** Of the document, and of its index. */
  readonly names: readonly string[];
}

function toOrderEntry(namespace: string, key: string): Entry {
  const prefix = toPrefix(namespace);
  return { key, namespace, names: [toName(`${prefix}${ORDER}`, key), `${prefix}:${OPEN}`] };
}

/** Pages of the orders of a namespace, from the keys of the server. Default: of all. */
async function* scanOrders(redis: Redis, only?: string): AsyncIterable<Entry[]> {
  const root = toText(await redis.run(NAME, [ROOT])); // with the prefix of the client
  const selected = only === undefined ? "*" : escapeGlob(encodeURIComponent(only));
  for await (const names of redis.scan(`${escapeGlob(root)}${selected}${ORDER}*`)) {
    yield names.flatMap((name) => {
      const [encoded = ""] = name.slice(root.length).split(":", 1);
      const start = root.length + encoded.length;
      try {
        if (!name.startsWith(ORDER, start)) return [];
        return [toOrderEntry(decodeURIComponent(encoded), toKey(name.slice(start + ORDER.length)))];
      } catch {
        return []; // the key of another program
      }
    });
  }
}

/** Reads the orders of namespaces; those that are open from the indexes, as far as these are complete. */
async function* listOrders(redis: Redis, namespaces: readonly string[], isOpenOnly: boolean) {
  const unreadable: unknown[] = [];
  let isIndexed = true;
  async function* read(entries: readonly Entry[], isScan: boolean) {
    for await (const { entry, document, isInIndex } of readPages(redis, entries, isOpenOnly)) {
      if (document instanceof Error) unreadable.push(document);
      else yield { ...document, key: entry.key, namespace: entry.namespace };
      if (isInIndex || !isScan || !isOpenOnly) continue;
      const added = changeIndex(redis, entry, "SADD", document instanceof Error ? "" : document.version);
      await added.catch(() => (isIndexed = false));
    }
  }
  const readIndex = async (namespace: string) => {
    const set = await readSet(redis, `${toPrefix(namespace)}:${OPEN}`);
    const start = `${set.clientPrefix}${toPrefix(namespace)}${ORDER}`.length;
    const names = set.members.map((each) =>
      each.includes(MARK) ? each.split(MARK, 1)[0] : each.slice(start),
    );
    return {
      ...set,
      namespace,
      entries: [...new Set(names)].map((name = "") => toOrderEntry(namespace, toKey(name))),
    };
  };
  const indexes = isOpenOnly ? await Promise.all(namespaces.map(readIndex)) : [];
  yield* read(
    indexes.flatMap((index) => (index.isComplete ? index.entries : [])),
    false,
  );
  const incomplete = indexes.filter((index) => !index.isComplete);
  const scanned = new Set(isOpenOnly ? incomplete.map(({ namespace }) => namespace) : namespaces);
  if (scanned.size > 0) {
    const pages = scanOrders(redis, scanned.size === 1 ? [...scanned][0] : undefined);
    for await (const page of pages)
      yield* read(
        page.filter(({ namespace }) => scanned.has(namespace)),
        true,
      );
    if (isIndexed) await Promise.all(incomplete.map(({ setComplete }) => setComplete()));
  }
  // Thrown at the end, so that it does not hide the others.
  if (unreadable.length > 0) throw unreadable[0];
}

/** The orders of a namespace, each under its own key, and an index of the open ones. */
export function createRedisOrders(redis: Redis, namespace: string, retentionMs: number): Documents {
  return {
    ...createOperations(redis, (key) => toOrderEntry(namespace, key), retentionMs, true),
    list: (isOpenOnly) => listOrders(redis, [namespace], isOpenOnly),
    async *listEverywhere(isOpenOnly) {
      yield* listOrders(redis, await readNamespaces(redis), isOpenOnly);
    },
  };
}

/** Documents without an index. They are never listed. */
function createUnlisted(redis: Redis, prefix: string, retentionMs: number): Documents {
  const toEntry = (key: string) => ({ key, namespace: "", names: [toName(prefix, key)] });
  return { ...createOperations(redis, toEntry, retentionMs, false), async *list() {} };
}

/** Documents of a kind are spread over this many slots of a cluster, each with an index. */
const INDEXES = 16;

/** The postbacks of orders, with an index of those that are open: only they can be listed. */
function createInboxes(redis: Redis, ownNamespace: string, retentionMs: number): Documents {
  // Redis takes the text in braces for the slot, so a document and its index are on the same server.
  const toOwn = (namespace: string, index: number) => `${toPrefix(namespace)}:inbox:{${index}}:`;
  const toEntry = (namespace: string, key: string) => {
    const own = toOwn(namespace, toIndex(key));
    return { key, namespace, names: [toName(own, key), `${own}${OPEN}`] };
  };
  async function* listOpen(namespace: string) {
    for (let index = 0; index < INDEXES; index += 1) {
      const own = toOwn(namespace, index);
      const { members, clientPrefix } = await readSet(redis, `${own}${OPEN}`);
      const start = `${clientPrefix}${own}`.length;
      const entries = members.map((member) => toEntry(namespace, toKey(member.slice(start))));
      for await (const { entry, document } of readPages(redis, entries, true))
        yield { ...(document instanceof Error ? UNREADABLE : document), key: entry.key, namespace };
    }
  }
  return {
    ...createOperations(redis, (key) => toEntry(ownNamespace, key), retentionMs, false),
    list: () => listOpen(ownNamespace),
    async *listEverywhere() {
      for (const namespace of await readNamespaces(redis)) yield* listOpen(namespace);
    },
  };
}

/** A document that is listed, so that a person sees it. */
const UNREADABLE: StoredDocument = { text: "", version: "", ageMs: 0 };

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

function toDocument(name: string | undefined, now: unknown, value: unknown) {
  const [, , version, writtenAt, text] = VALUE.exec(toText(value)) ?? [];
  const ageMs = Number(toText(now)) - Number(writtenAt);
  if (version === undefined || text === undefined || Number.isNaN(ageMs))
    return new UnreadableValueError(name);
  return { text, version, ageMs };
}

/** Documents that one script reads. */
const READ_AT_ONCE = 200;

/** Reads documents that exist, and corrects their indexes if these are on the same server. */
async function* readPages(redis: Redis, entries: readonly Entry[], isOpenOnly: boolean) {
  const purpose = isOpenOnly ? "open" : "all";
  for (let start = 0; start < entries.length; start += READ_AT_ONCE) {
    const page = entries.slice(start, start + READ_AT_ONCE);
    const names = page.map((entry) => entry.names);
    const replies = await redis.together<readonly unknown[]>(
      async () => [await redis.run(READ_MANY, names.flat(), purpose, String(names[0]?.length))],
      () => Promise.all(names.map(([name = ""]) => redis.run(READ_MANY, [name], purpose, "1"))),
    );
    const read = replies.flatMap((reply) => {
      const [now, corrected, ...values]: unknown[] = Array.isArray(reply) ? reply : [];
      return values.map((value) => ({ now, value, isInIndex: toText(corrected) === "corrected" }));
    });
    for (const [place, entry] of page.entries()) {
      const { now, value, isInIndex = false } = read[place] ?? {};
      if (value === null) continue;
      yield { entry, document: toDocument(entry.names[0], now, value ?? ""), isInIndex };
    }
  }
}

/**
 * Adds a version of a document to an index in another slot, or removes it. The document and that index cannot be changed
 * at once. Before an open version is written, it is added, and after it was replaced, it is removed: the index never
 * lacks an open document. If the process ends in between, the member is ignored.
 */
async function changeIndex(redis: Redis, { key, names }: Entry, command: "SADD" | "SREM", version: string) {
  await redis.run(CHANGE_SET, names.slice(1), command, `${toName("", key)}${MARK}${version}`);
}

const toRetention = (ms: number) => String(Math.min(Math.ceil(ms), Number.MAX_SAFE_INTEGER));

/** @param isApart - Whether the index can be in another slot of a cluster. */
function createOperations(
  redis: Redis,
  toEntry: (key: string) => Entry,
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
    parse: (reply: unknown, name: string | undefined) => Result,
  ): Promise<Result> {
    const entry = toEntry(key);
    const [name = ""] = entry.names;
    const values = [isOpen ? "open" : "done", version, text, isEnd ? "end" : "claim"];
    if (!isOpen) values.push("PX", retention);
    const run = async (names: readonly string[]) =>
      parse(
        await (replaced === undefined
          ? redis.run(ADD, names, ...values)
          : redis.run(REPLACE, names, replaced, ...values)),
        name,
      );
    if (!isApart) return run(entry.names);
    return redis.together(
      () => run(entry.names),
      async () => {
        if (isOpen) await changeIndex(redis, entry, "SADD", version);
        const result = await run([name]);
        const isWritten = result === true || result === undefined;
        const outdated = isWritten ? replaced : isOpen ? version : undefined;
        if (outdated !== undefined) void changeIndex(redis, entry, "SREM", outdated).catch(() => undefined);
        return result;
      },
    );
  }

  const parseFound = (none: string) => (reply: unknown, name: string | undefined) => {
    if (!Array.isArray(reply) || reply.length !== 2) throw new UnreadableValueError(name);
    const [now, value] = reply.map(toText);
    if (value === none) return undefined;
    const document = toDocument(name, now, value);
    if (document instanceof Error) throw document;
    return document;
  };

  return {
    add: (key, document) => write(key, document, undefined, parseFound("added")),
    async read(key) {
      const [name = ""] = toEntry(key).names;
      return parseFound("missing")(await redis.run(READ, [name]), name);
    },
    replace: (key, version, document) =>
      write(key, document, version, (reply, name) => {
        if (!["replaced", "kept"].includes(toText(reply))) throw new UnreadableValueError(name);
        return toText(reply) === "replaced";
      }),
    async readMany(keys) {
      const found = new Map<string, StoredDocument>();
      for await (const { entry, document } of readPages(redis, keys.map(toEntry), false)) {
        if (document instanceof Error) throw document;
        found.set(entry.key, document);
      }
      return keys.map((key) => found.get(key));
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

/** Writes the postbacks and the record of an order in one script. In a cluster they may be on two servers. */
function createWriteBoth(redis: Redis, namespace: string, retentionMs: number): WriteBoth {
  return async (inbox, order) => {
    const { isOpen, version, text } = order.write;
    const ofOrder = [String(order.expected), version, text, toRetention(retentionMs)];
    const [orderName = ""] = toOrderEntry(namespace, order.key).names;
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
