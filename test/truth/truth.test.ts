import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { type FetchLike, PaymentsClient } from "payments-sdk";
import { nodeTransport } from "payments-sdk/node";
import { describe, expect, onTestFinished, test } from "vitest";
import { freePort } from "../support/free-port.ts";
import { aPix, failureOf, PUBLIC_KEY, SECRET_KEY } from "../support/merchant.ts";
import { SELF_SIGNED } from "../support/self-signed.ts";
import { runScenarios } from "./run-scenarios.ts";

/** `TRUTH_SEED` repeats the run that printed this seed; `TRUTH_CALLS` sets the number of calls. */
const seed = Number(process.env["TRUTH_SEED"] ?? Math.floor(Math.random() * 2 ** 32));
const calls = Number(process.env["TRUTH_CALLS"] ?? 1_000);

const REPORTS_SHOWN = 5;

test("a call never claims more about the charge than is true", async () => {
  const { reports, endings, seconds, ...truth } = await runScenarios({ seed, calls });

  console.log(
    `truth: seed ${seed}, ${truth.calls} calls, ${seconds.toFixed(1)} s, ${JSON.stringify(endings)}`,
  );
  expect(`${reports.length} violations\n${reports.slice(0, REPORTS_SHOWN).join("\n\n")}`).toBe(
    "0 violations\n",
  );
  // An SDK that reports everything as unknown is safe but useless: each outcome has to occur.
  for (const outcome of ["result", "not_sent", "rejected", "created", "unknown"]) {
    expect(endings[outcome], outcome).toBeGreaterThan(calls / 100);
  }
});

describe.each([
  ["the platform's fetch", undefined],
  ["nodeTransport", nodeTransport()],
])("over %s a create call is not_sent", (_name, fetch) => {
  test.each([
    ["no server listens on the port", async () => `http://127.0.0.1:${await freePort()}`],
    ["an https URL points to an http port", async () => `https://127.0.0.1:${await listening(httpServer())}`],
    ["the certificate is self-signed", async () => `https://127.0.0.1:${await listening(selfSigned())}`],
  ])("if %s", async (_when, start) => {
    expect(await failureAt(await start(), fetch)).toMatchObject(NOT_SENT);
  });
});

// The platform's fetch reports the same reset as after the request, so it proves nothing there.
test("over nodeTransport a create call is not_sent if the connection is reset during the TLS handshake", async () => {
  const baseUrl = `https://127.0.0.1:${await listening(resetsAtOnce())}`;

  expect(await failureAt(baseUrl, nodeTransport())).toMatchObject(NOT_SENT);
});

const NOT_SENT = { code: "connection_failed", outcome: "not_sent" };

function failureAt(baseUrl: string, fetch: FetchLike | undefined) {
  const payments = new PaymentsClient({ baseUrl, secretKey: SECRET_KEY, publicKey: PUBLIC_KEY, fetch });
  return failureOf(payments.transactions.createPix(aPix()));
}

/** Does not support TLS, like the http port of a service. */
function httpServer(): Server {
  return createServer((socket) => {
    socket.on("error", () => undefined).once("data", () => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
  });
}

function selfSigned(): Server {
  return createTlsServer(SELF_SIGNED).on("tlsClientError", () => undefined);
}

function resetsAtOnce(): Server {
  return createServer((socket) => {
    socket.on("error", () => undefined).once("data", () => socket.resetAndDestroy());
  });
}

async function listening(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
