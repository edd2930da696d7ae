import { inspect } from "node:util";
import {
  type PaymentsStore,
  type PostgresClient,
  postgresStore,
  type RedisClient,
  redisStore,
} from "payments-sdk/idempotency";
import { describe, expect, test } from "vitest";
import { POSTBACK } from "./support/operations.ts";
import { LEASE, listed, news, ORDER, REF, UNKNOWN } from "./support/orders.ts";

const PASSWORD = "s3cr3t-Passw0rd";

/** As drivers throw them: the command, its values and the log-in are beside the message. */
const leaky = () =>
  Object.assign(new Error(`no route to redis://shop:${PASSWORD}@cache`), {
    code: "ECONNREFUSED",
    command: { name: "hello", args: ["3", "AUTH", "shop", PASSWORD] },
    parameters: [PASSWORD],
  });
const reject = () => Promise.reject(leaky());
const prefix = async () => "payments:default:order:";

const OPERATIONS: readonly (readonly [string, (store: PaymentsStore) => Promise<unknown>])[] = [
  ["claim", (store) => store.claim(ORDER, LEASE)],
  ["renew", (store) => store.renew(ORDER, LEASE)],
  ["end", (store) => store.end(ORDER, UNKNOWN)],
  ["settle", (store) => store.settle(REF, news("approved"))],
  ["resolve", (store) => store.resolve(REF, { charged: false })],
  ["unresolved", (store) => listed(store)],
  ["claimPostback", (store) => store.claimPostback(POSTBACK, "a", LEASE)],
  ["confirmPostback", (store) => store.confirmPostback(POSTBACK, "a")],
];

async function expectNoPassword(work: Promise<unknown>): Promise<void> {
  const error: unknown = await work.then(
    () => expect.unreachable(),
    (thrown: unknown) => thrown,
  );
  const shown = inspect(error, { depth: 10, showHidden: true });
  expect(shown).not.toContain(PASSWORD);
  expect(shown).toContain("no route to redis://[redacted]@cache");
  expect(shown).toContain("ECONNREFUSED");
}

describe.each<[string, PaymentsStore]>([
  ["redisStore", redisStore({ EVAL: reject, SCAN: reject } as RedisClient)],
  ["postgresStore on pg", postgresStore({ query: reject } as PostgresClient)],
  ["postgresStore on postgres.js", postgresStore({ unsafe: reject } as PostgresClient)],
])("%s: the password in an error of a driver", (_name, store) => {
  test.each(OPERATIONS)(
    "is not in the error of %s, and its message and code are",
    async (_operation, work) => {
      await expectNoPassword(work(store));
    },
  );
});

test.each<[string, RedisClient]>([
  ["ioredis", { eval: prefix, scan: reject }],
  ["node-redis", { EVAL: prefix, SCAN: reject }],
])("nor is it in the error of a listing that %s breaks off", async (_client, client) => {
  await expectNoPassword(listed(redisStore(client)));
});
