import { hasMethods, isRecord } from "../../data/own-properties.ts";
import { toHex } from "./column-key.ts";
import { sanitizeDriverErrors } from "./sanitize-driver-errors.ts";

/** The part of a client or a pool of `redis` (node-redis), version 5 or newer, that a store uses. */
export interface NodeRedisClient {
  /** Runs a script on keys of one slot. A cluster finds its node by them. */
  EVAL(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  /** Runs a script that the server has, by its SHA-1. */
  EVALSHA?(sha1: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  /** Returns a page of keys. */
  SCAN(cursor: string, options: { MATCH: string; COUNT: number }): Promise<unknown>;
}

/** The part of a cluster of `redis` (node-redis), version 5 or newer, that a store uses. */
export interface NodeRedisCluster extends Pick<NodeRedisClient, "EVAL" | "EVALSHA"> {
  /** The nodes that have keys. */
  readonly masters: readonly unknown[];
  /** A client of one node. */
  nodeClient(node: unknown): Promise<NodeRedisClient>;
}

/** The part of a `Redis` of `ioredis` that a store uses. */
export interface IoRedisClient {
  /** Runs a script on keys of one slot. A cluster finds its node by them. */
  eval(script: string, keyCount: number, ...keysAndValues: string[]): Promise<unknown>;
  /** Runs a script that the server has, by its SHA-1. */
  evalsha?(sha1: string, keyCount: number, ...keysAndValues: string[]): Promise<unknown>;
  /** Returns a page of keys. */
  scan(cursor: string, match: "MATCH", pattern: string, count: "COUNT", keys: number): Promise<unknown>;
}

/** The part of a `Cluster` of `ioredis` that a store uses. */
export interface IoRedisCluster extends Pick<IoRedisClient, "eval" | "evalsha"> {
  /** A client of each node that has keys. */
  nodes(role: "master"): readonly IoRedisClient[];
}

/** Your own client of node-redis or ioredis. The store neither opens nor closes a connection. */
export type RedisClient = NodeRedisClient | NodeRedisCluster | IoRedisClient | IoRedisCluster;

/** The same for every client. */
export interface Redis {
  /** Runs a script on keys of one slot; a cluster finds the node by them. */
  run(script: string, keys: readonly string[], ...values: readonly string[]): Promise<unknown>;
  /** Keys in pages; the pattern must include the client's own prefix. */
  scan(pattern: string): AsyncIterable<readonly string[]>;
}

/** Keys that Redis examines in one SCAN, during which it serves no other client. */
export const KEYS_PER_PAGE = 1_000;

/** SCAN may return a key again, a little later, while Redis resizes its table. */
const REMEMBERED_KEYS = 100_000;

export function isRedisClient(client: unknown): client is RedisClient {
  const has = (...names: readonly string[]) => hasMethods(client, names);
  return has("EVAL", "SCAN") || has("EVAL", "nodeClient") || has("eval", "scan") || has("eval", "nodes");
}

export function toRedis(client: RedisClient): Redis {
  let hasHashes = hasMethods(client, ["EVAL" in client ? "EVALSHA" : "evalsha"]);

  /** Runs a script by its hash, which is shorter, or itself if Redis has certainly not run it by its hash. */
  async function run(script: string, keys: string[], values: string[]): Promise<unknown> {
    if (hasHashes) {
      try {
        return await runByHash(client, await hashOf(script), keys, values);
      } catch (error) {
        const message = error instanceof Error ? error.message : "";
        if (!/^NOSCRIPT|^(?:NOPERM|ERR unknown command).*evalsha/is.test(message)) throw error;
        hasHashes = message.startsWith("NOSCRIPT");
      }
    }
    return "EVAL" in client
      ? client.EVAL(script, { keys, arguments: values })
      : client.eval(script, keys.length, ...keys, ...values);
  }

  return {
    run: (script, keys, ...values) => sanitizeDriverErrors(() => run(script, [...keys], [...values])),
    async *scan(pattern) {
      const nodes = await sanitizeDriverErrors(() => listNodes(client));
      if (nodes.length === 0) throw new Error("The Redis cluster lists no master.");
      const seen = new Set<string>();
      for (const node of nodes) {
        for await (const keys of scanNode(node, pattern)) {
          yield [...new Set(keys)].filter((key) => !seen.has(key));
          if (seen.size > REMEMBERED_KEYS) seen.clear();
          for (const key of keys) seen.add(key);
        }
      }
    },
  };
}

async function runByHash(
  client: RedisClient,
  hash: string,
  keys: string[],
  values: string[],
): Promise<unknown> {
  return "EVAL" in client
    ? client.EVALSHA?.(hash, { keys, arguments: values })
    : client.evalsha?.(hash, keys.length, ...keys, ...values);
}

const hashes = new Map<string, Promise<string>>();

/** The SHA-1 of a script, in hex. */
function hashOf(script: string): Promise<string> {
  let hash = hashes.get(script);
  if (hash === undefined) {
    const digest = crypto.subtle.digest("SHA-1", new TextEncoder().encode(script));
    hash = digest.then((bytes) => toHex(new Uint8Array(bytes)));
    hashes.set(script, hash);
  }
  return hash;
}

/** A client of each node that may have keys. Only node-redis also has its commands in upper case. */
async function listNodes(client: RedisClient): Promise<readonly (NodeRedisClient | IoRedisClient)[]> {
  if (!("EVAL" in client)) return "nodes" in client ? client.nodes("master") : [client];
  if (!("nodeClient" in client)) return [client];
  return Promise.all(client.masters.map((node) => client.nodeClient(node)));
}

async function* scanNode(
  node: NodeRedisClient | IoRedisClient,
  pattern: string,
): AsyncIterable<readonly string[]> {
  let cursor = "0";
  do {
    const reply = await sanitizeDriverErrors(() =>
      "SCAN" in node
        ? node.SCAN(cursor, { MATCH: pattern, COUNT: KEYS_PER_PAGE })
        : node.scan(cursor, "MATCH", pattern, "COUNT", KEYS_PER_PAGE),
    );
    const page = Array.isArray(reply) ? { cursor: reply[0], keys: reply[1] } : reply;
    if (!isRecord(page) || !Array.isArray(page["keys"])) throw new Error("Redis returned no keys for SCAN.");
    yield page["keys"].map(toText);
    cursor = toText(page["cursor"]);
  } while (cursor !== "0");
}

/** A client may be configured to return bytes. */
export function toText(reply: unknown): string {
  if (typeof reply === "string") return reply;
  if (reply instanceof Uint8Array) return new TextDecoder().decode(reply);
  throw new Error(`Redis returned ${reply === null ? "null" : typeof reply} instead of a text.`);
}
