import {
  InvalidRequestError,
  type PaymentsClientOptions,
  PaymentsError,
  UnexpectedResponseError,
} from "payments-sdk";
import { memoryStore } from "payments-sdk/idempotency";
import { describe, expect, test } from "vitest";
import { alteredStore, unresolvedIn } from "../client/at-most-once/support/guarded.ts";
import { closedBaseUrl, json, stall, startServer } from "../support/http-server.ts";
import { aPix, eventsOf, failureOf, merchantAt } from "../support/merchant.ts";
import { created } from "../support/service-answers.ts";
import { TRANSPORTS } from "../support/transports.ts";

/** Errors of another call, with each outcome that could do harm here. */
const FOREIGN: readonly (readonly [string, () => Promise<PaymentsError>])[] = [
  [
    "not_sent",
    async () => {
      const { payments } = merchantAt(await closedBaseUrl());
      return failureOf(payments.transactions.createPix(aPix({ externalRef: "other" })));
    },
  ],
  [
    "rejected",
    async () => {
      const { payments } = merchantAt((await startServer(json(400, { success: false }))).baseUrl);
      return failureOf(payments.transactions.createPix(aPix({ externalRef: "other" })));
    },
  ],
  [
    "created",
    async () => {
      const { payments } = merchantAt((await startServer(json(201, { data: { id: 999 } }))).baseUrl);
      return failureOf(payments.transactions.createPix(aPix({ externalRef: "other" })));
    },
  ],
];

function expectOwn(error: PaymentsError, foreign: PaymentsError, outcome: string): void {
  expect(error).not.toBe(foreign);
  expect(error).toMatchObject({ outcome, endpoint: "transactions.create", externalRef: "order-1" });
  expect(error).not.toHaveProperty("transactionId");
  expect(error.cause).not.toBeInstanceOf(PaymentsError);
}

describe.each(TRANSPORTS)("over $name", ({ merchantAt }) => {
  describe.each(FOREIGN)("an abort whose reason is another call's error (%s)", (_outcome, makeForeign) => {
    test("after sending, is an AbortedError of this call: unknown", async () => {
      const foreign = await makeForeign();
      const controller = new AbortController();
      const { baseUrl } = await startServer(() => setTimeout(() => controller.abort(foreign), 20));
      const { payments, events } = merchantAt(baseUrl);

      const error = await failureOf(
        payments.transactions.createPix(aPix(), { signal: AbortSignal.any([controller.signal]) }),
      );

      expectOwn(error, foreign, "unknown");
      expect(error.code).toBe("aborted");
      expect(error.cause).toMatchObject({ name: foreign.name, message: foreign.message });
      expect(eventsOf(events, "error").map((event) => event.error)).toEqual([error]);
    });

    test("before sending, is an AbortedError of this call: not_sent", async () => {
      const foreign = await makeForeign();
      const { baseUrl, arrivals } = await startServer(stall);
      const { payments } = merchantAt(baseUrl);

      const error = await failureOf(
        payments.transactions.createPix(aPix(), { signal: AbortSignal.abort(foreign) }),
      );

      expectOwn(error, foreign, "not_sent");
      expect(error.code).toBe("aborted");
      expect(arrivals).toHaveLength(0);
    });

    test("by a listener at the last moment, is an AbortedError of this call: not_sent", async () => {
      const foreign = await makeForeign();
      const controller = new AbortController();
      const { baseUrl, connections } = await startServer(stall);
      const { payments } = merchantAt(baseUrl, {
        onEvent: ({ type }) => type === "request" && controller.abort(foreign),
      });

      const error = await failureOf(payments.transactions.createPix(aPix(), { signal: controller.signal }));

      expectOwn(error, foreign, "not_sent");
      expect(connections()).toBe(0);
    });

    test("with a store, leaves the order unresolved", async () => {
      const foreign = await makeForeign();
      const controller = new AbortController();
      const { baseUrl } = await startServer(() => setTimeout(() => controller.abort(foreign), 20));
      const store = memoryStore();
      const { payments } = merchantAt(baseUrl, { idempotency: store });

      await failureOf(payments.transactions.createPix(aPix(), { signal: controller.signal }));

      expect(await unresolvedIn(store)).toMatchObject([{ externalRef: "order-1", reason: "no_answer" }]);
    });
  });

  test("of two creates that share a controller, each ends with its own error", async () => {
    const controller = new AbortController();
    const { baseUrl } = await startServer(stall, json(400, { success: false }));
    const { payments } = merchantAt(baseUrl);
    const options = { signal: controller.signal };

    const [first, second] = await Promise.all(
      ["a", "b"].map((externalRef) =>
        failureOf(
          payments.transactions.createPix(aPix({ externalRef }), options).catch((error) => {
            controller.abort(error);
            throw error;
          }),
        ),
      ),
    );

    expect([first?.externalRef, second?.externalRef]).toEqual(["a", "b"]);
    expect([first?.outcome, second?.outcome].sort()).toEqual(["rejected", "unknown"]);
  });
});

describe.each(FOREIGN)(
  "another call's error (%s), thrown by what the merchant passed in",
  (_, makeForeign) => {
    test("a custom fetch: unknown", async () => {
      const foreign = await makeForeign();
      const { payments } = merchantAt("https://pay.example", { fetch: () => Promise.reject(foreign) });

      const error = await failureOf(payments.transactions.createPix(aPix()));

      expectOwn(error, foreign, "unknown");
      expect(error.code).toBe("connection_failed");
    });

    test("the response of a custom fetch: unknown", async () => {
      const foreign = await makeForeign();
      const response = {
        get status(): number {
          throw foreign;
        },
        headers: new Headers(),
        text: async () => "",
      } as unknown as Response;
      const { payments } = merchantAt("https://pay.example", { fetch: async () => response });

      expectOwn(await failureOf(payments.transactions.createPix(aPix())), foreign, "unknown");
    });

    test("headers of a custom fetch: the transaction is there all the same", async () => {
      const foreign = await makeForeign();
      const headers = {
        get: () => {
          throw foreign;
        },
        [Symbol.iterator]: () => {
          throw foreign;
        },
      };
      const text = async () => '{"data":{"id":7,"pix":{"qrcodeText":"00020101"}}}';
      const fetch = async () => ({ status: 201, headers, text }) as unknown as Response;
      const { payments } = merchantAt("https://pay.example", { fetch });

      const { data, response } = await payments.transactions.createPix(aPix()).withResponse();

      expect(data.id).toBe(7);
      expect(response.requestId).toBeUndefined();
    });

    test("a listener: the result is there all the same", async () => {
      const foreign = await makeForeign();
      const { baseUrl } = await startServer(created());
      const { payments } = merchantAt(baseUrl, {
        onEvent: () => {
          throw foreign;
        },
      });

      expect(await payments.transactions.createPix(aPix())).toMatchObject({ id: 4021 });
    });

    test.each<[string, (fail: () => never) => PaymentsClientOptions]>([
      ["a signer", (sign) => ({ postbackSigner: { sign } })],
      ["a store", (claim) => ({ idempotency: alteredStore({ claim }) })],
    ])("%s: not_sent", async (_what, optionsWith) => {
      const foreign = await makeForeign();
      const { baseUrl, connections } = await startServer(created());
      const { payments } = merchantAt(
        baseUrl,
        optionsWith(() => {
          throw foreign;
        }),
      );

      const params = aPix({ postbackUrl: "https://loja.example/postbacks" });
      const error = await failureOf(payments.transactions.createPix(params));

      expectOwn(error, foreign, "not_sent");
      expect(connections()).toBe(0);
    });

    test("the warning of a store: the result is there all the same", async () => {
      const foreign = await makeForeign();
      const { baseUrl } = await startServer(created());
      const get = () => {
        throw foreign;
      };
      const idempotency = Object.defineProperty({ ...memoryStore() }, "warning", { get });
      const { payments } = merchantAt(baseUrl, { idempotency });

      expect(await payments.transactions.createPix(aPix())).toMatchObject({ id: 4021 });
    });

    test("a getter of the options: not_sent", async () => {
      const foreign = await makeForeign();
      const { baseUrl, connections } = await startServer(created());
      const { payments } = merchantAt(baseUrl);
      const options = {
        get timeout(): number {
          throw foreign;
        },
      };

      const error = await failureOf(payments.transactions.createPix(aPix(), options));

      expect(error).not.toBe(foreign);
      expect(error).toMatchObject({ code: "invalid_request", outcome: "not_sent" });
      expect(connections()).toBe(0);
    });

    test("a store, when the end is recorded: the result is there all the same", async () => {
      const foreign = await makeForeign();
      const { baseUrl } = await startServer(created());
      const idempotency = alteredStore({ end: () => Promise.reject(foreign) });
      const { payments, events } = merchantAt(baseUrl, { idempotency });

      expect(await payments.transactions.createPix(aPix())).toMatchObject({ id: 4021 });
      expect(eventsOf(events, "error")[0]?.error).toMatchObject({
        code: "idempotency_store_failed",
        outcome: "created",
      });
    });
  },
);

test("the cause of an abort names its reason, and does not repeat its message", async () => {
  const { payments } = merchantAt("https://pay.example");
  const reason = new DOMException("4111 1111 1111 1111 was typed", "TimeoutError");

  const error = await failureOf(
    payments.transactions.createPix(aPix(), { signal: AbortSignal.abort(reason) }),
  );

  expect(error.cause).toMatchObject({ name: "TimeoutError", message: "" });
});

test("an error of another call says nothing to a read either", async () => {
  const foreign = new UnexpectedResponseError(
    { status: 201, headers: new Headers(), body: "" },
    { issues: [], transactionId: 999 },
    { outcome: "created" },
  );
  const { payments } = merchantAt("https://pay.example", {
    maxRetries: 0,
    fetch: () => Promise.reject(foreign),
  });

  const error = await failureOf(payments.company.retrieve());

  expect(error).toMatchObject({ code: "connection_failed", outcome: "not_applicable" });
});

test("an abort is an AbortedError, even if its reason cannot be looked at", async () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const { payments } = merchantAt("https://pay.example", { idempotency: memoryStore() });

  const error = await failureOf(
    payments.transactions.createPix(aPix(), { signal: AbortSignal.abort(proxy) }),
  );

  expect(error).toMatchObject({ code: "aborted", outcome: "not_sent" });
});

test("what another call's error knows does not come out through a signer", async () => {
  const foreign = new InvalidRequestError(
    [{ field: "postbackUrl", message: "sk_test_SECRET1 and https://loja.example/p are wrong" }],
    { outcome: "not_sent" },
  );
  const { payments } = merchantAt("https://pay.example", {
    postbackSigner: { sign: () => Promise.reject(foreign) },
    postbackUrl: "https://loja.example/p",
  });

  const error = await failureOf(payments.transactions.createPix(aPix()));

  expect(error).toMatchObject({ code: "invalid_request", outcome: "not_sent", externalRef: "order-1" });
  expect(JSON.stringify(error)).not.toMatch(/SECRET1|loja\.example\/p/);
});
