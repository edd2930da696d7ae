import http from "node:http";
import { expect, test, vi } from "vitest";
import { closedBaseUrl } from "../support/http-server.ts";
import { aPix, failureOf } from "../support/merchant.ts";
import { NODE_TRANSPORT, PLATFORM_FETCH, TRANSPORTS, type Transport } from "../support/transports.ts";

/** The differences between the transports in the result of a create call, if the service sends valid HTTP. */

const failureAt = ({ merchantAt }: Transport, baseUrl: string) =>
  failureOf(merchantAt(baseUrl).payments.transactions.createPix(aPix()));

test.each([
  ["fetch refuses the port of `baseUrl`", PLATFORM_FETCH],
  ["the connection was refused (ECONNREFUSED)", NODE_TRANSPORT], // by the host: nodeTransport blocks no port
])("a create call to a port of another protocol is not_sent: %s, over $name", async (reason, transport) => {
  const error = await failureAt(transport, "http://127.0.0.1:1");

  expect(error).toMatchObject({ code: "connection_failed", outcome: "not_sent" });
  expect(error.message).toContain(reason);
});

test("a refused connection does not prove not_sent if a tool has replaced Node's http.request", async () => {
  vi.spyOn(http, "request");
  const baseUrl = await closedBaseUrl();

  const errors = await Promise.all(TRANSPORTS.map((transport) => failureAt(transport, baseUrl)));

  const outcomes = errors.map(({ outcome }, index) => `${TRANSPORTS[index]?.name}: ${outcome}`);
  expect(outcomes).toEqual(["the platform's fetch: not_sent", "nodeTransport: unknown"]);
});
