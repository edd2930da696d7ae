import http from "node:http";
import type { Outcome } from "payments-sdk";
import { describe, expect, test, vi } from "vitest";
import { closedBaseUrl } from "../support/http-server.ts";
import { aPix, failureOf } from "../support/merchant.ts";
import { NODE_TRANSPORT, PLATFORM_FETCH, type Transport } from "../support/transports.ts";

/** What the choice of a transport changes in how a create ends, where the service speaks HTTP as it should. */

type Row<Facts extends unknown[]> = [string, Transport, ...Facts];

const platformFetch = <Facts extends unknown[]>(...facts: Facts): Row<Facts> => [
  PLATFORM_FETCH.name,
  PLATFORM_FETCH,
  ...facts,
];
const nodeTransport = <Facts extends unknown[]>(...facts: Facts): Row<Facts> => [
  NODE_TRANSPORT.name,
  NODE_TRANSPORT,
  ...facts,
];

test.each([
  platformFetch("the port of `baseUrl` is one that fetch refuses"),
  nodeTransport("the connection was refused (ECONNREFUSED)"), // by the host: no port is refused unseen
])("a port of another protocol, over %s: not_sent, because %3$s", async (_name, { merchantAt }, reason) => {
  const { payments } = merchantAt("http://127.0.0.1:1");

  const error = await failureOf(payments.transactions.createPix(aPix()));

  expect(error).toMatchObject({ code: "connection_failed", outcome: "not_sent" });
  expect(error.message).toContain(reason);
});

describe("a refused connection proves nothing of a transport that a tool has replaced", () => {
  test.each([platformFetch<[Outcome]>("unknown"), nodeTransport<[Outcome]>("not_sent")])(
    "another fetch in the platform's place, over %s: %3$s",
    async (_name, { merchantAt }, outcome) => {
      const own = globalThis.fetch;
      vi.stubGlobal("fetch", (url: string, init: RequestInit) => own(url, init));
      const { payments } = merchantAt(await closedBaseUrl());

      const error = await failureOf(payments.transactions.createPix(aPix()));

      expect(error).toMatchObject({ code: "connection_failed", outcome });
    },
  );

  test.each([platformFetch<[Outcome]>("not_sent"), nodeTransport<[Outcome]>("unknown")])(
    "another http.request in the place of Node's, over %s: %3$s",
    async (_name, { merchantAt }, outcome) => {
      vi.spyOn(http, "request");
      const { payments } = merchantAt(await closedBaseUrl());

      const error = await failureOf(payments.transactions.createPix(aPix()));

      expect(error).toMatchObject({ code: "connection_failed", outcome });
    },
  );
});
