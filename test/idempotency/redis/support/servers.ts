import { onTestFinished } from "vitest";
import { type RedisServer, startRedis } from "../../../support/redis-server.ts";

/** A Redis that ends with the test. */
export async function aRedis(...settings: readonly string[]): Promise<RedisServer> {
  const server = await startRedis(...settings);
  onTestFinished(server.stop);
  return server;
}
