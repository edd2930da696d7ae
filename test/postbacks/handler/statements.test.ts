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
    const { add, read, replace } = documents;
    return { ...documents, add: counted(add), read: counted(read), replace: counted(replace) };
  }
  return createStore({ orders: countedDocuments(), postbacks: countedDocuments(), isShared: true });
}

describe.each<[string, (count: Count) => Promise<PaymentsStore>, string | undefined, number]>([
  ["PostgreSQL", inPostgres, undefined, 0],
  ["Redis", inRedis, missingRedis, 0],
  ["a database of four operations", inDocuments, undefined, 1],
])("in %s", (_name, open, missing, more) => {
  const inDatabase = test.skipIf(missing !== undefined);

  /** A shop, whose store has the payment, and how many operations a delivery needs. */
  async function aCountedShop(status: "pending" | "approved" = "pending") {
    let operations = 0;
    const store = await open(() => {
      operations += 1;
    });
    await recordPayment(store, A, status, status === "approved" ? "credit_card" : "pix");
    const { post, failNext } = aShop(store);
    const count = async (work: () => Promise<unknown>) => {
      operations = 0;
      await work();
      return operations;
    };
    return { store, failNext, post, count: (body: Body) => count(() => post(body)), countOf: count };
  }

  inDatabase(
    "a pix that is paid is read, claimed together with its order's record, and confirmed",
    async () => {
      const { store, count } = await aCountedShop();

      expect(await count(A)).toBe(3 + more);

      expect(await store.get(A.externalRef)).toMatchObject({ transaction: { status: "approved" } });
    },
  );

  inDatabase("onPostback costs no more", async () => {
    const { store, countOf } = await aCountedShop();
    const { post } = aReceiver({ store });

    expect(await countOf(() => post(A))).toBe(3 + more);
  });

  inDatabase("a postback that changes no record needs no operation for it", async () => {
    const [card, pix] = [await aCountedShop("approved"), await aCountedShop()];

    expect(await card.count(A)).toBe(3);
    expect(await pix.count(a("pending"))).toBe(3);
  });

  inDatabase("a refusal is also read after it was recorded", async () => {
    const { count } = await aCountedShop();

    expect(await count(a("refused"))).toBe(4 + more);
  });

  inDatabase("a repeated postback needs two", async () => {
    const { post, count } = await aCountedShop();
    await post(A);

    expect(await count(A)).toBe(2);
  });

  inDatabase("a second postback of an order finds the first one with its claim", async () => {
    const { post, count } = await aCountedShop();
    await post(a("pending"));

    expect(await count(A)).toBe(4 + more);
  });
});
