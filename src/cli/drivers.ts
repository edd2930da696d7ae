import { createRequire } from "node:module";
import { Socket } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Cluster, Redis } from "ioredis";
import type { MysqlClient, RedisClient } from "../idempotency.ts";
import { Failure } from "./command-failure.ts";

export interface Connection<Client> {
  readonly client: Client;
  /** Closes it immediately. No request may be in flight. */
  close(): unknown;
}

/** The same for both drivers of PostgreSQL. */
export interface SqlClient {
  query(text: string, values: string[]): Promise<readonly object[]>;
}

const CONNECT_TIMEOUT_MS = 5_000;
const CLOSE_TIMEOUT_MS = 1_000;

/** For one response: a page of orders, or one change. */
const RESPONSE_TIMEOUT_MS = 30_000;

/** @throws {Failure} `missing_driver` if neither `redis` nor `ioredis` is installed. */
export async function connectToRedis(url: string, cwd: string): Promise<Connection<RedisClient>> {
  const [name, driver] = await loadDriver(cwd, "Redis", ["redis", "ioredis"]);
  return name === "redis"
    ? connectNodeRedis(driver as NodeRedis, url)
    : connectIoRedis(driver as IoRedis, url);
}

/** @throws {Failure} `missing_driver` if neither `pg` nor `postgres` is installed. */
export async function connectToPostgres(url: string, cwd: string): Promise<Connection<SqlClient>> {
  const [name, driver] = await loadDriver(cwd, "PostgreSQL", ["pg", "postgres"]);
  return name === "pg" ? connectPg(driver as Pg, url) : connectPostgresJs(driver as PostgresJs, url);
}

/** @throws {Failure} `missing_driver` if `mysql2` is not installed. */
export async function connectToMysql(url: string, cwd: string): Promise<Connection<MysqlClient>> {
  const [, driver] = await loadDriver(cwd, "MySQL", ["mysql2"]);
  const uri = url.replace(/^mariadb:/i, "mysql:");
  const pool = (driver as Mysql).createPool({ uri, connectionLimit: 1, connectTimeout: CONNECT_TIMEOUT_MS });
  const client = pool.promise();
  return { client, close: () => withTimeout(client.end(), CLOSE_TIMEOUT_MS) };
}

// The user's own driver. Only its types are imported, which are not needed to run this.
type NodeRedis = typeof import("redis");
type IoRedis = typeof Redis;
type Pg = typeof import("pg");
type PostgresJs = typeof import("postgres");
type Mysql = typeof import("mysql2");

async function connectOrClose(connected: Promise<unknown>, close: () => void): Promise<void> {
  try {
    await withTimeout(connected, CONNECT_TIMEOUT_MS);
  } catch (error) {
    close();
    throw error;
  }
}

async function connectNodeRedis(driver: NodeRedis, url: string): Promise<Connection<RedisClient>> {
  const socket = {
    connectTimeout: CONNECT_TIMEOUT_MS,
    reconnectStrategy: false,
    socketTimeout: RESPONSE_TIMEOUT_MS,
  } as const;
  const client = driver.createClient({ url, socket });
  client.on("error", () => undefined); // the request that fails rejects, too
  await connectOrClose(client.connect(), () => client.destroy());
  const info = await client.sendCommand(["INFO", "cluster"]).catch(() => ""); // it may be forbidden
  if (!isCluster(info)) return { client, close: () => client.destroy() };

  client.destroy();
  const { username, password, tls } = readRedisUrl(url);
  const defaults: object = { username, password, socket: { ...socket, tls } };
  const cluster = driver.createCluster({ rootNodes: [{ url }], defaults });
  cluster.on("error", () => undefined);
  await connectOrClose(cluster.connect(), () => cluster.destroy());
  return { client: cluster, close: () => cluster.destroy() };
}

async function connectIoRedis(driver: IoRedis, url: string): Promise<Connection<RedisClient>> {
  const redisOptions = {
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    commandTimeout: RESPONSE_TIMEOUT_MS,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
  };
  const client = new driver(url, redisOptions);
  await connectIoRedisClient(client);
  const info = await client.info("cluster").catch(() => "");
  if (!isCluster(info)) return { client, close: () => client.disconnect() };

  client.disconnect();
  const { host, port, username, password, tls } = readRedisUrl(url);
  const cluster = new driver.Cluster([{ host, port }], {
    lazyConnect: true,
    clusterRetryStrategy: () => null,
    redisOptions: { ...redisOptions, username, password, ...(tls && { tls: {} }) },
  });
  await connectIoRedisClient(cluster);
  return { client: cluster, close: () => cluster.disconnect() };
}

/** @throws the first error that the client emits: `connect` ignores a wrong password, and rejects without a cause. */
function connectIoRedisClient(client: Redis | Cluster): Promise<void> {
  const failed = new Promise<never>((_, reject) => client.on("error", reject));
  return connectOrClose(Promise.race([failed, client.connect()]), () => client.disconnect());
}

/** A client of one node finds only the orders of that node, so a cluster needs a cluster client. */
function isCluster(info: unknown): boolean {
  return /cluster_enabled:1/.test(String(info));
}

function readRedisUrl(text: string) {
  const url = new URL(text);
  return {
    host: url.hostname,
    port: Number(url.port || 6379),
    username: decodeURIComponent(url.username) || undefined,
    password: decodeURIComponent(url.password) || undefined,
    tls: url.protocol === "rediss:",
  };
}

async function connectPg({ Client }: Pg, connectionString: string): Promise<Connection<SqlClient>> {
  const socket = new Socket();
  const connectionTimeoutMillis = CONNECT_TIMEOUT_MS;
  const client = new Client({ connectionString, connectionTimeoutMillis, stream: () => socket });
  client.on("error", () => undefined); // the query that fails rejects, too
  const close = async () => {
    await withTimeout(client.end(), CLOSE_TIMEOUT_MS).catch(() => undefined);
    socket.destroy(); // if a password is missing, the driver leaves it open
  };
  try {
    await client.connect();
  } catch (error) {
    await close();
    throw error;
  }
  const query = async (text: string, values: string[]) =>
    (await withTimeout(client.query(text, values), RESPONSE_TIMEOUT_MS)).rows;
  return { client: { query }, close };
}

function connectPostgresJs(connect: PostgresJs, url: string): Connection<SqlClient> {
  const seconds = CONNECT_TIMEOUT_MS / 1_000;
  const sql = connect(url, { max: 1, connect_timeout: seconds, onnotice: () => undefined });
  const query = (text: string, values: string[]) =>
    withTimeout(sql.unsafe(text, values, { prepare: false }), RESPONSE_TIMEOUT_MS);
  return { client: { query }, close: () => sql.end({ timeout: 0 }) };
}

/** @throws an error with the code ETIMEDOUT. */
async function withTimeout<Result>(promise: Promise<Result>, ms: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const fail = () => reject(Object.assign(new Error("It did not respond in time."), { code: "ETIMEDOUT" }));
    timer = setTimeout(fail, ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Loads the first of these packages: from the user's project, or else from where this package is installed. */
async function loadDriver(cwd: string, server: string, names: readonly [string, string?]) {
  const { resolve } = createRequire(join(cwd, "package.json"));
  for (const toSpecifier of [(name: string) => pathToFileURL(resolve(name)).href, (name: string) => name]) {
    for (const name of names.filter((each) => each !== undefined)) {
      const module = await importIfFound(name, toSpecifier);
      if (module !== undefined) return [name, module.default ?? module] as const;
    }
  }
  const problem = `A ${server} store needs a driver.`;
  const advice = "In the folder of your shop";
  const other = names[1] === undefined ? "" : ` (or ${names[1]})`;
  throw new Failure("missing_driver", `${problem} ${advice}: npm install ${names[0]}${other}.`);
}

/** @returns `undefined` if the package is not installed. A package that fails while it is loaded is an error. */
async function importIfFound(
  name: string,
  toSpecifier: (name: string) => string,
): Promise<{ readonly default?: unknown } | undefined> {
  try {
    return (await import(toSpecifier(name))) as { default?: unknown };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isMissing = /^(ERR_)?MODULE_NOT_FOUND$/.test(code ?? "") && message.includes(`'${name}'`);
    if (isMissing) return undefined;
    throw error;
  }
}
