import { inspect } from "node:util";
import { Redis } from "ioredis";
import {
  type PaymentsStore,
  type PostgresClient,
  postgresStore,
  type RedisClient,
  redisStore,
} from "payments-sdk/idempotency";
import { describe, expect, onTestFinished, test } from "vitest";
import { missingRedis } from "../support/redis-server.ts";
import { aRedis } from "./redis/support/servers.ts";
import { listed, news, ORDER } from "./support/orders.ts";

const PASSWORD = "s3cr3t-Passw0rd";
const KEY = { trust: "signed", externalRef: "order-1", id: 7, rawStatus: "approved", amount: 1990 } as const;

/** As drivers throw them: the command, its values and the log-in are beside the message. */
const leaky = () =>
  Object.assign(new Error(`no route to redis://shop:${PASSWORD}@cache`), {
    code: "ECONNREFUSED",
    command: { name: "hello", args: ["3", "AUTH", "shop", PASSWORD] },
    parameters: [PASSWORD],
  });
const reject = () => Promise.reject(leaky());

const OPERATIONS: readonly (readonly [string, (store: PaymentsStore) => Promise<unknown>])[] = [
  ["claim", (store) => store.claim(ORDER, 1_000)],
  ["renew", (store) => store.renew(ORDER, 1_000)],
  ["end", (store) => store.end(ORDER, { outcome: "unknown" })],
  ["settle", (store) => store.settle("order-1", news("approved"))],
  ["resolve", (store) => store.resolve("order-1", { charged: false })],
  ["unresolved", (store) => listed(store)],
  ["claimPostback", (store) => store.claimPostback(KEY, "a", 1_000)],
  ["confirmPostback", (store) => store.confirmPostback(KEY, "a")],
];

async function shown(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => expect.unreachable(),
    (thrown: unknown) => thrown,
  );
  return inspect(error, { depth: 10, showHidden: true });
}

describe.each<[string, PaymentsStore]>([
  ["redisStore on ioredis", redisStore({ eval: reject, scan: reject } as RedisClient)],
  ["redisStore on node-redis", redisStore({ EVAL: reject, SCAN: reject } as RedisClient)],
  ["postgresStore on pg", postgresStore({ query: reject } as PostgresClient)],
  ["postgresStore on postgres.js", postgresStore({ unsafe: reject } as PostgresClient)],
])("%s: what a driver puts into its errors", (_name, store) => {
  test.each(OPERATIONS)("does not get out of %s, and its message and code do", async (_operation, work) => {
    const text = await shown(work(store));

    expect(text).not.toContain(PASSWORD);
    expect(text).toContain("no route to redis://[redacted]@cache");
    expect(text).toContain("ECONNREFUSED");
  });
});

test.each<[string, RedisClient]>([
  ["ioredis", { eval: async () => "payments:default:order:", scan: reject }],
  ["node-redis", { EVAL: async () => "payments:default:order:", SCAN: reject }],
])("nor does it get out of the listing, where %s fails in the middle of it", async (_client, client) => {
  expect(await shown(listed(redisStore(client)))).not.toContain(PASSWORD);
});

describe.skipIf(missingRedis !== undefined)("a Redis that does not take the password", () => {
  test.each(OPERATIONS)("does not make %s tell it", async (_operation, work) => {
    const { path } = await aRedis("--requirepass", "another one");
    const client = new Redis({ path, username: "default", password: PASSWORD });
    client.on("error", () => undefined);
    onTestFinished(() => client.disconnect());

    const text = await shown(work(redisStore(client)));

    expect(text).not.toContain(PASSWORD);
    expect(text).toMatch(/WRONGPASS|NOAUTH/);
  });
});
