import { nodeTransport } from "payments-sdk/node";
import { expect, onTestFinished, test } from "vitest";
import { findTransport } from "../../src/http/transport.ts";
import { ConnectionPools } from "../../src/node/connection-pool.ts";
import { responseFrom } from "./support/direct-send.ts";
import { httpResponse, respondWith, startRaw } from "./support/raw-server.ts";

test("the pools of many origins do not use more and more memory, but the pool of a call in flight is kept", async () => {
  const pools = new ConnectionPools({ maxSockets: 1, idleTimeout: 1_000, connectTimeout: 1_000 });
  const { port } = await startRaw();
  const find = (origin: string) => pools.find(origin, { protocol: "http:", host: "127.0.0.1", port });
  const [unused, used] = [find("unused"), find("used")];
  const connection = await used.acquire(undefined);
  onTestFinished(() => void connection.socket.destroy());

  for (let origin = 0; origin < 100; origin += 1) find(String(origin));

  expect(find("unused")).not.toBe(unused);
  expect(find("used")).toBe(used); // a second pool would allow twice as many connections
});

function createTransport() {
  const transport = nodeTransport();
  const send = findTransport(transport)?.send;
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
