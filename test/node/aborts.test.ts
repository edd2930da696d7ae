import zlib, { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test, vi } from "vitest";
import { answerOf, directSend, endingOf } from "./support/direct.ts";
import { nothingLeftBehind } from "./support/left-behind.ts";
import { answer, type OnSocket, saying, startRaw } from "./support/raw-server.ts";

const packed = gzipSync(JSON.stringify(Array.from({ length: 20_000 }, (_, place) => place * 7_919)));

afterEach(() => vi.useRealTimers());

async function turnsOfTheLoop(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

const never: OnSocket = () => undefined;
const head = "HTTP/1.1 201 Created\r\n";

describe("an abort leaves no connection, no timer and no listener behind", () => {
  test.each<[string, OnSocket]>([
    ["before the head", never],
    ["inside the head", saying(head)],
    ["inside a body of known length", saying(`${head}content-length: 9\r\n\r\n{"a"`)],
    ["inside a body that is packed", saying(`${head}content-encoding: gzip\r\n\r\n`, packed.subarray(0, 99))],
    [
      "inside one that is unpacked as it comes",
      saying(`${head}content-encoding: gzip\r\n\r\n`, packed.subarray(0, 30_000)),
    ],
  ])("%s", async (_when, onSocket) => {
    const { baseUrl, received, open } = await startRaw(onSocket);
    const controller = new AbortController();
    const checkLeftovers = nothingLeftBehind(controller.signal);

    const call = endingOf(baseUrl, { signal: controller.signal });
    await expect.poll(() => received[0]).toContain("amount");
    await turnsOfTheLoop(10); // what the server says has to arrive
    controller.abort("enough");

    expect(await call).toMatchObject({ left: true, error: "enough", answer: undefined });
    await expect.poll(open).toBe(0);
    await checkLeftovers();
  });

  test("and nothing goes on unpacking", async () => {
    const made = vi.spyOn(zlib, "createGunzip");
    const head = "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n";
    const { baseUrl } = await startRaw(saying(head, packed.subarray(0, 30_000)));
    const controller = new AbortController();

    const call = endingOf(baseUrl, { signal: controller.signal });
    await expect.poll(() => made.mock.results.length).toBe(1);
    controller.abort("enough");
    await call;

    expect(made.mock.results[0]?.value).toMatchObject({ destroyed: true });
  });

  test("while a large request is written", async () => {
    let read = (): unknown => undefined;
    const { baseUrl, received, open } = await startRaw((socket) => {
      read = () => socket.resume();
      socket.pause();
    });
    const controller = new AbortController();
    const checkLeftovers = nothingLeftBehind(controller.signal);

    const call = endingOf(baseUrl, { signal: controller.signal, body: "x".repeat(20_000_000) });
    await expect.poll(() => received.length).toBe(1);
    controller.abort("enough");

    expect(await call).toMatchObject({ left: true, error: "enough" });
    read(); // a server that does not read does not see the end
    await expect.poll(open).toBe(0);
    await checkLeftovers();
  });

  test("while the connection is made", async () => {
    const { port, open } = await startRaw();
    const controller = new AbortController();
    const checkLeftovers = nothingLeftBehind(controller.signal);

    const call = endingOf(`https://127.0.0.1:${port}`, { signal: controller.signal });
    await expect.poll(open).toBe(1);
    controller.abort("enough");

    expect(await call).toMatchObject({ left: false, error: "enough" });
    await checkLeftovers();
  });
});

test("a signal that has aborted already opens no connection", async () => {
  const { baseUrl, received } = await startRaw();

  const ending = await endingOf(baseUrl, { signal: AbortSignal.abort("enough") });

  expect(ending).toMatchObject({ left: false, error: "enough" });
  expect(received).toEqual([]);
});

test("an abort while an idle connection is being checked sends nothing and keeps the connection", async () => {
  const { baseUrl, received } = await startRaw(saying(answer("{}")));
  const send = directSend();
  await answerOf(baseUrl, { send });
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 1_000 }); // a long rest
  const controller = new AbortController();

  const call = endingOf(baseUrl, { send, signal: controller.signal, body: "aborted" });
  controller.abort("enough");
  const ending = await call;
  await turnsOfTheLoop(3);
  await answerOf(baseUrl, { send });

  expect(ending).toMatchObject({ left: false, error: "enough" });
  expect(received).toHaveLength(1);
  expect(received[0]).not.toContain("aborted");
});

test("one that waits is aborted, and those behind it are served", async () => {
  const { baseUrl, received } = await startRaw((socket) => {
    socket.on("data", (data) => data.toString().includes("go") && socket.write(answer("{}")));
  });
  const send = directSend({ maxSockets: 1 });
  const [first, second] = [new AbortController(), new AbortController()];

  const calls = [
    endingOf(baseUrl, { send, signal: first.signal, body: "stay" }),
    endingOf(baseUrl, { send, signal: second.signal, body: "never" }),
    endingOf(baseUrl, { send, body: "go" }),
  ];
  await expect.poll(() => received[0]).toContain("stay");
  second.abort("second");
  first.abort("first");
  const endings = await Promise.all(calls);

  expect(endings.map(({ error, left }) => ({ error, left }))).toEqual([
    { error: "first", left: true },
    { error: "second", left: false },
    { error: undefined, left: true },
  ]);
  expect(received.join("")).not.toContain("never");
});

test("the signal of a call that is over keeps no listener", async () => {
  const { baseUrl } = await startRaw(saying(answer("{}")));
  const controller = new AbortController();
  const checkLeftovers = nothingLeftBehind(controller.signal);
  const send = directSend({ idleTimeout: 20 });

  await answerOf(baseUrl, { send, signal: controller.signal });

  await checkLeftovers();
});
