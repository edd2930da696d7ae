import { join } from "node:path";
import { postgresStore, redisStore } from "payments-sdk/idempotency";
import { Pool } from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { OPERATIONS, type Operation } from "../idempotency/support/operations.ts";
import { listed, ORDER } from "../idempotency/support/orders.ts";
import { migratedSchema } from "../idempotency/support/postgres.ts";
import { aRedis, ioRedis, nodeRedis } from "../idempotency/support/redis.ts";
import { sharedPostgres } from "../support/postgres-server.ts";
import { DURABLE, missingRedis } from "../support/redis-server.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { type Moment, startProxy } from "./support/database-proxy.ts";

/** If a database or its connection fails during an operation, that is done completely or not at all. */

describe("an operation whose connection to PostgreSQL is cut", () => {
  async function cutStore() {
    const { address } = await sharedPostgres();
    const [schema, host] = [await migratedSchema(), temporaryFolder()];
    const socketIn = (folder: string) => join(folder, `.s.PGSQL.${address.port}`);
    const proxy = await startProxy(socketIn(host), socketIn(address.host));
    const pool = new Pool({ ...address, host, max: 1, options: `-c search_path=${schema.name}` });
    pool.on("error", () => undefined);
    onTestFinished(() => pool.end());
    return { proxy, store: postgresStore(pool), other: postgresStore(await schema.pool()) };
  }

  async function cutAt(moment: Moment, { arrange, act }: Pick<Operation, "arrange" | "act">) {
    const { proxy, store, other } = await cutStore();
    await arrange(store);
    const stop = proxy.stopAt(moment);
    const acted = expect(act(store)).rejects.toThrow();
    await stop.reached;
    stop.cut();
    await acted;
    return { store, other };
  }

  test.each(OPERATIONS)("fails, and is done completely or not at all: $name", async (operation) => {
    const [before, after] = [await cutAt("before", operation), await cutAt("after", operation)];

    const { look, seen } = operation;
    expect([await look(before.other), await look(after.other)]).toEqual(seen);
  });

  test.each(OPERATIONS)("succeeds when it is repeated: $name", async (operation) => {
    const { store } = await cutAt("after", operation);

    await operation.act(store);

    expect(await operation.look(store)).toBe(operation.seen[1]);
  });

  test("lists a claim without a reply as unresolved once its lease has ended", async () => {
    const arrange = async () => undefined;
    const { other } = await cutAt("after", { arrange, act: (store) => store.claim(ORDER, 1) });

    await expect.poll(() => listed(other)).toMatchObject([{ reason: "not_reported" }]);
  });
});

describe.skipIf(missingRedis !== undefined)("an operation during which Redis is killed", () => {
  const FAILED = "failed";

  async function killedDuring(moment: Moment, connect: typeof nodeRedis | typeof ioRedis) {
    const server = await aRedis(...DURABLE);
    const warm = await nodeRedis(server);
    // Redis then knows the scripts, so each is sent once.
    for (const { name, arrange, act } of OPERATIONS) {
      const store = redisStore(warm, { namespace: `${name}, before` });
      await arrange(store);
      await act(store);
    }
    const inFlight = await Promise.all(
      OPERATIONS.map(async ({ name, arrange, act, look }) => {
        const path = join(temporaryFolder(), "proxy.sock");
        const proxy = await startProxy(path, server.path);
        const store = redisStore(await connect({ path }), { namespace: `${name}, in flight` });
        await arrange(store);
        const stop = proxy.stopAt(moment);
        const acted = act(store).catch(() => FAILED);
        await stop.reached;
        return { name, stop, acted, look };
      }),
    );
    await server.kill();
    await server.start();
    for (const { stop } of inFlight) stop.cut();
    const client = await nodeRedis(server);
    return Promise.all(
      inFlight.map(async ({ name, acted, look }) => {
        const result = await acted;
        return { name, result, seen: await look(redisStore(client, { namespace: `${name}, in flight` })) };
      }),
    );
  }

  test.each([
    ["before", 0],
    ["after", 1],
  ] as const)("that fails %s it was written stays as it was", async (moment, nth) => {
    const ends = await killedDuring(moment, nodeRedis);

    expect(ends).toEqual(OPERATIONS.map(({ name, seen }) => ({ name, result: FAILED, seen: seen[nth] })));
  });

  test.each(["before", "after"] as const)(
    "succeeds, and happens once, if the client sends it again: %s it was written",
    async (moment) => {
      const ends = await killedDuring(moment, ioRedis);

      expect(ends).toEqual(OPERATIONS.map(({ name, result, seen }) => ({ name, result, seen: seen[1] })));
    },
  );
});
