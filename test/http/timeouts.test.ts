import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { aGate, type Reply, stall, stallInBody, startServer, text } from "../support/http-server.ts";
import { aPix, eventsOf, failureOf, merchantAt } from "../support/merchant.ts";
import { aStatus, created, healthy } from "../support/service-responses.ts";
import { timersLeftBy } from "../support/timers-left.ts";
import { TRANSPORTS } from "../support/transports.ts";

// Only the SDK's timers are fake: Node's sockets have their own timers.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

/** Sends one character at a time and never ends. */
const drip: Reply = async ({ request, response, requestRead }) => {
  await requestRead;
  response.writeHead(201);
  const timer = setInterval(() => response.write(" "), 20);
  request.socket.on("close", () => clearInterval(timer));
};

/** A server whose first request meets this fault; `arrived` resolves once the request was read. */
async function startFaulty(fault: Reply, ...next: readonly Reply[]) {
  const arrived = aGate();
  const server = await startServer(
    async (exchange) => {
      await exchange.requestRead;
      await fault(exchange);
      arrived.open();
    },
    ...next,
  );
  return { ...server, arrived: arrived.passed };
}

describe.each(TRANSPORTS)("over $name", ({ merchantAt, startMerchant }) => {
  test.each<[string, Reply]>([
    ["no headers", () => undefined],
    ["a body that stops", stallInBody(201, '{"success":true')],
    ["a body of known length that stops", stallInBody(201, "{", { "content-length": "99" })],
    ["a body that is sent one character at a time", drip],
  ])(
    "a create call fails at its timeout, with an unknown outcome, and is sent once: %s",
    async (_what, fault) => {
      const { baseUrl, arrivals, arrived } = await startFaulty(fault, created());
      const { payments } = merchantAt(baseUrl, { timeout: 600, maxRetries: 5 });

      const call = failureOf(payments.transactions.createPix(aPix()));
      await arrived;
      await vi.advanceTimersByTimeAsync(600);

      const error = await call;
      expect(error).toMatchObject({ name: "TimeoutError", code: "timed_out", outcome: "unknown" });
      expect(error.message).toContain("did not respond within 600 ms");
      expect(error.toJSON()).toMatchObject({ timeoutMs: 600, externalRef: "order-1" });
      expect(arrivals).toHaveLength(1);
    },
  );

  test("the timeout of a call overrides the client's, and a read call has no outcome", async () => {
    const { baseUrl, arrived } = await startFaulty(stall);
    const { payments } = merchantAt(baseUrl, { timeout: 600, maxRetries: 0 });
    const call = failureOf(payments.company.retrieve({ timeout: 50 }));
    await arrived;

    await vi.advanceTimersByTimeAsync(50);

    expect(await call).toMatchObject({ code: "timed_out", timeoutMs: 50, outcome: "not_applicable" });
  });

  test("the timeout applies to each attempt, not to all attempts together", async () => {
    const after400s =
      (reply: Reply): Reply =>
      async (exchange) => {
        await vi.advanceTimersByTimeAsync(400_000);
        reply(exchange);
      };
    const refused = after400s(text(503, "", { "retry-after": "0" }));
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
    const replies = [refused, refused, after400s(healthy)];
    const { payments, arrivals } = await startMerchant(replies, { timeout: 600_000 });

    const status = await payments.status.retrieve();

    expect(status.version).toBe("1.4.2");
    expect(arrivals).toHaveLength(3);
  });

  test("a call that succeeds leaves no timer behind, and no listener on its signal", async () => {
    const { payments } = await startMerchant(created(), { timeout: 60_000 });
    const { signal } = new AbortController();

    expect(await timersLeftBy(() => payments.transactions.createPix(aPix(), { signal }))).toBe(0);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});

test("a call that succeeds leaves no listener on the signal of its fetch, which platforms keep for long", async () => {
  let signal = new AbortController().signal;
  const fetch = async (_url: string, init: RequestInit) => {
    signal = init.signal ?? signal;
    return Response.json(aStatus());
  };
  const { payments } = merchantAt("https://pay.example", { fetch });

  await payments.status.retrieve();

  expect(signal.aborted).toBe(false);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("the default timeout is 30 seconds", async () => {
  const fetch = () => new Promise<never>(() => undefined);
  const { payments } = merchantAt("https://pay.example", { fetch, timeout: undefined });

  const failure = failureOf(payments.transactions.createPix(aPix()));
  await vi.advanceTimersByTimeAsync(29_999);
  const early = await Promise.race([failure, Promise.resolve("still waiting")]);
  await vi.advanceTimersByTimeAsync(1);

  expect(early).toBe("still waiting");
  expect(await failure).toMatchObject({ code: "timed_out", timeoutMs: 30_000 });
});

describe("a timeout below 1,000 may be meant in seconds, which one warning of each client asks", () => {
  const SECONDS = { field: "timeout", message: "is 30 ms: if you meant seconds, use 30000" };

  test.each([
    ["the client's", { timeout: 30 }, undefined, [SECONDS]],
    ["a call's", {}, { timeout: 30 }, [SECONDS]],
    ["one second", { timeout: 1_000 }, undefined, []],
    ["a client's that no call uses", { timeout: 30 }, { timeout: 5_000 }, []],
  ])("%s", async (_whose, client, options, warnings) => {
    const fetch = async () => Response.json(aStatus());
    const { payments, events } = merchantAt("https://pay.example", { fetch, ...client });

    await payments.status.retrieve(options);
    await payments.status.retrieve(options);

    expect(eventsOf(events, "warning")).toMatchObject(warnings);
  });
});
