import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type PaymentsStore, sqliteStore } from "payments-sdk/idempotency";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { aReceiver, FAILED, HANDLED } from "../support/receiver.ts";
import { POSTBACK } from "../support/signing.ts";

const { externalRef, amount } = POSTBACK;
const FIRST = 81_001;
const SECOND = 81_002;

/** A store in a file that can lose its data, as after a restored backup. */
function aFileStore() {
  const file = join(temporaryFolder(), "store.db");
  const store = sqliteStore(file);
  const other = new DatabaseSync(file);
  onTestFinished(() => {
    store.close();
    other.close();
  });
  const loseAll = () => other.exec("DELETE FROM payments_orders; DELETE FROM payments_postbacks");
  return { store, loseAll };
}

async function charge(store: PaymentsStore, id: number, status: "pending" | "approved" = "pending") {
  const order = { externalRef, amount, paymentMethod: "pix", owner: `${id}` } as const;
  expect(await store.claim(order, 60_000)).toEqual({ state: "yours" });
  const transaction = { id, status, amount, paymentMethod: "pix" } as const;
  await store.end(order, { outcome: "created", transactionId: id, transaction });
}

describe("an order that was charged twice, because the store lost the first transaction,", () => {
  async function chargedTwice(options: Parameters<typeof aReceiver>[0] = {}) {
    const { store, loseAll } = aFileStore();
    await charge(store, FIRST, "approved");
    loseAll();
    await charge(store, SECOND);
    return aReceiver({ store, ...options });
  }

  test("advances once; each postback lists the other transaction, and a warning precedes the second", async () => {
    const { post, onPostback, events } = await chargedTwice();
    expect(await post({ ...POSTBACK, id: FIRST })).toEqual(HANDLED);
    let seen: unknown[] = [];
    onPostback.mockImplementationOnce(() => {
      seen = [...events];
    });

    expect(await post({ ...POSTBACK, id: SECOND })).toEqual(HANDLED);

    expect(onPostback.mock.calls.map(([{ id }, { transition, rivals }]) => [id, transition, rivals])).toEqual(
      [
        [FIRST, "advance", [{ id: SECOND, status: "pending" }]],
        [SECOND, "unclear", [{ id: FIRST, status: "approved" }]],
      ],
    );
    expect(seen.at(-1)).toMatchObject({
      type: "warning",
      reason: "other_transactions",
      postback: { id: SECOND },
      rivals: [{ id: FIRST, status: "approved" }],
      message: expect.stringMatching(/81002.*81001/s),
    });
  });

  test("does not advance by a repeat of the first, failed postback", async () => {
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
  });

  test("still lists the other transaction of a refund, without a warning", async () => {
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

test("a refunded transaction of the order causes no warning", async () => {
  const { store } = aFileStore();
  await charge(store, SECOND);
  const { post, onPostback, events } = aReceiver({ store });
  await post({ ...POSTBACK, id: FIRST, status: "refunded" });
  events.length = 0;

  await post({ ...POSTBACK, id: SECOND });

  expect(onPostback.mock.lastCall?.[1]).toMatchObject({
    transition: "advance",
    rivals: [{ id: FIRST, status: "refunded" }],
  });
  expect(events.map(({ type }) => type)).toEqual(["handled"]);
});
