import { inspect } from "node:util";
import {
  type MysqlClient,
  mysqlStore,
  type PaymentsStore,
  type PostgresClient,
  postgresStore,
  type RedisClient,
  redisStore,
} from "payments-sdk/idempotency";
import { describe, expect, test } from "vitest";
import { OPERATIONS } from "./support/operations.ts";
import { listed } from "./support/orders.ts";

const PASSWORD = "s3cr3t-Passw0rd";

/** Errors like those of drivers: their properties contain the command, its values and the credentials. */
const leaky = () =>
  Object.assign(new Error(`no route to redis://shop:${PASSWORD}@cache`), {
    code: "ECONNREFUSED",
    command: { name: "hello", args: ["3", "AUTH", "shop", PASSWORD] },
    parameters: [PASSWORD],
  });
const reject = () => Promise.reject(leaky());
const WORK = [...OPERATIONS, { name: "unresolved", act: listed }];

async function expectNoPassword(work: Promise<unknown>): Promise<void> {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  const shown = inspect(error, { depth: 10, showHidden: true });
  expect(shown).not.toContain(PASSWORD);
  expect(shown).toContain("no route to redis://[redacted]@cache");
  expect(shown).toContain("ECONNREFUSED");
}

describe.each<[string, PaymentsStore]>([
  ["redisStore", redisStore({ EVAL: reject, SCAN: reject } as RedisClient)],
  ["mysqlStore", mysqlStore({ execute: reject } as MysqlClient)],
  ["postgresStore on pg", postgresStore({ query: reject } as PostgresClient)],
  ["postgresStore on postgres.js", postgresStore({ unsafe: reject } as PostgresClient)],
])("%s: the password in an error of a driver", (_name, store) => {
  test.each(WORK)("is not in the error of $name, and its message and code are", async ({ act }) => {
    await expectNoPassword(act(store));
  });
});

test.each<[string, RedisClient]>([
  ["ioredis", { eval: async (_script, _count, key) => key, scan: reject }],
  ["node-redis", { EVAL: async (_script, { keys }) => keys[0], SCAN: reject }],
])("the password is not in the error of a listing that %s interrupts", async (_client, client) => {
  await expectNoPassword(redisStore(client).list().next());
});

test.each([
  ["connect postgres://shop:a/b@c@db:5432/pay", "connect postgres://[redacted]@db:5432/pay"],
  [
    "ERR unknown command 'HELLO', with args beginning with: '3' 'AUTH' 'shop' 's3cr3t' ",
    "ERR unknown command 'HELLO', with args beginning with: [redacted]",
  ],
  ["failed: AUTH shop s3cr3t", "failed: AUTH [redacted]"],
  ['failed: ["AUTH","shop","s3cr3t"]', 'failed: ["AUTH","[redacted]"]'],
  ["HELLO 3 AUTH shop s3cr3t SETNAME pay", "HELLO 3 AUTH [redacted] SETNAME pay"],
  ["host=db password='s3 cr3t' user=shop", "host=db password='[redacted]' user=shop"],
  ["bad key sk_live_1", "bad key [redacted]"],
  ...[
    'password authentication failed for user "shop"',
    "NOAUTH Authentication required.",
    "ERR Client sent AUTH, but no password is set. Did you mean AUTH <username> <password>?",
  ].map((message) => [message, message]),
])("an error of a driver keeps what is no secret: %s", async (message, shown) => {
  const store = postgresStore({ query: () => Promise.reject(new Error(message)) } as PostgresClient);

  await expect(listed(store)).rejects.toMatchObject({ message: shown });
});
