import { randomUUID } from "node:crypto";
import { type RedisClient, redisStore } from "payments-sdk/idempotency";
import { missingRedis, type RedisServer, startRedis } from "../../support/redis-server.ts";
import type { StoreKind } from "../support/kind.ts";
import { ioRedis, nodeRedis } from "./support/clients.ts";
import { everythingIn } from "./support/look-inside.ts";

let shared: Promise<RedisServer> | undefined;

/** One for all tests of a process; each has keys of its own. */
export function sharedRedis(): Promise<RedisServer> {
  shared ??= startRedis();
  return shared;
}

/** The kinds of Redis store that the suites run on. */
export const redisKinds: readonly StoreKind[] = [
  kindOf("redisStore with node-redis", nodeRedis),
  kindOf("redisStore with ioredis", ioRedis),
];

function kindOf(name: string, connect: (server: RedisServer) => Promise<RedisClient>): StoreKind {
  return {
    name,
    missing: missingRedis,
    open: async () => {
      const server = await sharedRedis();
      const own = randomUUID();
      return {
        isShared: true,
        store: async ({ namespace = "default", ...rest } = {}) =>
          redisStore(await connect(server), { ...rest, namespace: `${own}/${namespace}` }),
        contents: async () => {
          const client = await nodeRedis(server);
          return everythingIn(client, `payments:${own}*`);
        },
      };
    },
  };
}
