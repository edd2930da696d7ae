import { Socket } from "node:net";
import { nodeTransport } from "payments-sdk/node";
import { expect, onTestFinished, test } from "vitest";
import { directSendOf } from "../../src/http/transport.ts";
import { ConnectionPool } from "../../src/node/connection-pool.ts";
import type { SocketFactory } from "../../src/node/open-socket.ts";
import { TargetCache } from "../../src/node/target-cache.ts";
import { answerOf } from "./support/direct.ts";
import { answer, saying, startRaw } from "./support/raw-server.ts";

const RULES = { maxSockets: 8, idleTimeout: 1_000, connectTimeout: 1_000 };
const NOBODY = { onConnection: () => undefined, onNoConnection: () => undefined };

/** More URLs than a book remembers. */
function findManyOthers(book: TargetCache): void {
  for (let port = 1_000; port < 1_100; port += 1) book.find(`http://127.0.0.1:${port}/`);
}

test("a host of which nobody uses a connection is forgotten, so that many hosts take no more and more room", () => {
  const book = new TargetCache(RULES);
  const { pool } = book.find("http://127.0.0.1:9/");

  findManyOthers(book);

  expect(book.find("http://127.0.0.1:9/").pool).not.toBe(pool);
});

test("one that somebody waits for is not: there would be two pools, and twice as many connections as allowed", () => {
  const book = new TargetCache(RULES);
  const { pool } = book.find("http://127.0.0.1:9/");
  pool.wait(NOBODY);
  onTestFinished(() => pool.cancelWait(NOBODY));

  findManyOthers(book);

  expect(book.find("http://127.0.0.1:9/other").pool).toBe(pool);
});

test("who gives up waiting ends the connection that was begun last, and leaves the older ones to the others", () => {
  const begun: Socket[] = [];
  const maker: Pick<SocketFactory, "create"> = {
    create: (_address, onStarted) => {
      const socket = new Socket();
      begun.push(socket);
      onStarted(socket);
    },
  };
  const pool = new ConnectionPool(maker as SocketFactory, { hostname: "127.0.0.1", port: 9 }, RULES);
  const waiters = [1, 2, 3].map(() => ({ onConnection: () => undefined, onNoConnection: () => undefined }));
  for (const waiter of waiters) pool.wait(waiter);

  const [first, second, third] = waiters;
  if (first) pool.cancelWait(first);
  const afterOne = begun.map(({ destroyed }) => destroyed);
  for (const waiter of [second, third]) if (waiter) pool.cancelWait(waiter);

  expect(afterOne).toEqual([false, false, true]);
  expect(begun.map(({ destroyed }) => destroyed)).toEqual([true, true, true]);
});

function aTransport() {
  const transport = nodeTransport();
  const send = directSendOf(transport);
  if (send === undefined) throw new Error("the transport offers no direct way");
  return { transport, send };
}

test("closing ends the connections that nobody uses", async () => {
  const { baseUrl, open } = await startRaw(saying(answer("{}")));
  const { transport, send } = aTransport();
  await Promise.all([answerOf(baseUrl, { send }), answerOf(baseUrl, { send })]);
  const before = open();

  transport.close();

  expect(before).toBe(2);
  await expect.poll(open).toBe(0);
});

test("a call under way goes on when its transport is closed, and its connection ends with it", async () => {
  let reply = (): unknown => undefined;
  const { baseUrl, received, open } = await startRaw((socket) => {
    reply = () => socket.write(answer("{}"));
  });
  const { transport, send } = aTransport();
  const call = answerOf(baseUrl, { send });
  await expect.poll(() => received[0]).toContain("amount");

  transport.close();
  reply();

  expect((await call).text).toBe("{}");
  await expect.poll(open).toBe(0);
});

test("a call after the transport was closed has a connection for itself", async () => {
  const { baseUrl, received, open } = await startRaw(saying(answer("{}")));
  const { transport, send } = aTransport();
  transport.close();
  transport.close(); // twice does no harm

  const texts = [(await answerOf(baseUrl, { send })).text, (await answerOf(baseUrl, { send })).text];

  expect(texts).toEqual(["{}", "{}"]);
  expect(received).toHaveLength(2);
  await expect.poll(open).toBe(0);
});
