import { type PaymentsStore, postgresStore, redisStore } from "payments-sdk/idempotency";
import { describe, expect, test } from "vitest";
import { createStore } from "../../../src/idempotency/create-store.ts";
import type { Documents } from "../../../src/idempotency/documents.ts";
import { createMemoryDocuments } from "../../../src/idempotency/memory-documents.ts";
import { migratedSchema } from "../../idempotency/support/postgres.ts";
import { nodeRedis, sharedRedis } from "../../idempotency/support/redis.ts";
import { missingRedis } from "../../support/redis-server.ts";
import { aReceiver } from "../support/receiver.ts";
import { A, a, aShop, type Body, recordPayment } from "../support/shop.ts";

/** Counts each operation of a database. */
type Count = () => void;

async function inPostgres(count: Count): Promise<PaymentsStore> {
  const pool = await (await migratedSchema()).pool();
  const query = (text: string, values: string[]) => {
    if (!/DELETE|json_agg/.test(text)) count(); // not the cleanup and the list of open postbacks, which are due once in a while
    return pool.query(text, values);
  };
  return postgresStore({ query });
}

async function inRedis(count: Count): Promise<PaymentsStore> {
  const client = await nodeRedis(await sharedRedis());
  const EVAL: typeof client.EVAL = (script, options) => {
    if (!script.includes("SMEMBERS")) count();
    return client.EVAL(script, options);
  };
  const namespace = crypto.randomUUID();
  return redisStore({ EVAL, SCAN: async () => ({ cursor: "0", keys: [] }) }, { namespace });
}

async function inDocuments(count: Count): Promise<PaymentsStore> {
  function countedDocuments(): Documents {
    const documents = createMemoryDocuments(100);
    const counted = <Work extends (...args: never[]) => unknown>(work: Work) =>
      ((...args: never[]) => {
        count();
        return work(...args);
      }) as Work;
    return { ...documents, read: counted(documents.read), write: counted(documents.write) };
  }
  return createStore({ orders: countedDocuments(), postbacks: countedDocuments(), isShared: true });
}

describe.each<[string, (count: Count) => Promise<PaymentsStore>, string | undefined, number]>([
  ["PostgreSQL", inPostgres, undefined, 0],
  ["Redis", inRedis, missingRedis, 0],
  ["a database of four operations", inDocuments, undefined, 1],
])("in %s", (_name, open, missing, more) => {
  const inDatabase = test.skipIf(missing !== undefined);

  /** How many operations a delivery needs, after earlier ones. */
  async function count(
    post: (store: PaymentsStore) => (body: Body) => Promise<unknown>,
    [card, earlier, body]: Delivery,
  ) {
    let operations = 0;
    const store = await open(() => {
      operations += 1;
    });
    await recordPayment(store, A, card ? "approved" : "pending", card ? "credit_card" : "pix");
    const deliver = post(store);
    for (const each of earlier) await deliver(each);
    operations = 0;
    await deliver(body);
    return { operations, store };
  }

  type Delivery = readonly [isCard: boolean, earlier: readonly Body[], body: Body];

  inDatabase.each<[rule: string, operations: number, ...Delivery]>([
    [
      "a pix that is paid is read, claimed together with its order's record, and confirmed",
      3 + more,
      false,
      [],
      A,
    ],
    ["a postback that changes no record needs no operation for it: a card", 3, true, [], A],
    ["a postback that changes no record needs no operation for it: a pix", 3, false, [], a("pending")],
    ["a refusal is also read after it was recorded", 4 + more, false, [], a("refused")],
    ["a repeated postback needs two", 2, false, [A], A],
    ["a second postback of an order finds the first one with its claim", 4 + more, false, [a("pending")], A],
  ])("%s", async (_rule, expected, ...delivery) => {
    const { operations } = await count((store) => aShop(store).post, delivery);

    expect(operations).toBe(expected);
  });

  inDatabase("onPostback costs no more, and the record is updated", async () => {
    const { operations, store } = await count((of) => aReceiver({ store: of }).post, [false, [], A]);

    expect(operations).toBe(3 + more);
    expect(await store.get(A.externalRef)).toMatchObject({ transaction: { status: "approved" } });
  });
});
