import { memoryStore, type PaymentsStore, postgresStore } from "payments-sdk/idempotency";
import { expect, test, vi } from "vitest";
import { migratedSchema } from "../../idempotency/postgres/support/schema.ts";
import { POSTBACK } from "../support/signing.ts";
import { aGate, aReceiver, BUSY, DUPLICATE, HANDLED, urlOf } from "./support/receiver.ts";

/** Different postbacks of one transaction, as anybody can make them up who knows the URL of its order. */
async function flood(post: ReturnType<typeof aReceiver>["post"], count: number) {
  const url = await urlOf();
  return Promise.all(Array.from({ length: count }, (_, at) => post({ ...POSTBACK, amount: at + 1 }, url)));
}

const statusesOf = (answers: readonly { readonly status: number }[]) => answers.map(({ status }) => status);

test("a flood of one transaction asks the database for one postback at a time, and for few in all", async () => {
  const schema = await migratedSchema();
  const pool = await schema.pool();
  let statements = 0;
  const store = postgresStore({
    query(text: string, values: string[]) {
      statements += 1;
      return pool.query(text, values);
    },
  });
  const { post, onPostback } = aReceiver({ store });
  let running = 0;
  let most = 0;
  onPostback.mockImplementation(async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setTimeout(resolve, 10));
    running -= 1;
  });

  const statuses = statusesOf(await flood(post, 1_000));

  expect(most).toBe(1);
  expect(statuses.filter((status) => status === 200)).toHaveLength(100); // as many as may wait
  expect(statuses.filter((status) => status === 503)).toHaveLength(900);
  expect(onPostback).toHaveBeenCalledTimes(100);
  expect(statements).toBeLessThan(100 * 10);
});

test("those that are too many get their 503 without a question to the store", async () => {
  const store = memoryStore();
  const claims = vi.spyOn(store, "claimPostback");
  const settles = vi.spyOn(store, "settle");
  const { post, onPostback } = aReceiver({ store });
  const gate = aGate();
  onPostback.mockReturnValue(gate.passed);

  const answering = flood(post, 200);
  await vi.waitFor(() => expect(settles).toHaveBeenCalledTimes(100));
  expect(await post({ ...POSTBACK, amount: 5_000 })).toEqual(BUSY("10"));
  expect(claims).toHaveBeenCalledTimes(1);

  gate.open();
  expect(statusesOf(await answering).filter((status) => status === 503)).toHaveLength(100);
  expect(await post({ ...POSTBACK, amount: 5_000 })).toEqual(HANDLED); // there is room again
});

test("other transactions of the order count, too; other orders do not wait", async () => {
  const { post, onPostback } = aReceiver();
  const gate = aGate();
  onPostback.mockReturnValue(gate.passed);
  const answering = Promise.all(Array.from({ length: 100 }, (_, at) => post({ ...POSTBACK, id: at + 1 })));
  await vi.waitFor(() => expect(onPostback).toHaveBeenCalledTimes(100));

  expect(await post({ ...POSTBACK, id: 101 })).toEqual(BUSY("10"));
  onPostback.mockReturnValue(undefined);
  const other = { ...POSTBACK, externalRef: "pedido-78" };
  expect(await post(other, await urlOf("pedido-78"))).toEqual(HANDLED);

  gate.open();
  await answering;
});

test("two processes that wait for each other ask less and less often", async () => {
  const schema = await migratedSchema();
  const store: PaymentsStore = postgresStore(await schema.pool());
  const gate = aGate();
  const one = aReceiver({ store });
  one.onPostback.mockReturnValueOnce(gate.passed);
  const first = one.post();
  await vi.waitFor(() => expect(one.onPostback).toHaveBeenCalled());
  const claims = vi.spyOn(store, "claimPostback");
  const other = aReceiver({ store, timeout: 3_000 });

  const waiting = flood(other.post, 50);
  await vi.waitFor(() => expect(claims.mock.calls.length).toBeGreaterThan(3), { timeout: 5_000 });
  const start = claims.mock.calls.length;
  await new Promise((resolve) => setTimeout(resolve, 1_000));

  expect(claims.mock.calls.length - start).toBeLessThan(6);
  gate.open();
  expect(await first).toEqual(HANDLED);
  await waiting;
  expect(await other.post()).toEqual(DUPLICATE);
});
