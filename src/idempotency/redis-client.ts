import { isRecord } from "../data/own.ts";
import { scrubbing } from "./scrubbing.ts";

/** What a store uses of a client or a pool of `redis` (node-redis), version 5 or newer. */
export interface NodeRedisClient {
  /** Runs a script on one key. */
  EVAL(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  /** Gives a page of keys. */
  SCAN(cursor: string, options: { MATCH: string; COUNT: number }): Promise<unknown>;
}

/** What a store uses of a cluster of `redis` (node-redis), version 5 or newer. */
export interface NodeRedisCluster {
  /** Runs a script on the node of its key. */
  EVAL(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  /** The nodes that keys are on. */
  readonly masters: readonly unknown[];
  /** A client of one node. */
  nodeClient(node: unknown): Promise<NodeRedisClient>;
}

/** What a store uses of a `Redis` of `ioredis`. */
export interface IoRedisClient {
  /** Runs a script on one key. */
  eval(script: string, keyCount: number, ...keysAndValues: string[]): Promise<unknown>;
  /** Gives a page of keys. */
  scan(cursor: string, match: "MATCH", pattern: string, count: "COUNT", keys: number): Promise<unknown>;
}

/** What a store uses of a `Cluster` of `ioredis`. */
export interface IoRedisCluster {
  /** Runs a script on the node of its key. */
  eval(script: string, keyCount: number, ...keysAndValues: string[]): Promise<unknown>;
  /** A client of each node that keys are on. */
  nodes(role: "master"): readonly IoRedisClient[];
}

/** A client that is yours, of node-redis or ioredis. The store opens no connection, and closes none. */
export type RedisClient = NodeRedisClient | NodeRedisCluster | IoRedisClient | IoRedisCluster;

/** The same whichever client it is. */
export interface Redis {
  /** Runs a script on one key; a cluster finds the node by it. */
  run(script: string, key: string, ...values: readonly string[]): Promise<unknown>;
  /** Keys in pages; the pattern has to hold the client's own prefix. A key may come twice. */
  scan(pattern: string): AsyncIterable<readonly string[]>;
}

type ScanPage = (cursor: string, pattern: string) => Promise<unknown>;

/** Keys that Redis looks at before it answers: it serves nobody else meanwhile. */
const KEYS_A_PAGE = 100;

export function isRedisClient(client: unknown): client is RedisClient {
  if (!isRecord(client)) return false;
  const has = (...names: readonly string[]) => names.every((name) => typeof client[name] === "function");
  return has("EVAL", "SCAN") || has("EVAL", "nodeClient") || has("eval", "scan") || has("eval", "nodes");
}

export function redisOf(client: RedisClient): Redis {
  // node-redis alone has its commands in capitals, too.
  const { run, pages } = "EVAL" in client ? ofNodeRedis(client) : ofIoRedis(client);
  return {
    run: (script, key, ...values) => scrubbing(() => run(script, key, ...values)),
    async *scan(pattern) {
      const nodes = await scrubbing(pages);
      if (nodes.length === 0) throw new Error("The Redis cluster shows no master.");
      for (const page of nodes) yield* scanNode(page, pattern);
    },
  };
}

interface Adapted {
  readonly run: Redis["run"];
  /** One of each node that keys may be on. */
  readonly pages: () => Promise<readonly ScanPage[]>;
}

function ofNodeRedis(client: NodeRedisClient | NodeRedisCluster): Adapted {
  return {
    run: (script, key, ...values) => client.EVAL(script, { keys: [key], arguments: [...values] }),
    pages: async () => {
      const nodes =
        "nodeClient" in client
          ? await Promise.all(client.masters.map((node) => client.nodeClient(node)))
          : [client];
      return nodes.map(
        (node) => (cursor, pattern) => node.SCAN(cursor, { MATCH: pattern, COUNT: KEYS_A_PAGE }),
      );
    },
  };
}

function ofIoRedis(client: IoRedisClient | IoRedisCluster): Adapted {
  return {
    run: (script, key, ...values) => client.eval(script, 1, key, ...values),
    pages: async () => {
      const nodes = "nodes" in client ? client.nodes("master") : [client];
      return nodes.map(
        (node) => (cursor, pattern) => node.scan(cursor, "MATCH", pattern, "COUNT", KEYS_A_PAGE),
      );
    },
  };
}

async function* scanNode(page: ScanPage, pattern: string): AsyncIterable<readonly string[]> {
  let cursor = "0";
  do {
    const reply = await scrubbing(() => page(cursor, pattern));
    const read = Array.isArray(reply) ? { cursor: reply[0], keys: reply[1] } : reply;
    if (!isRecord(read) || !Array.isArray(read["keys"])) throw new Error("Redis answered SCAN with no keys.");
    yield read["keys"].map(textOf);
    cursor = textOf(read["cursor"]);
  } while (cursor !== "0");
}

/** A client may be set up to give bytes. */
export function textOf(reply: unknown): string {
  if (typeof reply === "string") return reply;
  if (reply instanceof Uint8Array) return new TextDecoder().decode(reply);
  throw new Error(`Redis answered with ${reply === null ? "null" : typeof reply} where a text belongs.`);
}
