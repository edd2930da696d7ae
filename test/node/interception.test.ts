import http from "node:http";
import https from "node:https";
import { Socket } from "node:net";
import { HttpResponse, http as mswHttp } from "msw/http";
import { setupServer } from "msw/node";
import { nodeTransport } from "payments-sdk/node";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { closedBaseUrl, startServer, text } from "../support/http-server.ts";
import { aPix, failureOf, merchantAt } from "../support/merchant.ts";
import { aPixData, envelope } from "../support/service-answers.ts";
import { answerOf, endingOf } from "./support/direct.ts";

const WHERE = "https://pay.example";

function interceptWithMsw(...handlers: Parameters<typeof setupServer>) {
  const server = setupServer(...handlers);
  server.listen({ onUnhandledFrame: "bypass" });
  onTestFinished(() => server.close());
}

/** Imported when it is used: it intercepts from the moment on when it is loaded. */
async function interceptWithNock() {
  const { default: nock } = await import("nock");
  if (!nock.isActive()) nock.activate();
  onTestFinished(() => {
    nock.cleanAll();
    nock.restore();
  });
  return nock;
}

function transport() {
  const fetch = nodeTransport();
  onTestFinished(() => fetch.close());
  return fetch;
}

describe("msw", () => {
  test("answers a create, and sees what was sent", async () => {
    const seen: unknown[] = [];
    interceptWithMsw(
      mswHttp.post(`${WHERE}/api/v1/transactions`, async ({ request }) => {
        seen.push(request.headers.get("authorization")?.slice(0, 6), await request.json());
        return HttpResponse.json(envelope(aPixData()), { status: 201 });
      }),
    );
    const { payments } = merchantAt(WHERE, { fetch: transport() });

    const transaction = await payments.transactions.createPix(aPix());

    expect(transaction.id).toBe(4021);
    expect(seen).toMatchObject(["Basic ", { amount: 1990, externalRef: "order-1" }]);
  });

  test("leaves a create unknown where it breaks the connection", async () => {
    interceptWithMsw(mswHttp.post(`${WHERE}/api/v1/transactions`, () => HttpResponse.error()));
    const { payments } = merchantAt(WHERE, { fetch: transport() });

    const error = await failureOf(payments.transactions.createPix(aPix()));

    expect(error).toMatchObject({ code: "connection_failed", outcome: "unknown" });
  });
});

describe("nock", () => {
  test("answers a create, and sees what was sent", async () => {
    const nock = await interceptWithNock();
    const scope = nock(WHERE, { reqheaders: { authorization: /^Basic / } })
      .post("/api/v1/transactions", (body) => body.externalRef === "order-1")
      .reply(201, envelope(aPixData()));
    const { payments } = merchantAt(WHERE, { fetch: transport() });

    const transaction = await payments.transactions.createPix(aPix());

    expect(transaction.id).toBe(4021);
    expect(scope.isDone()).toBe(true);
  });
});

describe("while requests go by what somebody else put there", () => {
  test("nothing is proven: even a refused connection may have been a request", async () => {
    interceptWithMsw();
    const { payments } = merchantAt(await closedBaseUrl(), { fetch: transport() });

    const error = await failureOf(payments.transactions.createPix(aPix()));

    expect(error).toMatchObject({ code: "connection_failed", outcome: "unknown" });
    expect(error.message).toContain("ECONNREFUSED");
  });

  test.each<[string, () => unknown]>([
    ["http.request", () => vi.spyOn(http, "request")],
    ["https.request", () => vi.spyOn(https, "request")],
    ["the way in which sockets connect", () => vi.spyOn(Socket.prototype, "connect")],
  ])("which may be %s alone", async (_what, replace) => {
    const url = await closedBaseUrl();
    const before = await endingOf(url);

    replace();
    const after = await endingOf(url);

    expect([before.left, after.left]).toEqual([false, true]);
    expect(after.error).toMatchObject({ code: "ECONNREFUSED" });
  });

  test("a signal is obeyed all the same", async () => {
    interceptWithMsw(mswHttp.post(WHERE, () => new Promise<never>(() => undefined)));
    const controller = new AbortController();

    const call = endingOf(WHERE, { signal: controller.signal });
    controller.abort("enough");

    expect(await call).toMatchObject({ left: true, error: "enough" });
  });
});

test("an agent of a tool's own in the place of Node's, which knows nothing of proxies, stops no call", async () => {
  const { baseUrl } = await startServer(text(200, "done"));
  const own = http.globalAgent;
  onTestFinished(() => {
    http.globalAgent = own;
  });
  Object.assign(http, { globalAgent: { addRequest: () => undefined } });

  expect((await answerOf(baseUrl)).text).toBe("done");
});
