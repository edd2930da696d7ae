import type { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { closedBaseUrl, json, type Reply, startServer, text } from "../support/http-server.ts";
import { answerOf, directSend, endingOf } from "./support/direct.ts";
import { answer, saying, startRaw } from "./support/raw-server.ts";

/** Stands still, as a process does that computes, or a machine that sleeps. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

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

  test("before the service ends it, which announces when", async () => {
    const announced = answer("", "keep-alive: timeout=2, max=100\r\n");
    let endedByService = false;
    const { baseUrl, open } = await startRaw((socket) => {
      socket.on("data", () => socket.write(announced));
      const timer = setTimeout(() => {
        endedByService = true;
        socket.destroy();
      }, 2_000);
      socket.on("close", () => clearTimeout(timer));
    });
    const send = directSend({ idleTimeout: 60_000 });

    await answerOf(baseUrl, { send });

    await expect.poll(open).toBe(0);
    expect(endedByService).toBe(false);
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
  test.each([20, 100, 400])("while this process stood still for %i ms", async (ms) => {
    let end = () => undefined as unknown;
    const { baseUrl, received } = await startRaw((socket) => {
      socket.on("data", () => socket.write(answer("")));
      end = () => socket.end();
    });
    const send = directSend();
    await answerOf(baseUrl, { send });
    end();
    standStill(ms);

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
