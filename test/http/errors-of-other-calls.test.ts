import { InvalidRequestError, type PaymentsClientOptions, type PaymentsError } from "payments-sdk";
import { memoryStore } from "payments-sdk/idempotency";
import { describe, expect, test } from "vitest";
import { json, startServer } from "../support/http-server.ts";
import { aPix, failureOf, merchantAt } from "../support/merchant.ts";
import { created } from "../support/service-responses.ts";
import { startMerchant } from "../support/start-merchant.ts";

/** An error that would be wrong for every other call. The truth test throws those of each outcome at random. */
async function createdError(): Promise<PaymentsError> {
  const { baseUrl } = await startServer(json(201, { data: { id: 999 } }));
  return failureOf(merchantAt(baseUrl).payments.transactions.createPix(aPix({ externalRef: "other" })));
}

const throwing = (error: unknown) => () => {
  throw error;
};

describe("the error of another call that has a transaction id", () => {
  test("leaves the outcome unknown if the response of a custom fetch throws it", async () => {
    const otherError = await createdError();
    const response = Object.defineProperty({ headers: new Headers(), text: async () => "" }, "status", {
      get: throwing(otherError),
    }) as unknown as Response;
    const { payments } = merchantAt("https://pay.example", { fetch: async () => response });

    const error = await failureOf(payments.transactions.createPix(aPix()));

    expect(error).not.toBe(otherError);
    expect(error).toMatchObject({ outcome: "unknown", externalRef: "order-1" });
    expect(error).not.toHaveProperty("transactionId");
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
    const options = optionsWith(throwing(await createdError()) as () => never);
    const { payments } = await startMerchant(created(), options);

    const { data, response } = await payments.transactions.createPix(aPix()).withResponse();

    expect(data.id).toBe(4021);
    expect(response.requestId).toBeUndefined();
  });
});

test("the error of another call does not become the error of a read or a create call", async () => {
  const otherError = await createdError();
  const fetch = () => Promise.reject(otherError);
  const { payments } = merchantAt("https://pay.example", { maxRetries: 0, fetch });

  const read = await failureOf(payments.company.retrieve());
  const create = await failureOf(payments.transactions.createPix(aPix()));

  expect(read).toMatchObject({ code: "connection_failed", outcome: "not_applicable" });
  expect(create).toMatchObject({ code: "connection_failed", outcome: "unknown" });
  expect(otherError.message).toContain("The transaction exists");
  expect(create.message).not.toContain("The transaction exists");
});

test("an abort is an AbortedError, even if its reason cannot be read", async () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const { payments } = merchantAt("https://pay.example", { idempotency: memoryStore() });
  const signal = AbortSignal.abort(proxy);

  const error = await failureOf(payments.transactions.createPix(aPix(), { signal }));

  expect(error).toMatchObject({ code: "aborted", outcome: "not_sent" });
});

test("the issues of another call's error do not leak through a signer", async () => {
  const otherError = new InvalidRequestError(
    [{ field: "postbackUrl", message: "sk_test_SECRET1 and https://loja.example/p are wrong" }],
    { outcome: "not_sent" },
  );
  const postbackSigner = { sign: () => Promise.reject(otherError) };
  const { payments } = merchantAt("https://pay.example", { postbackSigner });

  const error = await failureOf(
    payments.transactions.createPix(aPix({ postbackUrl: "https://loja.example/p" })),
  );

  expect(error).toMatchObject({ code: "invalid_request", outcome: "not_sent", externalRef: "order-1" });
  expect(JSON.stringify(error)).not.toMatch(/SECRET1|loja\.example\/p/);
});
