import { AsyncLocalStorage } from "node:async_hooks";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { SendByTransport } from "../../src/http/transport.ts";
import { closedBaseUrl, json, type Reply, startServer, text } from "../support/http-server.ts";
import { createDirectSend, responseFrom, trySend } from "./support/direct-send.ts";
import { httpResponse, respondWith, startRaw } from "./support/raw-server.ts";

/** Runs a function some turns of the event loop later. */
function turnsLater(turns: number, run: () => unknown): void {
  if (turns === 0) run();
  else setImmediate(() => turnsLater(turns - 1, run));
}

/** How often tests that depend on the order of events repeat. */
const RUNS = 8;

/** Three calls: one after the other, or all at once so that each waits for the only connection. */
const CALLS = {
  "the next call": async (url: string, send: SendByTransport) => [
    await trySend(url, { send }),
    await trySend(url, { send }),
    await trySend(url, { send }),
  ],
  "a waiting call": (url: string, send: SendByTransport) =>
    Promise.all([1, 2, 3].map(() => trySend(url, { send }))),
};

describe("a connection is used again", () => {
  test("by waiting calls, in the order of waiting", async () => {
    const { baseUrl, connections, arrivals } = await startServer(json(200, {}));
    const send = createDirectSend({ maxSockets: 2 });
    const bodies = Array.from({ length: 8 }, (_, place) => String(place));

    await Promise.all(bodies.map((body) => responseFrom(baseUrl, { send, body })));

    expect(connections()).toBe(2);
    expect(arrivals.map(({ body }) => body)).toEqual(bodies);
  });

  test("by the next request, also after a response without a body, and after a redirect", async () => {
    const replies = [text(204, ""), text(304, ""), text(307, "", { location: "/" }), text(200, "done")];
    const { baseUrl, connections } = await startServer(...replies);
    const send = createDirectSend();

    const statuses: number[] = [];
    for (const _ of replies) statuses.push((await responseFrom(baseUrl, { send })).status);

    expect(statuses).toEqual([204, 304, 307, 200]);
    expect(connections()).toBe(1);
  });

  test.each<[string, Reply]>([
    ["the service closes it", text(200, "", { connection: "close" })],
    ["the service announces to keep it for one second only", text(200, "", { "keep-alive": "timeout=1" })],
  ])("but not if %s", async (_why, reply) => {
    const { baseUrl, connections } = await startServer(reply);
    const send = createDirectSend();

    await responseFrom(baseUrl, { send });
    await responseFrom(baseUrl, { send });

    expect(connections()).toBe(2);
  });
});

test("each waiting call gets the error of its own failed connection", async () => {
  const url = await closedBaseUrl();
  const send = createDirectSend({ maxSockets: 1 });

  const results = await Promise.all([1, 2, 3].map(() => trySend(url, { send })));

  expect(results).toMatchObject([1, 2, 3].map(() => ({ isSent: false, error: { code: "ECONNREFUSED" } })));
});

test("a connection that cannot be opened fails the call that it was opened for, not a call that gets an idle connection", async () => {
  const { baseUrl, stopListening } = await startRaw(respondWith(httpResponse("done")));
  const send = createDirectSend();
  await responseFrom(baseUrl, { send });
  stopListening();

  const results = await Promise.all([1, 2].map(() => trySend(baseUrl, { send })));

  expect(results).toMatchObject([
    { isSent: true, response: { text: "done" } },
    { isSent: false, error: { code: "ECONNREFUSED" } },
  ]);
});

describe("an idle connection closes", () => {
  test("after idleTimeout, even if the response before took longer than that", async () => {
    const { baseUrl, open } = await startRaw((socket) => {
      socket.on("data", () => setTimeout(() => socket.write(httpResponse("late")), 150));
    });
    const send = createDirectSend({ idleTimeout: 40 });

    const late = [await responseFrom(baseUrl, { send }), await responseFrom(baseUrl, { send })];

    expect(late.map((response) => response.text)).toEqual(["late", "late"]);
    await expect.poll(open).toBe(0);
  });

  test("one second before the time at which the service announces to close it", async () => {
    const { baseUrl, received } = await startRaw(
      respondWith(httpResponse("", "keep-alive: timeout=3, max=100\r\n")),
    );
    const send = createDirectSend({ idleTimeout: 60_000 });
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());

    const counts: number[] = [];
    for (const idleMs of [0, 1_990, 2_010, -1]) {
      vi.setSystemTime(Date.now() + idleMs);
      await responseFrom(baseUrl, { send });
      counts.push(received.length);
    }

    expect(counts).toEqual([1, 1, 2, 3]); // if the clock was set back, the idle time is unknown
  });
});

describe.each(Object.entries(CALLS))(
  "before %s uses a connection, the event loop polls once",
  (_call, callsOf) => {
    const sendMore = (socket: Socket) => socket.write(httpResponse("unsolicited"));

    // The response is read one turn after it was written. A write two turns later is the first to be read on its own.
    test.each<[string, number, (socket: Socket) => unknown]>([
      ["brings an unsolicited response together with the response", 0, sendMore],
      ["brings an unsolicited response as soon as the response is read", 1, sendMore],
      ["brings an unsolicited response one turn after the response", 2, sendMore],
      ["ends together with the response", 0, (socket) => socket.end()],
      ["ends one turn after the response", 2, (socket) => socket.end()],
      ["is reset one turn after the response", 2, (socket) => socket.resetAndDestroy()],
    ])("a connection that %s is replaced by a new one", async (_how, turns, act) => {
      const { baseUrl, received } = await startRaw((socket) => {
        socket.on("data", () => {
          socket.write(httpResponse("requested"));
          turnsLater(turns, () => act(socket));
        });
      });

      for (let run = 0; run < RUNS; run += 1) {
        const results = await callsOf(baseUrl, createDirectSend({ maxSockets: 1 }));
        expect(results.map(({ response }) => response?.text)).toEqual(Array(3).fill("requested"));
      }
      expect(received).toHaveLength(3 * RUNS);
    });
  },
);

test("a request is created in the async context of its own call, even if the call waited", async () => {
  const { baseUrl } = await startServer(json(200, {}));
  const storage = new AsyncLocalStorage<string>();
  const contexts: unknown[] = [];
  const record = () => contexts.push(storage.getStore());
  subscribe("http.client.request.created", record);
  onTestFinished(() => void unsubscribe("http.client.request.created", record));
  const send = createDirectSend({ maxSockets: 2 });
  const calls = ["one", "two", "three", "four", "five"];

  await Promise.all(calls.map((call) => storage.run(call, () => responseFrom(baseUrl, { send }))));
  await Promise.all(calls.map((call) => storage.run(call, () => responseFrom(baseUrl, { send }))));

  expect(contexts).toEqual([...calls, ...calls]);
});
