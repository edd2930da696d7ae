import { Socket } from "node:net";
import { nodeTransport } from "payments-sdk/node";
import { expect, onTestFinished, test } from "vitest";
import { findTransport } from "../../src/http/transport.ts";
import { ConnectionPool } from "../../src/node/connection-pool.ts";
import type { SocketFactory } from "../../src/node/open-socket.ts";
import { TargetCache } from "../../src/node/target-cache.ts";
import { responseFrom } from "./support/direct-send.ts";
import { httpResponse, respondWith, startRaw } from "./support/raw-server.ts";

const RULES = { maxSockets: 8, idleTimeout: 1_000, connectTimeout: 1_000 };
const WAITER = { onConnection: () => undefined, onNoConnection: () => undefined };

/** Looks up more URLs than a cache holds. */
function fillCache(cache: TargetCache): void {
  for (let port = 1_000; port < 1_100; port += 1) cache.find(`http://127.0.0.1:${port}/`);
}

test("the pool of a host without connections is removed, so that many hosts do not use more and more memory", () => {
  const cache = new TargetCache(RULES);
  const { pool } = cache.find("http://127.0.0.1:9/");

  fillCache(cache);

  expect(cache.find("http://127.0.0.1:9/").pool).not.toBe(pool);
});

test("a pool with a waiting call is kept: a second pool would allow twice as many connections", () => {
  const cache = new TargetCache(RULES);
  const { pool } = cache.find("http://127.0.0.1:9/");
  pool.wait(WAITER);
  onTestFinished(() => pool.cancelWait(WAITER));

  fillCache(cache);

  expect(cache.find("http://127.0.0.1:9/other").pool).toBe(pool);
});

test("a call that stops waiting cancels the newest pending connection and leaves the older ones to other calls", () => {
  const started: Socket[] = [];
  const factory: Pick<SocketFactory, "create"> = {
    create: (_address, onStarted) => {
      const socket = new Socket();
      started.push(socket);
      onStarted(socket);
    },
  };
  const pool = new ConnectionPool(factory as SocketFactory, { hostname: "127.0.0.1", port: 9 }, RULES);
  const waiters = [1, 2, 3].map(() => ({ ...WAITER }));
  for (const waiter of waiters) pool.wait(waiter);

  const [first, second, third] = waiters;
  if (first) pool.cancelWait(first);
  const afterOne = started.map(({ destroyed }) => destroyed);
  for (const waiter of [second, third]) if (waiter) pool.cancelWait(waiter);

  expect(afterOne).toEqual([false, false, true]);
  expect(started.map(({ destroyed }) => destroyed)).toEqual([true, true, true]);
});

function createTransport() {
  const transport = nodeTransport();
  const send = findTransport(transport);
  if (send === undefined) throw new Error("the transport offers no direct send");
  return { transport, send };
}

test("closing the transport closes idle connections", async () => {
  const { baseUrl, open } = await startRaw(respondWith(httpResponse("{}")));
  const { transport, send } = createTransport();
  await Promise.all([responseFrom(baseUrl, { send }), responseFrom(baseUrl, { send })]);
  const before = open();

  transport.close();

  expect(before).toBe(2);
  await expect.poll(open).toBe(0);
});

test("a call in flight continues when its transport is closed, and its connection closes with it", async () => {
  let reply = (): unknown => undefined;
  const { baseUrl, received, open } = await startRaw((socket) => {
    reply = () => socket.write(httpResponse("{}"));
  });
  const { transport, send } = createTransport();
  const call = responseFrom(baseUrl, { send });
  await expect.poll(() => received[0]).toContain("amount");

  transport.close();
  reply();

  expect((await call).text).toBe("{}");
  await expect.poll(open).toBe(0);
});

test("each call after the transport was closed opens its own connection", async () => {
  const { baseUrl, received, open } = await startRaw(respondWith(httpResponse("{}")));
  const { transport, send } = createTransport();
  transport.close();
  transport.close(); // twice is allowed

  const texts = [(await responseFrom(baseUrl, { send })).text, (await responseFrom(baseUrl, { send })).text];

  expect(texts).toEqual(["{}", "{}"]);
  expect(received).toHaveLength(2);
  await expect.poll(open).toBe(0);
});
