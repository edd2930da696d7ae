import { describe, expect, test } from "vitest";
import { aPix, failureOf, merchantAt } from "../support/merchant.ts";

const BROKEN = { name: "ConnectionError", code: "connection_failed", actor: "network" };

/** What Node's fetch rejects with. */
const fetchFailed = (cause: object) =>
  new TypeError("fetch failed", { cause: Object.assign(new Error("at socket"), cause) });

const failureWith = (thrown: unknown, baseUrl = "https://pay.example") =>
  failureOf(
    merchantAt(baseUrl, { fetch: () => Promise.reject(thrown) }).payments.transactions.createPix(aPix()),
  );

describe("a failure of a custom fetch proves nothing: the outcome is unknown, and the message contains the reason", () => {
  const CONNECT = { syscall: "connect" };

  test.each<[string, object, string]>([
    ["ECONNREFUSED", {}, "the connection was refused"],
    ["ENOTFOUND", {}, "the host name was not found"],
    ["EAI_AGAIN", {}, "the host name could not be looked up"],
    ["EHOSTUNREACH", CONNECT, "the host cannot be reached"],
    ["EHOSTUNREACH", { syscall: "read" }, "it was closed"], // on an established connection
    ["ENETUNREACH", CONNECT, "the network cannot be reached"],
    ["UND_ERR_CONNECT_TIMEOUT", {}, "connecting took too long"],
    ["ETIMEDOUT", CONNECT, "connecting took too long"],
    ["ETIMEDOUT", {}, "it was closed"],
    // Node tries each address of a host name, and reports all failures together.
    ["ETIMEDOUT", { errors: [CONNECT, CONNECT] }, "connecting took too long"],
    ["ETIMEDOUT", { errors: [CONNECT, null] }, "it was closed"],
    ["CERT_HAS_EXPIRED", {}, "the certificate was not accepted"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", {}, "the certificate was not accepted"],
    ["HOSTNAME_MISMATCH", {}, "the certificate was not accepted"],
    ["X_DEPTH_ZERO_SELF_SIGNED_CERT", {}, "it was closed"],
    ["ECONNRESET", {}, "it was closed"],
    ["Z_DATA_ERROR", {}, "the body of the response could not be decompressed"],
    ["ERR__ERROR_FORMAT_PADDING_2", {}, "the body of the response could not be decompressed"],
    ["ZSTD_error_prefix_unknown", {}, "the body of the response could not be decompressed"],
    ["ERR_BROTLI_INVALID_PARAM", {}, "the body of the response could not be decompressed"],
  ])("%s %j: %s", async (code, details, reason) => {
    const error = await failureWith(fetchFailed({ code, ...details }));

    expect(error).toMatchObject({ ...BROKEN, outcome: "unknown" });
    expect(error.message).toContain(`${reason} (${code})`);
  });

  const withCode = (error: Error, code: string) => Object.assign(error, { code });
  const around = (code: string) => new Error("outer", { cause: { code } });

  test.each<[string, unknown, string]>([
    ["an error without a code", new TypeError("Load failed"), "there was no response (Load failed)"],
    ["an error without a message", new Error(), "there was no response."],
    ["a long message", new Error("m".repeat(500)), `there was no response (${"m".repeat(120)})`],
    ["an invalid code", withCode(new Error("odd"), "not a code"), "there was no response (odd)"],
    ["the name of a property as a code", fetchFailed({ code: "constructor" }), "there was no response"],
    ["two unknown codes", withCode(around("INNER"), "OUTER"), "it was closed (INNER)"],
    [
      "a known code outside",
      withCode(around("OTHER"), "ENOTFOUND"),
      "the host name was not found (ENOTFOUND)",
    ],
    ["undefined", undefined, "there was no response"],
    ["an object", { message: "m" }, "there was no response"],
    ["a getter that throws", Object.defineProperty({}, "message", { get: () => JSON.parse("{") }), ""],
    ["a message that is not a string", { message: Object.create(null) }, ""],
    ["a proxy that throws", new Proxy({}, { get: () => JSON.parse("{") }), ""],
  ])("%s", async (_what, thrown, reason) => {
    const error = await failureWith(thrown);

    expect(error).toMatchObject({ ...BROKEN, outcome: "unknown" });
    expect(error.message).toContain(reason);
  });

  test.each<[string, () => unknown]>([
    ["throws synchronously", () => JSON.parse("{")],
    ["returns undefined", () => undefined],
    ["resolves with something other than a response", () => Promise.resolve({ status: 201 })],
  ])("a fetch that %s leaves the outcome unknown", async (_what, fetch) => {
    const { payments } = merchantAt("https://pay.example", { fetch: fetch as () => Promise<Response> });

    expect(await failureOf(payments.transactions.createPix(aPix()))).toMatchObject({
      ...BROKEN,
      outcome: "unknown",
    });
  });
});

describe("the message names host and port of the base URL, and asks for the sandbox if this machine refused", () => {
  const REFUSED = "the connection was refused (ECONNREFUSED).";
  const HINT = "Is the sandbox running? Start it with `npx payments sandbox`.";

  test.each([
    ["http://localhost:4010", "ECONNREFUSED", `the service at localhost:4010 failed: ${REFUSED} ${HINT}`],
    ["http://[::1]:4010", "ECONNREFUSED", `the service at [::1]:4010 failed: ${REFUSED} ${HINT}`],
    ["http://127.0.0.1:1", "ECONNRESET", "the service at 127.0.0.1:1 failed: it was closed (ECONNRESET)."],
    ["https://pay.example/tenant", "ECONNREFUSED", `the service at pay.example failed: ${REFUSED}`],
    ["https://sk_live_1.pay.example", "ECONNREFUSED", `the service at [redacted] failed: ${REFUSED}`],
  ])("%s, %s", async (baseUrl, code, message) => {
    const error = await failureWith(fetchFailed({ code }), baseUrl);

    expect(error.message).toContain(`The connection to ${message} It is not known`);
  });
});

const causesOf = (error: Error): Error[] =>
  error.cause instanceof Error ? [error.cause, ...causesOf(error.cause)] : [];

test("the cause contains name, message and code of each failure, and nothing else", async () => {
  const failure = fetchFailed({ code: "ECONNRESET", request: { headers: { authorization: "x" } } });

  const causes = causesOf(await failureWith(failure));

  expect(causes.slice(-2)).toMatchObject([
    { name: "TypeError", message: "fetch failed", stack: "TypeError: fetch failed" },
    { name: "Error", message: "at socket", code: "ECONNRESET" },
  ]);
  expect(causes).not.toContain(failure);
  for (const cause of causes) expect(cause).not.toHaveProperty("request");
});

test("causes are followed to a limited depth", async () => {
  const failure: Error & { cause?: unknown } = new Error("again");
  failure.cause = failure;
  expect(causesOf(await failureWith(failure))).toHaveLength(4);
});
