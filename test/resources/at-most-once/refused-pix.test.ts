import { describe, expect, test, vi } from "vitest";
import { type Reply, stall, text } from "../../support/http-server.ts";
import { failureOf } from "../../support/merchant.ts";
import { aPixData, created } from "../../support/service-responses.ts";
import {
  byCard,
  byPix,
  heldReply,
  merchantWithStore,
  WITH_A_LONG_ID,
} from "../support/merchant-with-store.ts";

const REFUSED_ID = 4021;
const REPLACE = { replaceLost: true };
/** A pix without a code. */
const refusedAs = (id = REFUSED_ID): Reply => created(aPixData({ id, status: "refused", pix: undefined }));
const SECOND = created(aPixData({ id: 4022 }));
const LOST: Reply = text(500, "no");

const approved = (id: number) => ({ id, status: "approved", rawStatus: "approved", amount: 1990 }) as const;

describe("a refused pix", () => {
  test("frees the order, also for another method", async () => {
    const { payments, store } = await merchantWithStore([refusedAs(), refusedAs(4022), created({ id: 9 })]);

    expect(await failureOf(byPix(payments))).toMatchObject({ code: "pix_refused", outcome: "rejected" });
    expect(await store.get("order-1")).toMatchObject({ state: "free", earlierIds: [REFUSED_ID] });
    expect(await failureOf(byPix(payments))).toMatchObject({ transactionId: 4022 });

    expect(await byCard(payments)).toMatchObject({ id: 9 });
    expect(await store.get("order-1")).toMatchObject({ state: "created", earlierIds: [REFUSED_ID, 4022] });
  });

  test("whose response contradicts itself keeps the order: a later call sends nothing", async () => {
    const paid = created(aPixData({ status: "refused", pix: undefined, paidAmount: 1990 }));
    const { payments, store, arrivals } = await merchantWithStore([paid]);
    expect(await failureOf(byPix(payments))).toMatchObject({ outcome: "created" });

    const second = await failureOf(byPix(payments));

    expect(second).toMatchObject({ outcome: "created", mayHaveCharged: true, transactionId: REFUSED_ID });
    expect(arrivals).toHaveLength(1);
    expect(await store.get("order-1")).toMatchObject({ state: "created", transactionId: REFUSED_ID });
  });

  test("that is paid late is the transaction of the order while there is no other attempt", async () => {
    const { payments, store, arrivals } = await merchantWithStore([refusedAs()]);
    await failureOf(byPix(payments));

    await store.settle("order-1", approved(REFUSED_ID));

    expect(await byPix(payments)).toMatchObject({ id: REFUSED_ID, status: "approved" });
    expect(arrivals).toHaveLength(1);
  });

  test.each([
    ["created", SECOND, { state: "created", transactionId: 4022, transaction: { status: "pending" } }],
    ["lost", LOST, { state: "unresolved" }],
    ["in flight", stall, { state: "claimed" }],
  ] as const)(
    "that is paid late is not the transaction of the next attempt, which was %s",
    async (_what, reply, kept) => {
      const { payments, store, arrivals } = await merchantWithStore([refusedAs(), reply]);
      await failureOf(byPix(payments));
      const second = byPix(payments).catch(() => undefined);
      await (reply === stall ? vi.waitFor(() => expect(arrivals).toHaveLength(2)) : second);

      await store.settle("order-1", approved(REFUSED_ID));

      expect(await store.get("order-1")).toMatchObject({
        ...kept,
        possibleDuplicates: [{ id: REFUSED_ID, status: "approved" }],
      });
    },
  );

  test("that a postback reported as paid before its response is created, not rejected", async () => {
    const { gate, held } = heldReply(refusedAs());
    const { payments, store, arrivals } = await merchantWithStore([held]);
    const failure = failureOf(byPix(payments));
    await vi.waitFor(() => expect(arrivals).toHaveLength(1));

    await store.settle("order-1", approved(REFUSED_ID));
    gate.open();

    expect(await failure).toMatchObject({
      ...{ code: "unexpected_response", outcome: "created", transactionId: REFUSED_ID },
    });
    expect(await byPix(payments)).toMatchObject({ id: REFUSED_ID, status: "approved" });
    expect(arrivals).toHaveLength(1);
  });
});

describe("a refused pix that was to replace a lost one", () => {
  const WITHOUT_CODE = created(aPixData({ id: 4000, pix: {} }));

  test("leaves the lost one unresolved, and it can be replaced again", async () => {
    const { payments, store, arrivals } = await merchantWithStore([LOST, refusedAs(), refusedAs(4022)]);
    await failureOf(byPix(payments));

    expect(await failureOf(byPix(payments, REPLACE))).toMatchObject({ code: "pix_refused" });
    expect(await failureOf(byPix(payments))).toMatchObject({ code: "outcome_pending", state: "unresolved" });
    expect(await store.get("order-1")).toMatchObject({ state: "unresolved", earlierIds: [REFUSED_ID] });

    expect(await failureOf(byPix(payments, REPLACE))).toMatchObject({ transactionId: 4022 });
    expect(arrivals).toHaveLength(3);

    await store.settle("order-1", approved(REFUSED_ID));
    const possibleDuplicates = [{ id: REFUSED_ID, status: "approved" }];
    expect(await store.get("order-1")).toMatchObject({ state: "unresolved", possibleDuplicates });
    await store.settle("order-1", approved(4000));
    expect(await store.get("order-1")).toMatchObject({ state: "created", transactionId: 4000 });
  });

  test("leaves the lost one the transaction of the order if its id is known", async () => {
    const { payments, store } = await merchantWithStore([WITHOUT_CODE, refusedAs()]);
    await failureOf(byPix(payments));

    expect(await failureOf(byPix(payments, REPLACE))).toMatchObject({ code: "pix_refused" });

    expect(await store.get("order-1")).toMatchObject({ state: "created", transactionId: 4000 });
  });
});

test("a refused pix whose id has more digits than a number keeps the order", async () => {
  const { payments, store } = await merchantWithStore([WITH_A_LONG_ID]);

  await failureOf(byPix(payments));

  expect(await store.get("order-1")).toMatchObject({ state: "created" });
});

test("the refused pix of another call, thrown by a custom fetch, frees no order", async () => {
  const other = await merchantWithStore([refusedAs()]);
  const { payments, store } = await merchantWithStore([], {
    fetch: async () => byPix(other.payments) as never,
  });

  expect(await failureOf(byPix(payments))).toMatchObject({ code: "connection_failed", outcome: "unknown" });

  expect(await store.get("order-1")).toMatchObject({ state: "unresolved", earlierIds: [] });
});
