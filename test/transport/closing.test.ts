import { nodeTransport } from "payments-sdk/node";
import { expect, test } from "vitest";
import { directSendOf } from "../../src/core/direct-transport.ts";
import { answerOf } from "./support/direct.ts";
import { answer, saying, startRaw } from "./support/raw-server.ts";

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
