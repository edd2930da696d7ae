import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { ConfigurationError } from "payments-sdk";
import { describe, expect, onTestFinished, test } from "vitest";
import { closedBaseUrl, resetAfterReading, startServer } from "../support/http-server.ts";
import { aPix, failureOf, merchantAt } from "../support/merchant.ts";
import { SELF_SIGNED } from "../support/self-signed.ts";
import { TRANSPORTS } from "../support/transports.ts";

const BROKEN = { name: "ConnectionError", code: "connection_failed", actor: "network" };

async function startSelfSigned(): Promise<{ baseUrl: string; arrivals: () => number }> {
  let arrivals = 0;
  const server = createServer(SELF_SIGNED, (_request, response) => {
    arrivals += 1;
    response.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `https://127.0.0.1:${port}`, arrivals: () => arrivals };
}

describe.each(TRANSPORTS)("over $name it is proven that a create never left", ({ merchantAt }) => {
  test("where the connection was refused", async () => {
    const { payments } = merchantAt(await closedBaseUrl());

    const error = await failureOf(payments.transactions.createPix(aPix()));

    expect(error).toMatchObject({ ...BROKEN, outcome: "not_sent", externalRef: "order-1" });
    expect(error.message).toContain("the connection was refused (ECONNREFUSED)");
    expect(error.message).toContain("nobody was charged");
  });

  test("where the host name does not exist", async () => {
    const { payments } = merchantAt("http://nowhere.invalid", { allowInsecureHttp: true });

    const error = await failureOf(payments.transactions.createPix(aPix()));

    expect(error).toMatchObject({ ...BROKEN, outcome: "not_sent" });
    expect(error.message).toMatch(/the host name (was not found|could not be looked up)/);
  }, 30_000); // a resolver may take its time

  test("where the certificate is nobody's", async () => {
    const { baseUrl, arrivals } = await startSelfSigned();
    const { payments } = merchantAt(baseUrl);

    const error = await failureOf(payments.transactions.createPix(aPix()));

    expect(error).toMatchObject({ ...BROKEN, outcome: "not_sent" });
    expect(error.message).toContain("the certificate was not accepted (DEPTH_ZERO_SELF_SIGNED_CERT)");
    expect(arrivals()).toBe(0);
  });

  test("but not where it broke off later", async () => {
    const { baseUrl } = await startServer(resetAfterReading);
    const { payments } = merchantAt(baseUrl);

    const error = await failureOf(payments.transactions.createPix(aPix()));

    expect(error).toMatchObject({ ...BROKEN, outcome: "unknown" });
    expect(error.message).toMatch(/it broke off \((ECONNRESET|UND_ERR_SOCKET)\)/);
  });
});

/** What Node's fetch rejects with. */
function fetchFailed(code: string, syscall?: string): Error {
  return new TypeError("fetch failed", {
    cause: Object.assign(new Error(`${code} at socket`), { code, syscall }),
  });
}

describe("with a caller's fetch nothing is proven", () => {
  test.each([
    ["ECONNREFUSED", "the connection was refused"],
    ["ENOTFOUND", "the host name was not found"],
    ["EAI_AGAIN", "the host name could not be looked up"],
    ["EHOSTUNREACH", "the host cannot be reached"],
    ["ENETUNREACH", "the network cannot be reached"],
    ["UND_ERR_CONNECT_TIMEOUT", "connecting took too long"],
    ["ETIMEDOUT", "connecting took too long"],
    ["CERT_HAS_EXPIRED", "the certificate was not accepted"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "the certificate was not accepted"],
    ["SELF_SIGNED_CERT_IN_CHAIN", "the certificate was not accepted"],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "the certificate was not accepted"],
    ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "the certificate was not accepted"],
    ["ECONNRESET", "it broke off"],
    ["EPIPE", "it broke off"],
  ])("%s: the create is unknown, the reason the same", async (code, reason) => {
    const fetch = () => Promise.reject(fetchFailed(code, "connect"));
    const { payments } = merchantAt("https://pay.example", { fetch });

    const error = await failureOf(payments.transactions.createPix(aPix()));

    expect(error).toMatchObject({ ...BROKEN, outcome: "unknown" });
    expect(error.message).toContain(`${reason} (${code})`);
  });

  test.each<[string, unknown, string]>([
    ["an error without a code", new TypeError("Load failed"), "no answer came (Load failed)"],
    ["an error with a cause", new Error("outer", { cause: new Error("inner") }), "no answer came (inner)"],
    ["an error without a word", new Error(), "no answer came."],
    ["a code that is none", Object.assign(new Error("odd"), { code: "not a code" }), "no answer came (odd)"],
    ["a code that is a number", Object.assign(new Error("odd"), { code: 7 }), "no answer came (odd)"],
    ["a text", "boom", "no answer came"],
    ["nothing", undefined, "no answer came"],
    ["null", null, "no answer came"],
    ["an object", { message: "m" }, "no answer came"],
  ])("whatever it throws becomes a ConnectionError: %s", async (_what, thrown, reason) => {
    const fetch = () => Promise.reject(thrown);
    const { payments } = merchantAt("https://pay.example", { fetch });

    const error = await failureOf(payments.transactions.createPix(aPix()));

    expect(error).toMatchObject({ ...BROKEN, outcome: "unknown" });
    expect(error.message).toContain(reason);
  });

  test.each<[string, object]>([
    ["a getter that throws", Object.defineProperty({}, "message", { get: () => JSON.parse("{") })],
    ["a message that is no text", { message: Object.create(null) }],
    ["a proxy that refuses", new Proxy({}, { get: () => JSON.parse("{") })],
  ])("even what cannot be read: %s", async (_what, thrown) => {
    const fetch = () => Promise.reject(thrown);
    const { payments } = merchantAt("https://pay.example", { fetch });

    const error = await failureOf(payments.transactions.createPix(aPix()));

    expect(error).toMatchObject({ ...BROKEN, outcome: "unknown" });
  });

  test.each<[string, () => unknown]>([
    ["throws at once", () => JSON.parse("{")],
    ["gives nothing", () => undefined],
    ["gives no response", () => Promise.resolve({ status: 201 })],
  ])("a fetch that %s leaves the create unknown", async (_what, fetch) => {
    const { payments } = merchantAt("https://pay.example", { fetch: fetch as () => Promise<Response> });

    const error = await failureOf(payments.transactions.createPix(aPix()));

    expect(error).toMatchObject({ ...BROKEN, outcome: "unknown" });
  });
});

function causesOf(error: Error): Error[] {
  return error.cause instanceof Error ? [error.cause, ...causesOf(error.cause)] : [];
}

test("an error of this package that a caller's fetch throws is not taken for this call's own", async () => {
  const fetch = () => Promise.reject(new ConfigurationError("Somebody else's key is missing."));
  const { payments } = merchantAt("https://pay.example", { fetch });

  const error = await failureOf(payments.transactions.createPix(aPix()));

  expect(error).toMatchObject({ ...BROKEN, outcome: "unknown", endpoint: "transactions.create" });
  expect(error.message).toContain("Somebody else's key is missing.");
});

test("the cause tells name, message and code of each failure, and nothing else of them", async () => {
  const failure = Object.assign(fetchFailed("ECONNRESET"), { request: { headers: { authorization: "x" } } });
  const { payments } = merchantAt("https://pay.example", { fetch: () => Promise.reject(failure) });

  const error = await failureOf(payments.transactions.createPix(aPix()));

  const causes = causesOf(error);
  expect(causes.slice(-2)).toMatchObject([
    { name: "TypeError", message: "fetch failed", stack: "TypeError: fetch failed" },
    { name: "Error", message: "ECONNRESET at socket", code: "ECONNRESET" },
  ]);
  expect(causes).not.toContain(failure);
  for (const cause of causes) expect(cause).not.toHaveProperty("request");
});

test("causes are followed to a depth, not for ever", async () => {
  const failure: Error & { cause?: unknown } = new Error("again");
  failure.cause = failure;
  const { payments } = merchantAt("https://pay.example", { fetch: () => Promise.reject(failure) });

  const error = await failureOf(payments.transactions.createPix(aPix()));

  expect(causesOf(error)).toHaveLength(4);
});
