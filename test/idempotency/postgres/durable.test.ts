import { postgresStore } from "payments-sdk/idempotency";
import { Pool } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { startPostgres } from "../../support/postgres-server.ts";
import { by, createdAs, ID, LEASE, ORDER, UNKNOWN } from "../support/orders.ts";

test("what is confirmed survives a crash of a server that is told not to wait for its disk", async () => {
  const server = await startPostgres({ synchronous_commit: "off", wal_writer_delay: "10s" });
  onTestFinished(() => server.stop());
  const pool = new Pool(server.address);
  pool.on("error", () => undefined);
  onTestFinished(() => pool.end());
  const store = postgresStore(pool);
  await store.migrate();
  const orderOf = (externalRef: string) => ({ ...ORDER, externalRef });

  await store.claim(orderOf("claimed"), LEASE);
  await server.crash();
  await store.claim(orderOf("unresolved"), LEASE);
  await store.end(orderOf("unresolved"), UNKNOWN);
  await server.crash();
  await store.claim(orderOf("created"), LEASE);
  await store.end(orderOf("created"), createdAs());
  await server.crash();

  const stateOf = async (externalRef: string) =>
    (await store.claim({ ...by("b"), externalRef }, LEASE)).state;
  expect(await stateOf("claimed")).toBe("claimed");
  expect(await stateOf("unresolved")).toBe("unresolved");
  expect(await store.claim({ ...by("b"), externalRef: "created" }, LEASE)).toMatchObject({
    state: "created",
    transactionId: ID,
  });
});
