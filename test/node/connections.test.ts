import { AsyncLocalStorage } from "node:async_hooks";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { DirectSend } from "../../src/http/transport.ts";
import { closedBaseUrl, json, type Reply, startServer, text } from "../support/http-server.ts";
import { answerOf, directSend, endingOf } from "./support/direct.ts";
import { answer, type OnSocket, saying, startRaw } from "./support/raw-server.ts";

/** Stands still, as a process does that computes, or a machine that sleeps. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** Runs something so many turns of the event loop later. */
function turnsLater(turns: number, run: () => unknown): void {
  if (turns === 0) run();
  else setImmediate(() => turnsLater(turns - 1, run));
}

/** How often what depends on the order of events is tried. */
const RUNS = 8;

/** Sends one call after the other, or all at once so that each waits for the only connection. */
const CALLS = {
  "the next call": async (url: string, send: DirectSend) => [
    await endingOf(url, { send }),
    await endingOf(url, { send }),
    await endingOf(url, { send }),
  ],
  "a waiting call": (url: string, send: DirectSend) =>
    Promise.all([1, 2, 3].map(() => endingOf(url, { send }))),
};

describe("a connection is used again", () => {
  test("by the next request", async () => {
    const { baseUrl, connections } = await startServer(json(200, {}));
    const send = directSend();

    for (let call = 0; call < 3; call += 1) await answerOf(baseUrl, { send });

    expect(connections()).toBe(1);
  });

  test("by whoever waits for one, in the order of waiting", async () => {
    const { baseUrl, connections, arrivals } = await startServer(json(200, {}));
    const send = directSend({ maxSockets: 2 });
    const bodies = Array.from({ length: 8 }, (_, place) => String(place));

    await Promise.all(bodies.map((body) => answerOf(baseUrl, { send, body })));

    expect(connections()).toBe(2);
    expect(arrivals.map(({ body }) => body)).toEqual(bodies);
  });

  test("also after an answer without a body, and after a redirect", async () => {
    const replies = [text(204, ""), text(304, ""), text(307, "", { location: "/" }), text(200, "done")];
    const { baseUrl, connections } = await startServer(...replies);
    const send = directSend();

    const statuses: number[] = [];
    for (const _ of replies) statuses.push((await answerOf(baseUrl, { send })).status);

    expect(statuses).toEqual([204, 304, 307, 200]);
    expect(connections()).toBe(1);
  });

  test.each<[string, Reply]>([
    ["the service says so", text(200, "", { connection: "close" })],
    ["it is announced to be kept for a second only", text(200, "", { "keep-alive": "timeout=1" })],
  ])("but not where %s", async (_why, reply) => {
    const { baseUrl, connections } = await startServer(reply);
    const send = directSend();

    await answerOf(baseUrl, { send });
    await answerOf(baseUrl, { send });

    expect(connections()).toBe(2);
  });
});

test("who waits is told of a connection that could not be made, one after the other", async () => {
  const url = await closedBaseUrl();
  const send = directSend({ maxSockets: 1 });

  const endings = await Promise.all([1, 2, 3].map(() => endingOf(url, { send })));

  expect(endings).toMatchObject([1, 2, 3].map(() => ({ left: false, error: { code: "ECONNREFUSED" } })));
});

test("a connection that could not be opened fails the call that it was opened for, not one that gets an idle connection", async () => {
  const { baseUrl, stopListening } = await startRaw(saying(answer("done")));
  const send = directSend();
  await answerOf(baseUrl, { send });
  stopListening();

  const endings = await Promise.all([1, 2].map(() => endingOf(baseUrl, { send })));

  expect(endings).toMatchObject([
    { left: true, answer: { text: "done" } },
    { left: false, error: { code: "ECONNREFUSED" } },
  ]);
});

describe("an unused connection ends", () => {
  test("after idleTimeout", async () => {
    const { baseUrl, open } = await startRaw(saying(answer("")));
    const send = directSend({ idleTimeout: 60 });

    await answerOf(baseUrl, { send });

    expect(open()).toBe(1);
    await expect.poll(open).toBe(0);
  });

  test("after idleTimeout, also where the answer before took longer than that", async () => {
    const { baseUrl, open } = await startRaw((socket) => {
      socket.on("data", () => setTimeout(() => socket.write(answer("late")), 150));
    });
    const send = directSend({ idleTimeout: 40 });

    const late = [await answerOf(baseUrl, { send }), await answerOf(baseUrl, { send })];

    expect(late.map((got) => got.text)).toEqual(["late", "late"]);
    await expect.poll(open).toBe(0);
  });

  test("a second before the service ends it, which announces when", async () => {
    const { baseUrl, received } = await startRaw(saying(answer("", "keep-alive: timeout=3, max=100\r\n")));
    const send = directSend({ idleTimeout: 60_000 });
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());

    const counts: number[] = [];
    for (const restedMs of [0, 1_990, 2_010, -1]) {
      vi.setSystemTime(Date.now() + restedMs);
      await answerOf(baseUrl, { send });
      counts.push(received.length);
    }

    expect(counts).toEqual([1, 1, 2, 3]); // where the clock was set back, nobody knows
  });

  test.each<[string, (socket: Socket, number: number) => void]>([
    [
      "afterwards",
      (socket, number) => {
        socket.write(answer(`answer ${number}`));
        setTimeout(() => socket.write(answer("forged")), 10);
      },
    ],
    [
      "together with the answer",
      (socket, number) => socket.write(Buffer.concat([answer(`answer ${number}`), answer("forged")])),
    ],
  ])("when something comes that nobody asked for, %s", async (_when, reply) => {
    const { baseUrl, open } = await startRaw((socket, number) => {
      socket.on("data", () => reply(socket, number));
    });
    const send = directSend();

    const { text: first } = await answerOf(baseUrl, { send });
    await expect.poll(open).toBe(0);
    const { text: second } = await answerOf(baseUrl, { send });

    expect([first, second]).toEqual(["answer 0", "answer 1"]);
  });
});

describe("a connection that the other side has ended is not used", () => {
  test("while this process stood still", async () => {
    let end = () => undefined as unknown;
    const { baseUrl, received } = await startRaw((socket) => {
      socket.on("data", () => socket.write(answer("")));
      end = () => socket.end();
    });
    const send = directSend();
    await answerOf(baseUrl, { send });
    end();
    standStill(100);

    const { error } = await endingOf(baseUrl, { send });

    expect(error).toBeUndefined();
    expect(received).toHaveLength(2);
  });

  test("nor one that has rested for longer than allowed, though no timer could say so", async () => {
    const { baseUrl, received } = await startRaw(saying(answer("")));
    const send = directSend({ idleTimeout: 30 });
    await answerOf(baseUrl, { send });

    standStill(60);
    await answerOf(baseUrl, { send });

    expect(received).toHaveLength(2);
  });
});

describe.each(Object.entries(CALLS))(
  "before %s uses a connection, the event loop turns once",
  (_call, callsOf) => {
    // The answer is read one turn after it was written. What is written two turns later is the first to be read on its own.
    test.each([0, 1, 2])(
      "an unsolicited answer written %i turns after the answer is not used",
      async (turns) => {
        const { baseUrl } = await startRaw((socket) => {
          socket.on("data", () => {
            socket.write(answer("asked for"));
            turnsLater(turns, () => socket.write(answer("unsolicited")));
          });
        });

        for (let run = 0; run < RUNS; run += 1) {
          const send = directSend({ maxSockets: 1 });
          const endings = await callsOf(baseUrl, send);
          expect(endings.map((ending) => ending.answer?.text)).toEqual([
            "asked for",
            "asked for",
            "asked for",
          ]);
        }
      },
    );

    test.each<[string, OnSocket]>([
      ["ends together with the answer", (socket) => socket.once("data", () => socket.end(answer("done")))],
      [
        "ends a turn after the answer",
        (socket) =>
          socket.once("data", () => {
            socket.write(answer("done"));
            turnsLater(2, () => socket.end());
          }),
      ],
      [
        "is reset a turn after the answer",
        (socket) =>
          socket.once("data", () => {
            socket.write(answer("done"));
            turnsLater(2, () => socket.resetAndDestroy());
          }),
      ],
    ])("a connection that %s is replaced by a new one", async (_how, onSocket) => {
      const { baseUrl, received } = await startRaw(onSocket);

      for (let run = 0; run < RUNS; run += 1) {
        const send = directSend({ maxSockets: 1 });
        const endings = await callsOf(baseUrl, send);
        expect(endings.map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
      }
      expect(received).toHaveLength(3 * RUNS);
    });
  },
);

test("a request is made in the async context of its own call, also when the call waited", async () => {
  const { baseUrl } = await startServer(json(200, {}));
  const storage = new AsyncLocalStorage<string>();
  const contexts: unknown[] = [];
  const record = () => contexts.push(storage.getStore());
  subscribe("http.client.request.created", record);
  onTestFinished(() => void unsubscribe("http.client.request.created", record));
  const send = directSend({ maxSockets: 2 });
  const calls = ["one", "two", "three", "four", "five"];

  await Promise.all(calls.map((call) => storage.run(call, () => answerOf(baseUrl, { send }))));
  await Promise.all(calls.map((call) => storage.run(call, () => answerOf(baseUrl, { send }))));

  expect(contexts).toEqual([...calls, ...calls]);
});

test("who waits gets no connection that the service has announced to end", async () => {
  const whole = answer("done", "keep-alive: timeout=0\r\n");
  const { baseUrl } = await startRaw((socket) => {
    socket.once("data", () => {
      socket.write(whole);
      socket.on("data", () => socket.resetAndDestroy());
    });
  });
  const send = directSend({ maxSockets: 1 });

  const endings = await Promise.all(Array.from({ length: 5 }, () => endingOf(baseUrl, { send })));

  expect(endings.map(({ answer: got }) => got?.text)).toEqual(Array.from({ length: 5 }, () => "done"));
});
