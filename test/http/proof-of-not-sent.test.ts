import type { PaymentsError } from "payments-sdk";
import { nodeTransport } from "payments-sdk/node";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { RequestProgress } from "../../src/http/request-progress.ts";
import { startRaw, startRawTls } from "../node/support/raw-server.ts";
import { closedBaseUrl, stall, startResettingServer, startServer } from "../support/http-server.ts";
import { aPix, failureOf, merchantAt } from "../support/merchant.ts";
import { created } from "../support/service-responses.ts";
import { startMerchant } from "../support/start-merchant.ts";
import { TRANSPORTS } from "../support/transports.ts";

/**
 * As long as nothing has read the body of a create request, no byte of it was sent: this proves `not_sent`. The error's
 * code and the dispatcher in use do not matter.
 */

describe.each(TRANSPORTS)("over $name, a create call is not_sent", ({ merchantAt }) => {
  const failureAt = (baseUrl: string, options = {}, callOptions = {}) =>
    failureOf(merchantAt(baseUrl, options).payments.transactions.createPix(aPix(), callOptions));

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

  test.each([0, 50])("if it is aborted %d ms into a TLS handshake that never ends", async (ms) => {
    const error = await failureAt(tlsAt(await startRaw()), {}, { signal: abortedAfter(ms) });

    expect(error).toMatchObject({ code: "aborted", outcome: "not_sent" });
  });

  test("if it times out during a TLS handshake that never ends", async () => {
    const error = await failureAt(tlsAt(await startRaw()), { timeout: 50 });

    expect(error).toMatchObject({ code: "timed_out", outcome: "not_sent" });
  });

  test("or unknown if the connection is reset as soon as it is open; no other connection is opened", async () => {
    const { baseUrl, connections } = await startResettingServer();

    const error = await failureAt(baseUrl);

    expect(error).toMatchObject({ outcome: expect.toBeOneOf(["not_sent", "unknown"]) });
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

void new Headers(); // loads undici, so that there is a dispatcher to restore

const DISPATCHERS = ["1", "2"].map((version) => Symbol.for(`undici.globalDispatcher.${version}`));

/** The part of undici's dispatcher that is used here. */
interface Dispatcher {
  dispatch(options: object, handler: Handler): boolean;
}
type Handler = Record<string, ((...args: unknown[]) => unknown) | undefined>;

const currentDispatcher = () => Reflect.get(globalThis, DISPATCHERS[0] as symbol) as Dispatcher;

function useDispatcher(dispatcher: object): void {
  for (const name of DISPATCHERS) {
    if (Reflect.get(globalThis, name) !== undefined) Reflect.set(globalThis, name, dispatcher);
  }
}

describe("over another dispatcher of Node's own class", () => {
  const originals = DISPATCHERS.map((name) => [name, Reflect.get(globalThis, name) as unknown] as const);
  afterEach(() => {
    for (const [name, original] of originals) {
      if (original !== undefined) Reflect.set(globalThis, name, original);
    }
  });

  const pix = async (baseUrl: string, signal?: AbortSignal): Promise<PaymentsError> => {
    const { payments } = merchantAt(baseUrl);
    return failureOf(payments.transactions.createPix(aPix(), { signal }));
  };

  test("a dispatcher that ignores an abort cannot send the body afterwards", async () => {
    const { baseUrl, arrivals } = await startServer(stall);
    await pix(await closedBaseUrl());
    const inner = currentDispatcher();
    let dispatched: Promise<unknown> = Promise.resolve();
    useDispatcher(
      Object.assign(Object.create(inner) as Dispatcher, {
        dispatch: (options: object, handler: Handler) => {
          dispatched = new Promise((resolve) =>
            setTimeout(() => resolve(inner.dispatch(options, ignoreAbort(handler))), 60),
          );
          return true;
        },
      }),
    );

    const error = await pix(baseUrl, abortedAfter(10));
    await dispatched;
    await new Promise((resolve) => setTimeout(resolve, 60));

    expect(error).toMatchObject({ code: "aborted", outcome: "not_sent" });
    expect(arrivals.map(({ body }) => body).join("")).toBe("");
  });
});

/** A handler that ignores an abort. */
function ignoreAbort(handler: Handler): Handler {
  return new Proxy(handler, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (member !== undefined && (name === "onConnect" || name === "onRequestStart")) return () => undefined;
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

test("over nodeTransport, a create call that waits for a connection is not_sent; the one that has it is unknown", async () => {
  const transport = nodeTransport({ maxSockets: 1 });
  onTestFinished(() => transport.close());
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

test("a fetch wrapper that repeats the request and uninstalls itself leaves the outcome unknown", async () => {
  const { baseUrl, arrivals } = await startServer(async ({ request, requestRead }) => {
    await requestRead;
    request.socket.destroy();
  });
  const closed = await closedBaseUrl();
  const platformFetch = globalThis.fetch;
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    try {
      return await platformFetch(url, init);
    } catch {
      vi.unstubAllGlobals();
      return platformFetch(url.replace(baseUrl, closed), init);
    }
  });
  const { payments } = merchantAt(baseUrl);

  const error = await failureOf(payments.transactions.createPix(aPix()));

  expect(arrivals).toHaveLength(1);
  expect(error).toMatchObject({ code: "connection_failed", outcome: "unknown" });
});

test("a withdrawn request cannot be sent, and a request with a response cannot be withdrawn", () => {
  const [withdrawn, responded] = [new RequestProgress(), new RequestProgress()];
  responded.receiveHeaders();

  expect([withdrawn.withdraw(), responded.withdraw()]).toEqual([true, false]);
  expect(() => withdrawn.beginSending()).toThrow("withdrawn");
  expect(withdrawn.withdraw()).toBe(true);
});
