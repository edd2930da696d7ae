import { describe, expect, onTestFinished, test } from "vitest";
import { json, text } from "../support/http-server.ts";
import { aPix, eventsOf, failureOf } from "../support/merchant.ts";
import { aPixData, aStatus, envelope, healthy } from "../support/service-responses.ts";
import { TRANSPORTS } from "../support/transports.ts";

describe.each(TRANSPORTS)("over $name", ({ startMerchant }) => {
  describe("withResponse resolves with the response and the result", () => {
    test("of a create call, as plain data", async () => {
      const reply = json(201, envelope(aPixData()), { "x-request-id": "req-1", "x-region": "gru" });
      const { payments } = await startMerchant(reply);

      const { data, response } = await payments.transactions.createPix(aPix()).withResponse();

      expect(data).toMatchObject({ id: 4021, status: "pending" });
      const plain = { status: 201, requestId: "req-1", durationMs: expect.any(Number), replayed: false };
      expect(response).toStrictEqual({ ...plain, headers: expect.any(Headers) });
      expect(response.headers.get("x-region")).toBe("gru");
    });

    test("with a duration that includes all attempts", async () => {
      const { payments, events } = await startMerchant([text(503, "", { "retry-after": "0" }), healthy]);

      const { response } = await payments.status.retrieve().withResponse();

      const attempts = eventsOf(events, "response").map(({ durationMs }) => durationMs);
      expect(response.durationMs).toBeGreaterThan((attempts[0] ?? 0) + (attempts[1] ?? 0));
    });

    test("with the same result as the promise itself, from one request", async () => {
      const { payments, arrivals } = await startMerchant(json(200, aStatus()));
      const call = payments.status.retrieve();

      const [data, full] = await Promise.all([call, call.withResponse()]);

      expect(full.data).toBe(data);
      expect(arrivals).toHaveLength(1);
    });
  });

  test("a failure that is awaited in one form is not unhandled in the other", async () => {
    const unhandled: unknown[] = [];
    const collect = (reason: unknown) => unhandled.push(reason);
    process.on("unhandledRejection", collect);
    onTestFinished(() => void process.off("unhandledRejection", collect));
    const { payments } = await startMerchant(text(500, ""), { maxRetries: 0 });

    const errors = [
      await failureOf(payments.transactions.createPix(aPix()).withResponse()),
      await failureOf(payments.transactions.createPix(aPix())),
      await failureOf(payments.sellers.list().withResponse()), // which also checks its length
      await failureOf(payments.transactions.createPix(aPix({ amount: -1 })).withResponse()),
    ];
    await new Promise((resolve) => setTimeout(resolve, 10));

    expect(errors.map(({ code }) => code)).toEqual([...Array(3).fill("server_error"), "invalid_request"]);
    expect(unhandled).toEqual([]);
  });
});
