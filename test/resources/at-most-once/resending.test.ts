import { OutcomePendingError, UnexpectedResponseError } from "payments-sdk";
import { memoryStore } from "payments-sdk/idempotency";
import { describe, expect, test } from "vitest";
import { json, type Reply, resetAfterReading, resetInBody, text } from "../../support/http-server.ts";
import { failureOf, merchantAt } from "../../support/merchant.ts";
import { aCardData, aPixData, created, envelope } from "../../support/service-responses.ts";
import {
  byCard,
  byPix,
  type Create,
  merchantWithStore,
  REFUSED,
  unresolvedIn,
  WITH_A_LONG_ID,
  WITHOUT_CODE,
} from "../support/merchant-with-store.ts";

describe("a second create call is sent if the first charged nothing:", () => {
  test.each<[string, Create, Reply]>([
    ["400", byPix, json(400, { success: false, message: "Validation Error", errors: [] })],
    ["401", byPix, json(401, { success: false, message: "Unauthorized" })],
    ["429", byCard, text(429, "slow down")],
    ["307", byPix, text(307, "", { location: "/elsewhere" })],
    ["a declined card", byCard, REFUSED],
    ["a pix that expired at once", byPix, created(aPixData({ status: "expired" }))],
    ["a pix that was cancelled at once", byPix, created(aPixData({ status: "canceled" }))],
  ])("%s", async (_what, create, reply) => {
    const approved = create === byPix ? created() : created(aCardData());
    const { payments, arrivals, store } = await merchantWithStore([reply, approved]);
    await create(payments).catch(() => undefined);

    const transaction = await create(payments);

    expect(transaction.id).toBe(4021);
    expect(arrivals).toHaveLength(2);
    expect(await unresolvedIn(store)).toEqual([]);
  });

  test("a connection that was never opened", async () => {
    const { payments } = merchantAt("http://127.0.0.1:1", { idempotency: memoryStore() });

    const errors = [await failureOf(byPix(payments)), await failureOf(byPix(payments))];

    expect(errors).toMatchObject(Array(2).fill({ code: "connection_failed", outcome: "not_sent" }));
  });
});

describe("a second create call is not sent if the first may have charged the customer:", () => {
  test.each<[string, Reply]>([
    ["500", text(500, "no")],
    ["408", text(408, "")],
    ["an unknown status", text(418, "")],
    ["a reset", resetAfterReading],
    ["a reset inside the response", resetInBody(201, '{"success":true,"data":{')],
    ["an empty 201", text(201, "")],
    ["a 201 without an id", json(201, envelope({ status: "pending" }))],
    ["a 200 with success: false", json(200, { success: false, message: "?" })],
  ])("%s", async (_what, reply) => {
    const { payments, arrivals, store } = await merchantWithStore([reply, created()]);
    const first = await failureOf(byPix(payments));

    const error = await failureOf(byPix(payments));

    expect(first.outcome).toBe("unknown");
    expect(error).toBeInstanceOf(OutcomePendingError);
    expect(error).toMatchObject({ state: "unresolved", outcome: "unknown" });
    expect(arrivals).toHaveLength(1);
    expect(await unresolvedIn(store)).toMatchObject([{ externalRef: "order-1", reason: "no_response" }]);
  });

  test("an aborted call", async () => {
    const controller = new AbortController();
    const { payments, arrivals } = await merchantWithStore([() => controller.abort()]);
    const { signal } = controller;

    expect(await failureOf(byPix(payments, { signal }))).toMatchObject({
      code: "aborted",
      outcome: "unknown",
    });
    expect(await failureOf(byPix(payments))).toMatchObject({ state: "unresolved" });
    expect(arrivals).toHaveLength(1);
  });
});

test.each<[string, Reply, number | string]>([
  ["with a long id", WITH_A_LONG_ID, "90071992547409931234"],
  ["without a pix code", WITHOUT_CODE, 4021],
])(
  "a second create call after an unusable response %s fails with the transaction's id, and sends nothing",
  async (_what, reply, transactionId) => {
    const { payments, arrivals, store } = await merchantWithStore([reply, created()]);

    const errors = [await failureOf(byPix(payments)), await failureOf(byPix(payments))];

    for (const error of errors) {
      expect(error).toBeInstanceOf(UnexpectedResponseError);
      expect(error).toMatchObject({ outcome: "created", transactionId });
    }
    expect(arrivals).toHaveLength(1);
    expect(await unresolvedIn(store)).toEqual([]);
  },
);
