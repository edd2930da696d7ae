import { randomUUID } from "node:crypto";
import { Cluster, Redis, type RedisOptions } from "ioredis";
import { createClient, createClientPool, createCluster } from "redis";
import { onTestFinished } from "vitest";
import { type RedisServer, startRedis } from "../../support/redis-server.ts";

/** The address of a server, or of a proxy in front of it. */
export type Reachable = Pick<RedisServer, "path">;

/** Connection errors do not fail a test; failed operations do. */
const ignore = () => undefined;

type IoRedisOptions = Omit<RedisOptions, "replyMapping"> & { replyMapping?: "legacy" | "resp3" };
type NodeRedisOptions = Omit<NonNullable<Parameters<typeof createClient>[0]>, "RESP">;

export async function nodeRedis({ path }: Reachable, options: NodeRedisOptions & { RESP?: 2 | 3 } = {}) {
  const client = createClient({ ...options, socket: { path, tls: false, reconnectStrategy: 20 } }).on(
    "error",
    ignore,
  );
  await client.connect();
  onTestFinished(() => client.destroy());
  return client;
}

/** A client of a user who may run only the commands that a store needs, and some more. */
export async function asShop(server: RedisServer, ...more: readonly string[]) {
  const username = `shop-${randomUUID()}`;
  const commands = "+evalsha +eval +scan +set +get +time +sadd +srem +smembers".split(" ");
  const admin = await nodeRedis(server);
  await admin.aclSetUser(username, ["on", ">secret", "~payments:*", ...commands, ...more]);
  return nodeRedis(server, { username, password: "secret", disableClientInfo: true });
}

export async function nodeRedisPool({ path }: Reachable) {
  const pool = createClientPool({ socket: { path, tls: false } }, { minimum: 2, maximum: 10 }).on(
    "error",
    ignore,
  );
  await pool.connect();
  onTestFinished(() => pool.destroy());
  return pool;
}

export async function nodeRedisCluster(ports: readonly number[], options: { keyPrefix?: string } = {}) {
  const rootNodes = ports.map((port) => ({ socket: { host: "127.0.0.1", port } }));
  const cluster = createCluster({ ...options, rootNodes }).on("error", ignore);
  await cluster.connect();
  onTestFinished(() => cluster.destroy());
  return cluster;
}

export async function ioRedis({ path }: Reachable, options: IoRedisOptions = {}) {
  const client = new Redis(path, { retryStrategy: () => 20, ...options, lazyConnect: true });
  client.on("error", ignore);
  await client.connect();
  onTestFinished(() => client.disconnect());
  return client;
}

export async function ioRedisCluster(ports: readonly number[], options: { keyPrefix?: string } = {}) {
  const nodes = ports.map((port) => ({ host: "127.0.0.1", port }));
  const cluster = new Cluster(nodes, { ...options, lazyConnect: true });
  cluster.on("error", ignore);
  await cluster.connect();
  onTestFinished(() => cluster.disconnect());
  return cluster;
}

let shared: Promise<RedisServer> | undefined;

/** One for all tests of a process; each test uses separate keys. */
export function sharedRedis(): Promise<RedisServer> {
  shared ??= startRedis();
  return shared;
}

/** A Redis that stops when the test ends. */
export async function aRedis(...settings: readonly string[]): Promise<RedisServer> {
  const server = await startRedis(...settings);
  onTestFinished(server.stop);
  return server;
}
