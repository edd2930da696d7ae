import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type PaymentsStore, redisStore, sqliteStore } from "payments-sdk/idempotency";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { nodeRedis } from "../../idempotency/redis/support/clients.ts";
import { aRedis } from "../../idempotency/redis/support/servers.ts";
import { missingRedis } from "../../support/redis-server.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { POSTBACK } from "../support/signing.ts";
import { aReceiver, FAILED, HANDLED } from "./support/receiver.ts";

interface Losing {
  readonly store: PaymentsStore;
  /** What a restart without persistence, an eviction or a restored backup does. */
  readonly loseAll: () => unknown;
}

const inFile = async (): Promise<Losing> => {
  const file = join(temporaryFolder(), "store.db");
  const store = sqliteStore(file);
  const other = new DatabaseSync(file);
  onTestFinished(() => {
    store.close();
    other.close();
  });
  return {
    store,
    loseAll: () => other.exec("DELETE FROM payments_orders; DELETE FROM payments_postbacks"),
  };
};

const inRedis = async (): Promise<Losing> => {
  const client = await nodeRedis(await aRedis());
  return { store: redisStore(client), loseAll: () => client.flushAll() };
};

const ORDER = {
  externalRef: POSTBACK.externalRef,
  amount: POSTBACK.amount,
  paymentMethod: "pix",
  owner: "a",
} as const;

describe.each([
  ["SQLite", inFile, undefined],
  ["Redis", inRedis, missingRedis],
])("an order that was charged twice, because %s lost the first", (_name, open, missing) => {
  const FIRST = 81_001;
  const SECOND = 81_002;

  async function charge(store: PaymentsStore, id: number, status: "pending" | "approved" = "pending") {
    const order = { ...ORDER, owner: `${id}` };
    expect(await store.claim(order, 60_000)).toEqual({ state: "yours" });
    const transaction = { id, status, amount: POSTBACK.amount, paymentMethod: "pix" } as const;
    return store.end(order, { outcome: "created", transactionId: id, transaction });
  }

  async function chargedTwice() {
    const { store, loseAll } = await open();
    await charge(store, FIRST);
    await loseAll();
    await charge(store, SECOND);
    return aReceiver({ store });
  }

  test.skipIf(missing !== undefined)("is advanced once, and each postback names the other", async () => {
    const { post, onPostback } = await chargedTwice();

    expect([await post({ ...POSTBACK, id: FIRST }), await post({ ...POSTBACK, id: SECOND })]).toEqual([
      HANDLED,
      HANDLED,
    ]);

    expect(onPostback.mock.calls.map(([{ id }, { transition, rivals }]) => [id, transition, rivals])).toEqual(
      [
        [FIRST, "advance", [{ id: SECOND, status: "pending" }]],
        [SECOND, "unclear", [{ id: FIRST, status: "approved" }]],
      ],
    );
  });

  test.skipIf(missing !== undefined)("gives a warning with both ids before onPostback runs", async () => {
    const { post, onPostback, events } = await chargedTwice();
    await post({ ...POSTBACK, id: FIRST });
    let seen: unknown[] = [];
    onPostback.mockImplementationOnce(() => {
      seen = [...events];
    });

    await post({ ...POSTBACK, id: SECOND });

    expect(seen.at(-1)).toMatchObject({
      type: "warning",
      reason: "other_transactions",
      postback: { id: SECOND },
      rivals: [{ id: FIRST, status: "approved" }],
      message: expect.stringMatching(/81002.*81001/s),
    });
  });

  test.skipIf(missing !== undefined)("prints the warning if nobody listens", async () => {
    const printed = vi.spyOn(console, "error").mockReturnValue();
    const { store, loseAll } = await open();
    await charge(store, FIRST, "approved");
    await loseAll();
    await charge(store, SECOND);
    const { post } = aReceiver({ store, onEvent: undefined });

    await post({ ...POSTBACK, id: FIRST });

    expect(printed.mock.calls.flat().join()).toMatch(/81001.*81002/);
  });

  test.skipIf(missing !== undefined)(
    "is not advanced by a repeat of the first that failed before",
    async () => {
      const { post, onPostback } = await chargedTwice();
      onPostback.mockRejectedValueOnce(new Error("no"));

      expect(await post({ ...POSTBACK, id: FIRST })).toEqual(FAILED);
      expect(await post({ ...POSTBACK, id: SECOND })).toEqual(HANDLED);
      expect(await post({ ...POSTBACK, id: FIRST })).toEqual(HANDLED);

      expect(onPostback.mock.calls.map(([, { transition }]) => transition)).toEqual([
        "advance", // and failed
        "unclear",
        "unclear",
      ]);
    },
  );

  test.skipIf(missing !== undefined)("says that the other is still paid when one is refunded", async () => {
    const { post, onPostback, events } = await chargedTwice();
    await post({ ...POSTBACK, id: FIRST });
    await post({ ...POSTBACK, id: SECOND });
    events.length = 0;

    await post({ ...POSTBACK, id: SECOND, status: "refunded" });

    expect(onPostback.mock.lastCall?.[1]).toMatchObject({
      transition: "advance",
      rivals: [{ id: FIRST, status: "approved" }],
    });
    expect(events).toMatchObject([{ type: "handled" }]); // the refund is what the warning asked for
  });
});

test("a rival that was given back gives no warning", async () => {
  const { store } = await inFile();
  await store.claim(ORDER, 60_000);
  await store.end(ORDER, { outcome: "created", transactionId: 2 });
  const { post, onPostback, events } = aReceiver({ store });
  await post({ ...POSTBACK, id: 1, status: "refunded" });
  events.length = 0;

  await post({ ...POSTBACK, id: 2 });

  expect(onPostback.mock.lastCall?.[1]).toMatchObject({
    transition: "advance",
    rivals: [{ id: 1, status: "refunded" }],
  });
  expect(events.map(({ type }) => type)).toEqual(["handled"]);
});

test("a transaction that nobody was charged by is no rival", async () => {
  const { store } = await inFile();
  await store.claim(ORDER, 60_000);
  await store.end(ORDER, { outcome: "created", transactionId: 1 });
  const { post, onPostback, events } = aReceiver({ store });
  await post({ ...POSTBACK, id: 1, status: "expired" });
  await store.claim({ ...ORDER, owner: "b" }, 60_000);
  await store.end({ ...ORDER, owner: "b" }, { outcome: "created", transactionId: 2 });

  await post({ ...POSTBACK, id: 2 });

  expect(onPostback.mock.lastCall?.[1]).toMatchObject({ transition: "advance", rivals: [] });
  expect(events).toMatchObject([{ type: "handled" }, { type: "handled" }]);
});
