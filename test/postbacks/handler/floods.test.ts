import { memoryStore } from "payments-sdk/idempotency";
import { expect, test, vi } from "vitest";
import { aGate } from "../../support/http-server.ts";
import { aReceiver, BUSY, HANDLED, urlOf } from "../support/receiver.ts";
import { POSTBACK } from "../support/signing.ts";

test("of one transaction, one postback runs, 99 wait, and others get a 503 without a call to the store", async () => {
  const store = memoryStore();
  const claims = vi.spyOn(store, "claimPostback");
  let settling = 0;
  let most = 0;
  const settles = vi.spyOn(store, "recordPostback").mockImplementation(async () => {
    settling += 1;
    most = Math.max(most, settling);
    await new Promise((resolve) => setImmediate(resolve));
    settling -= 1;
    return [];
  });
  const { post, onPostback } = aReceiver({ store });
  const gate = aGate();
  onPostback.mockReturnValue(gate.passed);

  const url = await urlOf();
  const responses = Promise.all(
    Array.from({ length: 150 }, (_, at) => post({ ...POSTBACK, amount: at + 1 }, url)),
  );
  await vi.waitFor(() => expect(settles).toHaveBeenCalledTimes(100), { timeout: 10_000 });
  expect(await post({ ...POSTBACK, amount: 5_000 })).toEqual(BUSY("10"));
  expect(most).toBe(1);
  expect(claims).toHaveBeenCalledTimes(100); // each is recorded when it arrives
  expect(onPostback).toHaveBeenCalledTimes(1);

  gate.open();
  expect((await responses).filter(({ status }) => status === 503)).toHaveLength(50);
  expect(await post({ ...POSTBACK, amount: 5_000 })).toEqual(HANDLED); // there is room again
});

test("all transactions of an order count, and repeats only until their response; other orders do not wait", async () => {
  const { post, onPostback } = aReceiver();
  const gate = aGate();
  onPostback.mockReturnValue(gate.passed);
  const responses = Promise.all(Array.from({ length: 99 }, (_, at) => post({ ...POSTBACK, id: at + 1 })));
  await vi.waitFor(() => expect(onPostback).toHaveBeenCalledTimes(99), { timeout: 10_000 });
  await Promise.all(Array.from({ length: 9 }, () => post({ ...POSTBACK, id: 1 }))); // repeats leave room
  const last = post({ ...POSTBACK, id: 100 });
  await vi.waitFor(() => expect(onPostback).toHaveBeenCalledTimes(100));

  expect(await post({ ...POSTBACK, id: 101 })).toEqual(BUSY("10"));
  onPostback.mockReturnValue(undefined);
  const other = { ...POSTBACK, externalRef: "pedido-78" };
  expect(await post(other, await urlOf("pedido-78"))).toEqual(HANDLED);

  gate.open();
  await Promise.all([responses, last]);
});
