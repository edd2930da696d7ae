import { describe, expect, onTestFinished, test } from "vitest";
import { json, startServer, text } from "../support/http-server.ts";
import { aCard, aPix, failureOf } from "../support/merchant.ts";
import { aPixData, aStatus, envelope, healthy } from "../support/service-answers.ts";
import { TRANSPORTS } from "../support/transports.ts";

/** Collects rejections that nobody handled, for as long as the test runs. */
function watchRejections(): () => Promise<unknown[]> {
  const unhandled: unknown[] = [];
  const collect = (reason: unknown) => unhandled.push(reason);
  process.on("unhandledRejection", collect);
  onTestFinished(() => void process.off("unhandledRejection", collect));
  return async () => {
    await new Promise((resolve) => setTimeout(resolve, 10));
    return unhandled;
  };
}

describe.each(TRANSPORTS)("over $name", ({ merchantAt }) => {
  describe("withResponse gives the answer that carried the result", () => {
    test("of a create", async () => {
      const reply = json(201, envelope(aPixData()), { "x-request-id": "req-1", "x-region": "gru" });
      const { baseUrl } = await startServer(reply);
      const { payments } = merchantAt(baseUrl);

      const { data, response } = await payments.transactions.createPix(aPix()).withResponse();

      expect(data).toMatchObject({ id: 4021, status: "pending" });
      expect(response).toMatchObject({ status: 201, requestId: "req-1", replayed: false });
      expect(response.headers.get("x-region")).toBe("gru");
      expect(response.durationMs).toBeGreaterThan(0);
      expect(response.durationMs).toBeLessThan(5_000);
    });

    test("as plain data, though it is read from the answer only when it is asked for", async () => {
      const { baseUrl } = await startServer(json(200, aStatus(), { "x-request-id": "req-1" }));
      const { payments } = merchantAt(baseUrl);

      const full = await payments.status.retrieve().withResponse();

      expect(full).toStrictEqual({
        data: expect.objectContaining({ version: "1.4.2" }),
        response: {
          status: 200,
          headers: expect.any(Headers),
          requestId: "req-1",
          durationMs: expect.any(Number),
          replayed: false,
        },
      });
    });

    test("of a token", async () => {
      const { baseUrl } = await startServer(text(200, "tok_1"));
      const { payments } = merchantAt(baseUrl);

      const { data, response } = await payments.cardTokens.create(aCard()).withResponse();

      expect(data.value).toBe("tok_1");
      expect(response.status).toBe(200);
      expect(response.requestId).toBeUndefined();
    });

    test("the duration holds all attempts", async () => {
      const { baseUrl } = await startServer(text(503, "", { "retry-after": "0.1" }), healthy);
      const { payments } = merchantAt(baseUrl);

      const { response } = await payments.status.retrieve().withResponse();

      expect(response.durationMs).toBeGreaterThan(90);
    });

    test("the same result as the promise itself, from one request", async () => {
      const { baseUrl, arrivals } = await startServer(json(200, aStatus()));
      const { payments } = merchantAt(baseUrl);
      const call = payments.status.retrieve();

      const [data, full] = await Promise.all([call, call.withResponse()]);

      expect(full.data).toBe(data);
      expect(arrivals).toHaveLength(1);
    });
  });

  describe("a failure that is awaited in one way is not unhandled in the other", () => {
    test("only withResponse", async () => {
      const unhandled = watchRejections();
      const { baseUrl } = await startServer(text(500, ""));
      const { payments } = merchantAt(baseUrl);

      const error = await failureOf(payments.transactions.createPix(aPix()).withResponse());

      expect(error.code).toBe("server_error");
      expect(await unhandled()).toEqual([]);
    });

    test("only the promise", async () => {
      const unhandled = watchRejections();
      const { baseUrl } = await startServer(text(500, ""));
      const { payments } = merchantAt(baseUrl);

      const error = await failureOf(payments.transactions.createPix(aPix()));

      expect(error.code).toBe("server_error");
      expect(await unhandled()).toEqual([]);
    });

    test("a list of sellers, whose length is looked at as well", async () => {
      const unhandled = watchRejections();
      const { baseUrl } = await startServer(text(404, ""));
      const { payments } = merchantAt(baseUrl);

      const error = await failureOf(payments.sellers.list().withResponse());

      expect(error.code).toBe("not_found");
      expect(await unhandled()).toEqual([]);
    });

    test("a failure before sending", async () => {
      const unhandled = watchRejections();
      const { payments } = merchantAt("https://pay.example");

      const error = await failureOf(payments.transactions.createPix(aPix({ amount: -1 })).withResponse());

      expect(error.code).toBe("invalid_request");
      expect(await unhandled()).toEqual([]);
    });
  });

  test("a derived promise is a plain one: what then returns has no answer of its own", async () => {
    const { baseUrl } = await startServer(healthy);
    const { payments } = merchantAt(baseUrl);

    const derived = payments.status.retrieve().then(({ version }) => version);

    expect(derived).not.toHaveProperty("withResponse");
    expect(derived).toBeInstanceOf(Promise);
    expect(await derived).toBe("1.4.2");
  });
});
