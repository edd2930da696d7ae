import { expect, test, vi } from "vitest";
import { text } from "../../support/http-server.ts";
import { failureOf } from "../../support/merchant.ts";
import { aPixData, created } from "../../support/service-responses.ts";
import { byCard, byPix, heldReply, merchantWithStore } from "../support/merchant-with-store.ts";

const REFUSED_ID = 4021;
const REPLACE = { replaceLost: true };
/** A pix without a code. */
const refusedAs = (id = REFUSED_ID) => created(aPixData({ id, status: "refused", pix: undefined }));

test("a refused pix frees the order, also for another method, and the store keeps its id", async () => {
  const { payments, store } = await merchantWithStore([refusedAs(), refusedAs(4022), created({ id: 9 })]);

  expect(await failureOf(byPix(payments))).toMatchObject({ code: "pix_refused", outcome: "rejected" });
  expect(await store.get("order-1")).toMatchObject({ state: "free", earlierIds: [REFUSED_ID] });
  expect(await failureOf(byPix(payments))).toMatchObject({ transactionId: 4022 });

  expect(await byCard(payments)).toMatchObject({ id: 9 });
  expect(await store.get("order-1")).toMatchObject({ state: "created", earlierIds: [REFUSED_ID, 4022] });
});

test("a refused pix whose response contradicts itself keeps the order: a later call sends nothing", async () => {
  const paid = created(aPixData({ status: "refused", pix: undefined, paidAmount: 1990 }));
  const { payments, store, arrivals } = await merchantWithStore([paid]);
  expect(await failureOf(byPix(payments))).toMatchObject({ outcome: "created" });

  const second = await failureOf(byPix(payments));

  expect(second).toMatchObject({ outcome: "created", mayHaveCharged: true, transactionId: REFUSED_ID });
  expect(arrivals).toHaveLength(1);
  expect(await store.get("order-1")).toMatchObject({ state: "created", transactionId: REFUSED_ID });
});

test("a refused pix that a postback reported as paid before its response is created, not rejected", async () => {
  const { gate, held } = heldReply(refusedAs());
  const { payments, store, arrivals } = await merchantWithStore([held]);
  const failure = failureOf(byPix(payments));
  await vi.waitFor(() => expect(arrivals).toHaveLength(1));

  await store.recordPostback("order-1", {
    id: REFUSED_ID,
    status: "approved",
    rawStatus: "approved",
    amount: 1990,
  });
  gate.open();

  expect(await failure).toMatchObject({
    ...{ code: "unexpected_response", outcome: "created", transactionId: REFUSED_ID },
  });
  expect(await byPix(payments)).toMatchObject({ id: REFUSED_ID, status: "approved" });
  expect(arrivals).toHaveLength(1);
});

test("a refused pix that was to replace a lost one leaves it unresolved, and it can be replaced again", async () => {
  const replies = [text(500, "no"), refusedAs(), refusedAs(4022)];
  const { payments, store, arrivals } = await merchantWithStore(replies);
  await failureOf(byPix(payments));

  expect(await failureOf(byPix(payments, REPLACE))).toMatchObject({ code: "pix_refused" });
  expect(await failureOf(byPix(payments))).toMatchObject({ code: "outcome_pending", state: "unresolved" });
  expect(await store.get("order-1")).toMatchObject({ state: "unresolved", earlierIds: [REFUSED_ID] });
  expect(await failureOf(byPix(payments, REPLACE))).toMatchObject({ transactionId: 4022 });
  expect(arrivals).toHaveLength(3);
});
