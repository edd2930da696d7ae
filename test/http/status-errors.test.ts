import {
  ApiError,
  AuthenticationError,
  NotFoundError,
  type PaymentsClient,
  RateLimitError,
  RedirectError,
  ServerError,
  ValidationError,
} from "payments-sdk";
import { describe, expect, test } from "vitest";
import { html, json } from "../support/http-server.ts";
import { aCard, aPix, failureOf } from "../support/merchant.ts";
import { startMerchant } from "../support/start-merchant.ts";

const ADVICE = {
  keys: "The secret key (sk_) is the user name and the public key (pk_) the password",
  baseUrl: "Check `baseUrl`, which must not contain /api/v1.",
  moved: "Set `baseUrl` to the final address",
  notOurs: "Check `baseUrl`: this is not a response to the call",
};

/** Status, class, code, outcome of a create call, actor, and the next step in the message. */
const ROWS = [
  [300, RedirectError, "redirected", "unknown", "merchant", ADVICE.notOurs],
  [301, RedirectError, "redirected", "rejected", "merchant", ADVICE.moved],
  [302, RedirectError, "redirected", "unknown", "merchant"],
  [304, RedirectError, "redirected", "unknown", "merchant", ADVICE.notOurs],
  [307, RedirectError, "redirected", "rejected", "merchant"],
  [308, RedirectError, "redirected", "rejected", "merchant", ADVICE.moved],
  [400, ValidationError, "validation_failed", "rejected", "merchant", "No one was charged"],
  [401, AuthenticationError, "authentication_failed", "rejected", "merchant", ADVICE.keys],
  [402, ApiError, "api_error", "unknown", "merchant"],
  [403, ApiError, "api_error", "rejected", "merchant"],
  [404, NotFoundError, "not_found", "rejected", "merchant", ADVICE.baseUrl],
  [405, ApiError, "api_error", "rejected", "merchant"],
  [408, ServerError, "server_error", "unknown", "service"], // treated as a 5xx
  [409, ApiError, "api_error", "unknown", "merchant"],
  [411, ApiError, "api_error", "rejected", "merchant"], // Length Required is sent before the body is read
  [413, ApiError, "api_error", "rejected", "merchant"],
  [415, ApiError, "api_error", "rejected", "merchant"],
  [422, ValidationError, "validation_failed", "rejected", "merchant"],
  [429, RateLimitError, "rate_limited", "rejected", "service"],
  [499, ApiError, "api_error", "unknown", "merchant"],
  [500, ServerError, "server_error", "unknown", "service", "do not send it again"],
  [503, ServerError, "server_error", "unknown", "service"],
  [599, ServerError, "server_error", "unknown", "service"],
] as const;

test.each(ROWS)("a create call with a %i response throws %o", async (...row) => {
  const [status, type, code, outcome, actor, advice = ""] = row;
  const { payments, arrivals } = await startMerchant(json(status, { success: false, message: "No" }));

  const error = await failureOf(payments.transactions.createPix(aPix()));

  expect(error).toBeInstanceOf(type);
  expect(error.message).toContain(advice);
  expect(error).toMatchObject({ name: type.name, code, outcome, actor, status });
  expect(error).toMatchObject({ endpoint: "transactions.create", externalRef: "order-1" });
  expect(arrivals).toHaveLength(1);
});

describe("the response is kept in the error", () => {
  test("its body as text, its headers and the request id", async () => {
    const headers = { "x-request-id": "req-77", "x-region": "gru" };
    const { payments } = await startMerchant(json(500, { success: false, message: "No" }, headers));

    const error = await failureOf(payments.transactions.createPix(aPix()));

    expect(error).toMatchObject({ body: '{"success":false,"message":"No"}', requestId: "req-77" });
    expect((error as ApiError).headers.get("x-region")).toBe("gru");
    expect(error.toJSON()).toStrictEqual({
      ...{ name: "ServerError", code: "server_error", message: error.message, actor: "service" },
      ...{ outcome: "unknown", mayHaveCharged: true, endpoint: "transactions.create" },
      ...{ externalRef: "order-1", status: 500, requestId: "req-77" },
    });
  });

  test("the HTML page of a proxy unchanged, and not in the message", async () => {
    const page = "<!DOCTYPE html><title>Attention Required! | Cloudflare</title>";
    const { payments } = await startMerchant(html(403, page));

    const error = await failureOf(payments.transactions.createPix(aPix()));

    expect(error).toMatchObject({ status: 403, outcome: "rejected", body: page });
    expect(error.message).not.toContain("<");
  });
});

describe("the message names the settings of the call", () => {
  const NO_KEY = "This call sends no key, yet the response is 401: check the base URL";
  const REFUNDS = { method: "GET", path: "/refunds" } as const;
  const NO_SELLERS_KEY = `${NO_KEY}, or set \`sellersAuth\` to "basic".`;

  test.each<[number, string, (payments: PaymentsClient) => PromiseLike<unknown>, string]>([
    [401, "a tokenization", ({ cardTokens }) => cardTokens.create(aCard()), "Check that publicKey belongs"],
    [401, "the status", ({ status }) => status.retrieve(), `${NO_KEY}.`],
    [401, "the sellers without a key", ({ sellers }) => sellers.list(), NO_SELLERS_KEY],
    [401, "their revenue without a key", ({ sellers }) => sellers.revenue(), NO_SELLERS_KEY],
    [404, "the sellers", ({ sellers }) => sellers.revenue(), "sellersPath"],
    [
      404,
      "an unknown endpoint",
      (payments) => payments.request(REFUNDS),
      "Check `path` and `baseUrl`, which",
    ],
  ])("%i of %s names the settings of that call", async (status, _what, call, advice) => {
    const { payments } = await startMerchant(json(status, {}), { sellersAuth: "none" });

    const { message } = await failureOf(call(payments));

    expect(message).toContain(advice);
    expect(message).not.toMatch(/charged|Basic/);
  });
});
