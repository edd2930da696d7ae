import { onTestFinished } from "vitest";
import { type RedisServer, startRedis } from "../../support/redis-server.ts";

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
