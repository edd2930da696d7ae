import { memoryStore } from "payments-sdk/idempotency";
import { expect, test } from "vitest";
import { aReceiver, FAILED, HANDLED } from "../support/receiver.ts";
import { POSTBACK } from "../support/signing.ts";

const { externalRef, amount } = POSTBACK;
const FIRST = 81_001;
const SECOND = 81_002;

/** A receiver for an order with a second transaction: its store lost the first one, as after a restored backup. */
async function chargedTwice() {
  const store = memoryStore();
  const order = { externalRef, amount, paymentMethod: "pix", owner: "a" } as const;
  const transaction = { id: SECOND, status: "pending", amount, paymentMethod: "pix" } as const;
  await store.claim(order, 60_000);
  await store.recordOutcome(order, { outcome: "created", transactionId: SECOND, transaction });
  return aReceiver({ store });
}

test("an order that was charged twice advances once, with a warning before the second, and a refund causes none", async () => {
  const { post, onPostback, events } = await chargedTwice();
  expect(await post({ ...POSTBACK, id: FIRST })).toEqual(HANDLED);
  let seen: unknown[] = [];
  onPostback.mockImplementationOnce(() => {
    seen = [...events];
  });

  expect(await post({ ...POSTBACK, id: SECOND })).toEqual(HANDLED);
  events.length = 0;
  await post({ ...POSTBACK, id: SECOND, status: "refunded" });

  expect(
    onPostback.mock.calls.map(([{ id }, { transition, possibleDuplicates }]) => [
      id,
      transition,
      possibleDuplicates,
    ]),
  ).toEqual([
    [FIRST, "advance", [{ id: SECOND, status: "pending" }]],
    [SECOND, "unclear", [{ id: FIRST, status: "approved" }]],
    [SECOND, "advance", [{ id: FIRST, status: "approved" }]],
  ]);
  expect(seen.at(-1)).toMatchObject({
    type: "warning",
    reason: "possible_duplicates",
    postback: { id: SECOND },
    possibleDuplicates: [{ id: FIRST, status: "approved" }],
    message: expect.stringMatching(/81002.*81001/s),
  });
  expect(events).toMatchObject([{ type: "handled" }]); // the refund is what the warning asked for
});

test("an order that was charged twice does not advance by a repeat of the first, failed postback", async () => {
  const { post, onPostback } = await chargedTwice();
  onPostback.mockRejectedValueOnce(new Error("no"));

  expect(await post({ ...POSTBACK, id: FIRST })).toEqual(FAILED);
  expect(await post({ ...POSTBACK, id: SECOND })).toEqual(HANDLED);
  expect(await post({ ...POSTBACK, id: FIRST })).toEqual(HANDLED);

  const transitions = onPostback.mock.calls.map(([, { transition }]) => transition);
  expect(transitions).toEqual(["advance", "unclear", "unclear"]); // the first one failed
});

test("a refunded transaction of the order causes no warning", async () => {
  const { post, onPostback, events } = await chargedTwice();
  await post({ ...POSTBACK, id: FIRST, status: "refunded" });
  events.length = 0;

  await post({ ...POSTBACK, id: SECOND });

  const possibleDuplicates = [{ id: FIRST, status: "refunded" }];
  expect(onPostback.mock.lastCall?.[1]).toMatchObject({ transition: "advance", possibleDuplicates });
  expect(events.map(({ type }) => type)).toEqual(["handled"]);
});
