import { getEventListeners } from "node:events";
import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createDirectSend, responseFrom, trySend } from "./support/direct-send.ts";
import { httpResponse, type OnSocket, respondWith, startRaw } from "./support/raw-server.ts";

const compressed = gzipSync(JSON.stringify(Array.from({ length: 20_000 }, (_, place) => place * 7_919)));

afterEach(() => vi.useRealTimers());

async function eventLoopTurns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

const never: OnSocket = () => undefined;
const head = "HTTP/1.1 201 Created\r\n";

/** Counts the timers and sockets that keep the process alive now, by kind. */
function countResources(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) {
    if (/Timeout|TCPSocketWrap|TLSWrap|ConnectWrap|GetAddrInfo|Zlib|Brotli/.test(kind)) {
      counts[kind] = (counts[kind] ?? 0) + 1;
    }
  }
  return counts;
}

/** Returns a check that waits until there are no more resources than now, and no listener on the signal. */
function watchForLeaks(signal?: AbortSignal): () => Promise<void> {
  const before = countResources();
  return async () => {
    await expect
      .poll(() => Object.entries(countResources()).filter(([kind, count]) => count > (before[kind] ?? 0)))
      .toEqual([]);
    if (signal !== undefined) expect(getEventListeners(signal, "abort")).toEqual([]);
  };
}

describe("an abort leaves no connection, no timer and no listener behind", () => {
  const STALLED_TLS = { isTLS: true, until: "", isSent: false };
  const LARGE = { body: "x".repeat(20_000_000), until: "" };

  test.each<[string, OnSocket, Partial<typeof STALLED_TLS & typeof LARGE>?]>([
    ["before the headers", never],
    ["inside the headers", respondWith(head)],
    ["inside a body with a content-length", respondWith(`${head}content-length: 9\r\n\r\n{"a"`)],
    [
      "inside a long compressed body",
      respondWith(`${head}content-encoding: gzip\r\n\r\n`, compressed.subarray(0, 30_000)),
    ],
    ["while a large request is being written", (socket) => socket.pause(), LARGE],
    ["while the connection is being opened", never, STALLED_TLS],
  ])("%s", async (_when, onSocket, { isTLS = false, isSent = true, until = "amount", body } = {}) => {
    const sockets: Socket[] = [];
    const { baseUrl, received, open } = await startRaw((socket) => {
      sockets.push(socket);
      onSocket(socket, 0);
    });
    const controller = new AbortController();
    const expectNoLeaks = watchForLeaks(controller.signal);

    const url = isTLS ? baseUrl.replace("http:", "https:") : baseUrl;
    const call = trySend(url, { signal: controller.signal, ...(body && { body }) });
    await expect.poll(() => received[0]).toContain(until);
    await eventLoopTurns(10); // until the server's response has arrived
    controller.abort("enough");

    expect(await call).toMatchObject({ isSent, error: "enough", response: undefined });
    for (const socket of sockets) socket.resume(); // a server that does not read does not notice the end
    await expect.poll(open).toBe(0);
    await expectNoLeaks();
  });
});

test("an abort while an idle connection is being checked sends nothing and keeps the connection", async () => {
  const { baseUrl, received } = await startRaw(respondWith(httpResponse("{}")));
  const send = createDirectSend();
  await responseFrom(baseUrl, { send });
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 1_000 }); // idle for a long time
  const controller = new AbortController();

  const call = trySend(baseUrl, { send, signal: controller.signal, body: "aborted" });
  controller.abort("enough");
  const result = await call;
  await eventLoopTurns(3);
  await responseFrom(baseUrl, { send });

  expect(result).toMatchObject({ isSent: false, error: "enough" });
  expect(received).toHaveLength(1);
  expect(received[0]).not.toContain("aborted");
});

test("aborting a waiting call lets the calls behind it continue", async () => {
  const { baseUrl, received } = await startRaw((socket) => {
    socket.on("data", (data) => data.toString().includes("go") && socket.write(httpResponse("{}")));
  });
  const send = createDirectSend({ maxSockets: 1 });
  const [first, second] = [new AbortController(), new AbortController()];

  const calls = [
    trySend(baseUrl, { send, signal: first.signal, body: "stay" }),
    trySend(baseUrl, { send, signal: second.signal, body: "never" }),
    trySend(baseUrl, { send, body: "go" }),
  ];
  await expect.poll(() => received[0]).toContain("stay");
  second.abort("second");
  first.abort("first");
  const results = await Promise.all(calls);

  expect(results.map(({ error, isSent }) => ({ error, isSent }))).toEqual([
    { error: "first", isSent: true },
    { error: "second", isSent: false },
    { error: undefined, isSent: true },
  ]);
  expect(received.join("")).not.toContain("never");
});
