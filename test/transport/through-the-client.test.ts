import { type NodeTransportOptions, nodeTransport } from "payments-sdk/node";
import { describe, expect, onTestFinished, test } from "vitest";
import { ALL, leaksIn, NUMBER, OPAQUE_TOKEN, PUBLIC, SECRET } from "../support/canaries.ts";
import {
  closedBaseUrl,
  closeSilently,
  json,
  type Reply,
  resetAfterReading,
  resetInside,
  stall,
  stallInside,
  startServer,
  text,
} from "../support/http-server.ts";
import { aCard, aCardPayment, aPix, eventsOf, failureOf, merchantAt } from "../support/merchant.ts";
import { aStatus, created, healthy } from "../support/service-answers.ts";
import { saying, startRaw, startRawTls } from "./support/raw-server.ts";

function transport(options: NodeTransportOptions = {}) {
  const fetch = nodeTransport(options);
  onTestFinished(() => fetch.close());
  return fetch;
}

describe("a create that failed before a byte left was not sent", () => {
  test.each<[string, () => Promise<string>, RegExp]>([
    ["refused", closedBaseUrl, /the connection was refused \(ECONNREFUSED\)/],
    [
      "no such host",
      async () => "https://nowhere.invalid",
      /the host name (was not found|could not be looked up)/,
    ],
    [
      "a certificate that nobody signed",
      async () => (await startRawTls()).baseUrl,
      /the certificate was not accepted \(DEPTH_ZERO_SELF_SIGNED_CERT\)/,
    ],
    [
      "a port that speaks plain http, not https",
      async () => (await startServer(json(200, {}))).baseUrl.replace("http:", "https:"),
      /\(ERR_SSL_WRONG_VERSION_NUMBER\)/,
    ],
    [
      "no TLS in time",
      async () => `https://127.0.0.1:${(await startRaw()).port}`,
      /connecting took too long \(ETIMEDOUT\)/,
    ],
  ])(
    "%s",
    async (_what, urlOf, detail) => {
      const { payments } = merchantAt(await urlOf(), {
        fetch: transport({ connectTimeout: 200 }),
        timeout: 20_000,
      });

      const error = await failureOf(payments.transactions.createPix(aPix()));

      expect(error).toMatchObject({ code: "connection_failed", outcome: "not_sent", externalRef: "order-1" });
      expect(error.message).toMatch(detail);
      expect(error.message).toContain("nobody was charged");
    },
    30_000,
  ); // a resolver may take its time

  test("out of time while it connects", async () => {
    const { port } = await startRaw();
    const { payments } = merchantAt(`https://127.0.0.1:${port}`, { fetch: transport(), timeout: 50 });

    const error = await failureOf(payments.transactions.createPix(aPix()));

    expect(error).toMatchObject({ code: "timed_out", outcome: "not_sent" });
  });

  test("aborted while it connects", async () => {
    const { port, open } = await startRaw();
    const { payments } = merchantAt(`https://127.0.0.1:${port}`, { fetch: transport() });
    const controller = new AbortController();

    const call = failureOf(payments.transactions.createPix(aPix(), { signal: controller.signal }));
    await expect.poll(open).toBe(1);
    controller.abort();

    expect(await call).toMatchObject({ code: "aborted", outcome: "not_sent" });
  });

  test("out of time, or aborted, while every connection is busy", async () => {
    const { baseUrl, arrivals } = await startServer(stall);
    const { payments } = merchantAt(baseUrl, { fetch: transport({ maxSockets: 1 }) });
    const [busy, waiting] = [new AbortController(), new AbortController()];
    const create = (externalRef: string, options: { timeout?: number; signal?: AbortSignal }) =>
      failureOf(payments.transactions.createPix(aPix({ externalRef }), options));

    const first = create("first", { signal: busy.signal });
    await expect.poll(() => arrivals.length).toBe(1);
    const late = await create("late", { timeout: 30 });
    const aborted = create("aborted", { signal: waiting.signal });
    waiting.abort();
    const errors = [late, await aborted];
    busy.abort();

    expect(errors).toMatchObject([
      { code: "timed_out", outcome: "not_sent", externalRef: "late" },
      { code: "aborted", outcome: "not_sent", externalRef: "aborted" },
    ]);
    expect(await first).toMatchObject({ code: "aborted", outcome: "unknown" });
    expect(arrivals).toHaveLength(1);
  });
});

describe("a create that failed afterwards is unknown, and arrived once", () => {
  test.each<[string, Reply, string]>([
    ["no answer", stall, "timed_out"],
    ["an answer that stops", stallInside(201, '{"success":'), "timed_out"],
    ["reset", resetAfterReading, "connection_failed"],
    ["closed", closeSilently, "connection_failed"],
    ["reset inside the answer", resetInside(201, '{"success":'), "connection_failed"],
    ["503", text(503, "", { "retry-after": "0" }), "server_error"],
  ])("%s, on a new connection and on one that was kept", async (_what, fault, code) => {
    const { baseUrl, arrivals } = await startServer(fault, healthy, fault);
    const { payments } = merchantAt(baseUrl, { fetch: transport(), maxRetries: 5, timeout: 1_000 });

    const first = await failureOf(payments.transactions.createPix(aPix({ externalRef: "first" })));
    await payments.status.retrieve();
    const second = await failureOf(payments.transactions.createPix(aPix({ externalRef: "second" })));

    expect([first, second]).toMatchObject([
      { code, outcome: "unknown" },
      { code, outcome: "unknown" },
    ]);
    expect(arrivals.map(({ url }) => url.split("/").at(-1))).toEqual([
      "transactions",
      "status",
      "transactions",
    ]);
  });
});

test("reads are tried again over the transport, and creates answered", async () => {
  const { baseUrl, arrivals } = await startServer(resetAfterReading, json(200, aStatus()), created());
  const { payments } = merchantAt(baseUrl, { fetch: transport() });

  const status = await payments.status.retrieve();
  const transaction = await payments.transactions.createPix(aPix());

  expect([status.version, transaction.id]).toEqual(["1.4.2", 4021]);
  expect(arrivals).toHaveLength(3);
});

describe("no error and no event of a call over the transport shows what was sent", () => {
  test.each<[string, () => Promise<string>]>([
    ["refused", closedBaseUrl],
    ["a certificate that nobody signed", async () => (await startRawTls()).baseUrl],
    ["reset", async () => (await startServer(resetAfterReading)).baseUrl],
    [
      "an answer that is no HTTP and repeats it all",
      async () => (await startRaw(saying(ALL.join("\r\n")))).baseUrl,
    ],
    ["no answer", async () => (await startServer(stall)).baseUrl],
  ])("%s", async (_what, urlOf) => {
    const { payments, events } = merchantAt(await urlOf(), {
      fetch: transport(),
      secretKey: SECRET,
      publicKey: PUBLIC,
      timeout: 200,
      maxRetries: 0,
    });

    const errors = [
      await failureOf(payments.transactions.createCard(aCardPayment({ card: { hash: OPAQUE_TOKEN } }))),
      await failureOf(payments.cardTokens.create(aCard({ number: NUMBER }))),
      await failureOf(payments.company.retrieve()),
    ];

    expect(errors.flatMap(leaksIn)).toEqual([]);
    expect(leaksIn(events)).toEqual([]);
    expect(eventsOf(events, "error")).toHaveLength(3);
  });
});
