import { join } from "node:path";
import { memoryStore, sqliteStore } from "payments-sdk/idempotency";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { aReceiver, FAILED, HANDLED, urlOf } from "../support/receiver.ts";
import { A, a, aShop, recordPayment } from "../support/shop.ts";
import { POSTBACK } from "../support/signing.ts";

const FIRST = 81_001;
const SECOND = 81_002;

/** A receiver for an order with a second transaction: its store lost the first one, as after a restored backup. */
async function chargedTwice() {
  const store = memoryStore();
  await recordPayment(store, { id: SECOND });
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

function aNewFile() {
  const path = join(temporaryFolder(), "payments.db");
  const store = sqliteStore(path);
  onTestFinished(store.close);
  return { path, store };
}

test("a payment whose order the handler's store lacks is handled, with one warning, which names a file that was new", async () => {
  const { path, store } = aNewFile();
  const { post, calls, events } = aShop(store);
  await recordPayment(aNewFile().store, A); // in the file of the client

  await post(a("approved"));
  await post({ ...a("approved"), externalRef: "another" }, await urlOf("another"));
  await post(a("refunded"));

  expect(calls).toEqual(["onPaid A", "onPaid A", "onReturned A"]);
  const warnings = events.filter(({ type }) => type === "warning");
  expect(warnings).toMatchObject([{ reason: "unknown_order", message: expect.stringContaining(path) }]);
});

test.each(["approved", "refused"])(
  "the first order of a new file of the client causes no warning: %s",
  async (status) => {
    const { store, post, events } = aShop(aNewFile().store);
    await recordPayment(store, A);

    await post(a(status));

    expect(events.map(({ type }) => type)).toEqual(["handled"]);
  },
);
