import { describe, expect, test } from "vitest";
import { RequestProgress } from "../../src/http/transport.ts";
import { createTransport } from "../node/support/direct-send.ts";
import { startRaw, startRawTls } from "../node/support/raw-server.ts";
import { closedBaseUrl, stall, startResettingServer, startServer } from "../support/http-server.ts";
import { aPix, failureOf } from "../support/merchant.ts";
import { created } from "../support/service-responses.ts";
import { startMerchant } from "../support/start-merchant.ts";
import { NODE_TRANSPORT, PLATFORM_FETCH, TRANSPORTS } from "../support/transports.ts";

/**
 * As long as nothing has read the body of a create request, no byte of it was sent: this proves `not_sent`. The error's
 * code and the dispatcher in use do not matter.
 */

describe.each(TRANSPORTS)("over $name, a create call is not_sent", ({ merchantAt }) => {
  const failureAt = (baseUrl: string, options = {}) =>
    failureOf(merchantAt(baseUrl).payments.transactions.createPix(aPix(), options));

  test.each<[string, () => Promise<string>, RegExp]>([
    ["no server listens", closedBaseUrl, /the connection was refused \(ECONNREFUSED\)/],
    [
      "the host name does not exist",
      async () => "https://nowhere.invalid",
      /the host name (was not found|could not be looked up)/,
    ],
    [
      "an https address leads to a port that speaks http",
      async () => (await startServer(created())).baseUrl.replace("http:", "https:"),
      /was not TLS, so `baseUrl` may have to be http/,
    ],
    [
      "the certificate is self-signed",
      async () => (await startRawTls(neverReached)).baseUrl,
      /the certificate was not accepted \(DEPTH_ZERO_SELF_SIGNED_CERT\)/,
    ],
    [
      "the connection is closed during the TLS handshake",
      async () => tlsAt(await startRaw((socket) => socket.once("data", () => socket.destroy()))),
      /ECONNRESET/,
    ],
  ])(
    "if %s",
    async (_when, start, detail) => {
      const error = await failureAt(await start());

      expect(error).toMatchObject({ code: "connection_failed", outcome: "not_sent", actor: "network" });
      expect(error.message).toMatch(detail);
      expect(error.message).toContain("no one was charged");
    },
    30_000,
  ); // a DNS lookup may be slow

  test.each<[string, string, () => object]>([
    ["is aborted at once", "aborted", () => ({ signal: abortedAfter(0) })],
    ["is aborted later", "aborted", () => ({ signal: abortedAfter(50) })],
    ["times out", "timed_out", () => ({ timeout: 50 })],
  ])("if it %s, during a TLS handshake that never ends", async (_how, code, options) => {
    const error = await failureAt(tlsAt(await startRaw()), options());

    expect(error).toMatchObject({ code, outcome: "not_sent" });
  });

  test("or unknown if the connection is reset as soon as it is open, and no other connection is opened", async () => {
    const { baseUrl, connections } = await startResettingServer();

    const error = await failureAt(baseUrl);

    expect(error).toMatchObject({ code: "connection_failed", mayHaveCharged: error.outcome === "unknown" });
    expect(connections()).toBe(1);
  });
});

const tlsAt = ({ port }: { readonly port: number }) => `https://127.0.0.1:${port}`;
const neverReached = () => expect.unreachable();

function abortedAfter(ms: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), ms);
  return controller.signal;
}

test("over nodeTransport, a create call that waits for a connection is not_sent; the one that has it is unknown", async () => {
  const transport = createTransport({ maxSockets: 1 });
  const { payments, arrivals } = await startMerchant(stall, { fetch: transport });
  const [busy, waiting] = [new AbortController(), new AbortController()];
  const create = (options: { timeout?: number; signal?: AbortSignal }) =>
    failureOf(payments.transactions.createPix(aPix(), options));

  const first = create({ signal: busy.signal });
  await expect.poll(() => arrivals.length).toBe(1);
  const late = await create({ timeout: 30 });
  const aborted = create({ signal: waiting.signal });
  waiting.abort();
  const errors = [late, await aborted];
  busy.abort();

  expect(errors).toMatchObject([
    { code: "timed_out", outcome: "not_sent" },
    { code: "aborted", outcome: "not_sent" },
  ]);
  expect(await first).toMatchObject({ code: "aborted", outcome: "unknown" });
  expect(arrivals).toHaveLength(1);
});

test("a withdrawn request cannot be sent, and a request with a response cannot be withdrawn", () => {
  const [withdrawn, responded] = [new RequestProgress(), new RequestProgress()];
  responded.receiveHeaders();

  expect([withdrawn.withdraw(), responded.withdraw()]).toEqual([true, false]);
  expect(() => withdrawn.beginSending()).toThrow("withdrawn");
  expect(withdrawn.withdraw()).toBe(true);
});

test.each([
  ["fetch refuses the port of `baseUrl`", PLATFORM_FETCH],
  ["the connection was refused (ECONNREFUSED)", NODE_TRANSPORT], // by the host: nodeTransport blocks no port
])(
  "a create call to a port of another protocol is not_sent: %s, over $name",
  async (reason, { merchantAt }) => {
    const error = await failureOf(merchantAt("http://127.0.0.1:1").payments.transactions.createPix(aPix()));

    expect(error).toMatchObject({ code: "connection_failed", outcome: "not_sent" });
    expect(error.message).toContain(reason);
  },
);
