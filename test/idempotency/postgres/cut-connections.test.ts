import { type PaymentsStore, postgresStore } from "payments-sdk/idempotency";
import { describe, expect, test } from "vitest";
import { by, createdAs, ID, LEASE, listed, news, ORDER, stateOf, UNKNOWN } from "../support/orders.ts";
import { type Cut, cuttingProxy } from "./support/cutting-proxy.ts";
import { migratedSchema } from "./support/schema.ts";
import { waitingFor } from "./support/waiting.ts";

const POSTBACK = {
  trust: "signed",
  externalRef: "order-1",
  id: ID,
  rawStatus: "approved",
  amount: 1990,
} as const;

interface Operation {
  /** What was done before, by the same process. */
  readonly prepare: (store: PaymentsStore) => Promise<unknown>;
  readonly run: (store: PaymentsStore) => Promise<unknown>;
  /** What is there when it was done, and when it was not. */
  readonly look: (store: PaymentsStore) => Promise<unknown>;
  readonly done: unknown;
  readonly notDone: unknown;
  /** It has two statements then, else one. */
  readonly readsFirst?: true;
  /** What the operation is about. */
  readonly table: "payments_orders" | "payments_postbacks";
}

const nothing = async () => undefined;
const claims = (store: PaymentsStore) => store.claim(ORDER, LEASE);
const isUnresolved = async (store: PaymentsStore) => {
  await claims(store);
  await store.end(ORDER, UNKNOWN);
};
const stateOfPostback = async (store: PaymentsStore) => {
  const { state } = await store.claimPostback(POSTBACK, crypto.randomUUID(), LEASE);
  return state;
};
const ofOrders = { table: "payments_orders", look: (store: PaymentsStore) => stateOf(store) } as const;
const ofPostbacks = { table: "payments_postbacks", look: stateOfPostback } as const;

/** None of them leaves a payment free that may have been sent. */
const OPERATIONS: Record<string, Operation> = {
  // Its caller is told that it failed, and sends nothing.
  claim: { ...ofOrders, prepare: nothing, run: claims, done: "claimed", notDone: "free" },
  renew: {
    ...ofOrders,
    prepare: claims,
    readsFirst: true,
    run: (store) => store.renew(ORDER, LEASE),
    done: "claimed",
    notDone: "claimed",
  },
  "end of a payment that was made": {
    ...ofOrders,
    prepare: claims,
    run: (store) => store.end(ORDER, createdAs()),
    done: "created",
    notDone: "claimed",
  },
  "end of one that is unknown": {
    ...ofOrders,
    prepare: claims,
    run: (store) => store.end(ORDER, UNKNOWN),
    done: "unresolved",
    notDone: "claimed",
  },
  settle: {
    ...ofOrders,
    prepare: isUnresolved,
    readsFirst: true,
    run: (store) => store.settle("order-1", news("approved")),
    done: "created",
    notDone: "unresolved",
  },
  resolve: {
    ...ofOrders,
    prepare: isUnresolved,
    readsFirst: true,
    run: (store) => store.resolve("order-1", { transactionId: ID, status: "approved" }),
    done: "created",
    notDone: "unresolved",
  },
  claimPostback: {
    ...ofPostbacks,
    prepare: nothing,
    run: (store) => store.claimPostback(POSTBACK, "a", LEASE),
    done: "busy",
    notDone: "claimed",
  },
  renewPostback: {
    ...ofPostbacks,
    prepare: (store) => store.claimPostback(POSTBACK, "a", LEASE),
    readsFirst: true,
    run: (store) => store.renewPostback(POSTBACK, "a", LEASE),
    done: "busy",
    notDone: "busy",
  },
  confirmPostback: {
    ...ofPostbacks,
    prepare: (store) => store.claimPostback(POSTBACK, "a", LEASE),
    readsFirst: true,
    run: (store) => store.confirmPostback(POSTBACK, "a"),
    done: "done",
    notDone: "busy",
  },
};

const CUTS: readonly Cut[] = ["before", "after"];

describe.each(Object.entries(OPERATIONS))("%s", (_name, operation) => {
  const { prepare, run, look, done, notDone, table } = operation;
  const statements = operation.readsFirst ? [1, 2] : [1];
  const last = statements.length;

  test.each(statements.flatMap((statement) => CUTS.map((when) => [when, statement] as const)))(
    "whose connection is cut %s statement %i fails, and is done or not",
    async (when, statement) => {
      const schema = await migratedSchema();
      const proxy = await cuttingProxy(schema);
      const store = postgresStore(proxy.pool);
      await prepare(store);
      await proxy.cutAt(when, statement);

      await expect(run(store)).rejects.toThrow();

      const isDone = when === "after" && statement === last;
      expect(proxy.cuts()).toBe(1);
      expect(await look(postgresStore(await schema.pool()))).toBe(isDone ? done : notDone);
    },
  );

  test("whose connection is ended by the server while it waits fails, and is not done", async () => {
    const schema = await migratedSchema();
    const store = postgresStore(await schema.pool());
    await prepare(store);
    const [holder, admin] = [await schema.client(), await schema.client()];
    await holder.query(`BEGIN; LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`);

    const running = expect(run(store)).rejects.toThrow();
    const [pid] = await waitingFor(schema, 1);
    await admin.query("SELECT pg_terminate_backend($1)", [pid]);
    await running;
    await holder.query("ROLLBACK");

    expect(await look(store)).toBe(notDone);
  });

  test("that is cut and done again ends as if it had not been cut", async () => {
    const proxy = await cuttingProxy(await migratedSchema());
    const store = postgresStore(proxy.pool);
    await prepare(store);
    await proxy.cutAt("after", last);
    await expect(run(store)).rejects.toThrow();

    await run(store);

    expect(await look(store)).toBe(done);
  });
});

test("a payment whose claim got no answer is listed once its lease has ended: it was not sent", async () => {
  const proxy = await cuttingProxy(await migratedSchema());
  const store = postgresStore(proxy.pool);
  await proxy.cutAt("after");

  await expect(store.claim(ORDER, 1)).rejects.toThrow();

  await expect.poll(() => listed(store)).toMatchObject([{ externalRef: "order-1", reason: "no_end" }]);
  expect(await store.claim(by("b"), LEASE)).toEqual({ state: "unresolved" });
});
