import http from "node:http";
import https from "node:https";
import net, { Socket } from "node:net";
import tls from "node:tls";
import { HttpResponse, http as mswHttp } from "msw/http";
import { setupServer } from "msw/node";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { closedBaseUrl } from "../support/http-server.ts";
import { aPix, failureOf, merchantAt } from "../support/merchant.ts";
import { aPixData, envelope } from "../support/service-responses.ts";
import { createTransport } from "./support/direct-send.ts";

const ORIGIN = "https://pay.example";

function interceptWithMsw(...handlers: Parameters<typeof setupServer>) {
  const server = setupServer(...handlers);
  server.listen({ onUnhandledFrame: "bypass" });
  onTestFinished(() => server.close());
}

describe("msw", () => {
  test("responds to a create call, and sees what was sent", async () => {
    const seen: unknown[] = [];
    interceptWithMsw(
      mswHttp.post(`${ORIGIN}/api/v1/transactions`, async ({ request }) => {
        seen.push(request.headers.get("authorization")?.slice(0, 6), await request.json());
        return HttpResponse.json(envelope(aPixData()), { status: 201 });
      }),
    );
    const { payments } = merchantAt(ORIGIN, { fetch: createTransport() });

    expect(await payments.transactions.createPix(aPix())).toMatchObject({ id: 4021 });
    expect(seen).toMatchObject(["Basic ", { amount: 1990, externalRef: "order-1" }]);
  });

  test("leaves the outcome of a create call unknown if it breaks the connection", async () => {
    interceptWithMsw(mswHttp.post(`${ORIGIN}/api/v1/transactions`, () => HttpResponse.error()));
    const { payments } = merchantAt(ORIGIN, { fetch: createTransport() });

    const error = await failureOf(payments.transactions.createPix(aPix()));

    expect(error).toMatchObject({ code: "connection_failed", outcome: "unknown" });
  });
});

test("nock responds to a create call, and sees what was sent", async () => {
  const { default: nock } = await import("nock"); // it intercepts as soon as it is loaded
  if (!nock.isActive()) nock.activate();
  onTestFinished(() => {
    nock.cleanAll();
    nock.restore();
  });
  nock(ORIGIN, { reqheaders: { authorization: /^Basic / } })
    .post("/api/v1/transactions", (body) => body.externalRef === "order-1")
    .reply(201, envelope(aPixData()));
  const { payments } = merchantAt(ORIGIN, { fetch: createTransport() });

  expect(await payments.transactions.createPix(aPix())).toMatchObject({ id: 4021 });
});

test.each<[string, () => unknown]>([
  ["http.request", () => vi.spyOn(http, "request")],
  ["https.request", () => vi.spyOn(https, "request")],
  ["net.connect", () => vi.spyOn(net, "connect")],
  ["tls.connect", () => vi.spyOn(tls, "connect")],
  ["Socket.prototype.connect", () => vi.spyOn(Socket.prototype, "connect")],
])("a refused connection does not prove not_sent if a tool has replaced %s", async (_what, replace) => {
  const { payments } = merchantAt(await closedBaseUrl(), { fetch: createTransport() });
  const failure = () => failureOf(payments.transactions.createPix(aPix()));

  const before = await failure();
  replace();
  const after = await failure();

  expect([before.outcome, after.outcome]).toEqual(["not_sent", "unknown"]);
  expect(after.message).toContain("ECONNREFUSED");
});
