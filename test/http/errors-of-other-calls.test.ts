import { InvalidRequestError, type PaymentsClientOptions, PaymentsError } from "payments-sdk";
import { memoryStore } from "payments-sdk/idempotency";
import { describe, expect, test } from "vitest";
import { alteredStore, unresolvedIn } from "../client/at-most-once/support/merchant-with-store.ts";
import { closedBaseUrl, json, stall, startServer } from "../support/http-server.ts";
import { aPix, eventsOf, failureOf, merchantAt } from "../support/merchant.ts";
import { created } from "../support/service-responses.ts";

async function errorAt(baseUrl: string): Promise<PaymentsError> {
  return failureOf(merchantAt(baseUrl).payments.transactions.createPix(aPix({ externalRef: "other" })));
}

const createdError = async () => errorAt((await startServer(json(201, { data: { id: 999 } }))).baseUrl);

/** Errors of another call, with each outcome that would be wrong for this call. */
const OTHER_ERRORS: [string, () => Promise<PaymentsError>][] = [
  ["not_sent", async () => errorAt(await closedBaseUrl())],
  ["rejected", async () => errorAt((await startServer(json(400, { success: false }))).baseUrl)],
  ["created", createdError],
];

function expectOwnError(error: PaymentsError, otherError: PaymentsError, outcome: string): void {
  expect(error).not.toBe(otherError);
  expect(error).toMatchObject({ outcome, endpoint: "transactions.create", externalRef: "order-1" });
  expect(error).not.toHaveProperty("transactionId");
  expect(error.cause).not.toBeInstanceOf(PaymentsError);
}

const throwing = (error: unknown) => () => {
  throw error;
};

describe.each(OTHER_ERRORS)("the error of another call (%s)", (_outcome, createOtherError) => {
  test("as the abort reason after sending becomes an AbortedError with outcome unknown", async () => {
    const otherError = await createOtherError();
    const controller = new AbortController();
    const { baseUrl } = await startServer(() => controller.abort(otherError));
    const idempotency = memoryStore();
    const { payments, events } = merchantAt(baseUrl, { idempotency });

    const error = await failureOf(
      payments.transactions.createPix(aPix(), { signal: AbortSignal.any([controller.signal]) }),
    );

    expectOwnError(error, otherError, "unknown");
    expect(error.code).toBe("aborted");
    expect(error.cause).toMatchObject({ name: otherError.name, message: otherError.message });
    expect(eventsOf(events, "error").map((event) => event.error)).toEqual([error]);
    expect(await unresolvedIn(idempotency)).toMatchObject([{ reason: "no_answer" }]);
  });

  test("as the abort reason before sending becomes an AbortedError with outcome not_sent", async () => {
    const otherError = await createOtherError();
    const { baseUrl, arrivals } = await startServer(stall);
    const { payments } = merchantAt(baseUrl);

    const error = await failureOf(
      payments.transactions.createPix(aPix(), { signal: AbortSignal.abort(otherError) }),
    );

    expectOwnError(error, otherError, "not_sent");
    expect(error.code).toBe("aborted");
    expect(arrivals).toHaveLength(0);
  });

  test("thrown by a custom fetch becomes a ConnectionError with outcome unknown", async () => {
    const otherError = await createOtherError();
    const { payments } = merchantAt("https://pay.example", { fetch: () => Promise.reject(otherError) });

    const error = await failureOf(payments.transactions.createPix(aPix()));

    expectOwnError(error, otherError, "unknown");
    expect(error.code).toBe("connection_failed");
    expect(error.message).not.toContain("no one was charged");
  });

  test.each<[string, (fail: () => never) => PaymentsClientOptions]>([
    ["a signer", (sign) => ({ postbackSigner: { sign } })],
    ["a store", (claim) => ({ idempotency: alteredStore({ claim }) })],
  ])("thrown by %s becomes an error of this call with outcome not_sent", async (_what, optionsWith) => {
    const otherError = await createOtherError();
    const { baseUrl, connections } = await startServer(created());
    const { payments } = merchantAt(baseUrl, optionsWith(throwing(otherError) as () => never));

    const params = aPix({ postbackUrl: "https://loja.example/postbacks" });
    const error = await failureOf(payments.transactions.createPix(params));

    expectOwnError(error, otherError, "not_sent");
    expect(connections()).toBe(0);
  });
});

describe("the error of another call that has a transaction id", () => {
  test("leaves the outcome unknown if the response of a custom fetch throws it", async () => {
    const otherError = await createdError();
    const response = Object.defineProperty({ headers: new Headers(), text: async () => "" }, "status", {
      get: throwing(otherError),
    }) as unknown as Response;
    const { payments } = merchantAt("https://pay.example", { fetch: async () => response });

    expectOwnError(await failureOf(payments.transactions.createPix(aPix())), otherError, "unknown");
  });

  test.each<[string, (fail: () => never) => PaymentsClientOptions]>([
    ["a listener", (onEvent) => ({ onEvent })],
    [
      "the warning of a store",
      (get) => ({ idempotency: Object.defineProperty({ ...memoryStore() }, "warning", { get }) }),
    ],
    [
      "the headers of a custom fetch",
      (get) => ({
        fetch: async (url, init) => {
          const response = await fetch(url, init);
          const headers = { get, [Symbol.iterator]: get };
          return { status: response.status, headers, text: () => response.text() } as unknown as Response;
        },
      }),
    ],
  ])("does not hide the result if %s throws it", async (_what, optionsWith) => {
    const { baseUrl } = await startServer(created());
    const options = optionsWith(throwing(await createdError()) as () => never);
    const { payments } = merchantAt(baseUrl, options);

    const { data, response } = await payments.transactions.createPix(aPix()).withResponse();

    expect(data.id).toBe(4021);
    expect(response.requestId).toBeUndefined();
  });
});

test("two create calls that share an AbortController each reject with their own error", async () => {
  const controller = new AbortController();
  const { baseUrl } = await startServer(stall, json(400, { success: false }));
  const { payments } = merchantAt(baseUrl);
  const options = { signal: controller.signal };
  const create = (externalRef: string) =>
    payments.transactions.createPix(aPix({ externalRef }), options).catch((error) => {
      controller.abort(error);
      throw error;
    });

  const [first, second] = await Promise.all([failureOf(create("a")), failureOf(create("b"))]);

  expect([first.externalRef, second.externalRef]).toEqual(["a", "b"]);
  expect([first.outcome, second.outcome].sort()).toEqual(["rejected", "unknown"]);
});

test("the error of another call does not become the error of a read call", async () => {
  const otherError = await createdError();
  const { payments } = merchantAt("https://pay.example", {
    maxRetries: 0,
    fetch: () => Promise.reject(otherError),
  });

  const error = await failureOf(payments.company.retrieve());

  expect(error).toMatchObject({ code: "connection_failed", outcome: "not_applicable" });
});

test("an abort is an AbortedError, even if its reason cannot be read", async () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const { payments } = merchantAt("https://pay.example", { idempotency: memoryStore() });

  const error = await failureOf(
    payments.transactions.createPix(aPix(), { signal: AbortSignal.abort(proxy) }),
  );

  expect(error).toMatchObject({ code: "aborted", outcome: "not_sent" });
});

test("the issues of another call's error do not leak through a signer", async () => {
  const otherError = new InvalidRequestError(
    [{ field: "postbackUrl", message: "sk_test_SECRET1 and https://loja.example/p are wrong" }],
    { outcome: "not_sent" },
  );
  const { payments } = merchantAt("https://pay.example", {
    postbackSigner: { sign: () => Promise.reject(otherError) },
  });

  const error = await failureOf(
    payments.transactions.createPix(aPix({ postbackUrl: "https://loja.example/p" })),
  );

  expect(error).toMatchObject({ code: "invalid_request", outcome: "not_sent", externalRef: "order-1" });
  expect(JSON.stringify(error)).not.toMatch(/SECRET1|loja\.example\/p/);
});
