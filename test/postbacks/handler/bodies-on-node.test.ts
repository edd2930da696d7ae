import type { IncomingMessage } from "node:http";
import { connect } from "node:net";
import { buffer } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { POSTBACK } from "../support/signing.ts";
import { answerOf, aReceiver, FAILED, HANDLED, serve, urlAt } from "./support/receiver.ts";

const TEXT = JSON.stringify(POSTBACK);

/** A server whose framework does something to a request before the handler gets it. */
async function behind(framework: (request: IncomingMessage, body: Buffer) => unknown) {
  const receiver = aReceiver();
  const baseUrl = await serve(async (request, response) => {
    const body = await buffer(request);
    const made = framework(request, body);
    if (made !== undefined) Object.assign(request, { body: made });
    await receiver.handler.node(request, response);
  });
  const url = await urlAt(baseUrl);
  return { ...receiver, send: async (body: string) => answerOf(await fetch(url, { method: "POST", body })) };
}

describe("a body that a framework has read already is taken from request.body", () => {
  test.each<[string, (request: IncomingMessage, body: Buffer) => unknown]>([
    ["an object", (_request, body) => JSON.parse(body.toString())],
    ["a string", (_request, body) => body.toString()],
    ["a Buffer", (_request, body) => body],
    ["a Uint8Array", (_request, body) => new Uint8Array(body)],
    ["an ArrayBuffer", (_request, body) => new Uint8Array(body).buffer],
  ])("as %s", async (_what, framework) => {
    const { send, onPostback } = await behind(framework);

    expect(await send(TEXT)).toEqual(HANDLED);
    expect(onPostback.mock.calls[0]?.[0]).toMatchObject(POSTBACK);
  });

  test.each<[string, unknown, string]>([
    ["an array", [], "the body came as an array"],
    ["a number", 7, "the body came as a number"],
    ["an object without the fields", { a: 1 }, "is required"],
    ["an empty object, which some put where they read nothing", {}, "the body is empty"],
    ["an empty string", "", "the body is empty"],
  ])("but not as %s", async (_what, made, message) => {
    const { send } = await behind(() => made);

    const { status, body } = await send(TEXT);

    expect(status).toBe(400);
    expect((body as { issues: { message: string }[] }).issues[0]?.message).toBe(message);
  });

  test.each([
    ["a string", (size: number) => TEXT.padEnd(size)],
    [
      "a string whose bytes are more than its characters",
      (size: number) => TEXT.padEnd(size / 2 + TEXT.length, "ç"),
    ],
    ["a Buffer", (size: number) => Buffer.from(TEXT.padEnd(size))],
  ])("and has to keep to the limit as %s", async (_what, make) => {
    const { send } = await behind(() => make(65_537));

    expect((await send("x")).status).toBe(413);
  });
});

describe("a body that was read and is nowhere to be found", () => {
  test.each([[undefined], [null]])(
    "is the merchant's mistake, and is said: request.body is %s",
    async (made) => {
      const { send, events } = await behind((request) => Object.assign(request, { body: made }) && undefined);

      expect(await send(TEXT)).toEqual(FAILED);
      expect(events).toMatchObject([{ type: "failed", status: 500, error: { code: "configuration" } }]);
    },
  );
});

test.each<[string, unknown]>([
  ["nothing", undefined],
  ["null", null],
  ["an empty object", {}],
  ["an empty string", ""],
])("a body that nobody has read is read, also where request.body is %s", async (_what, body) => {
  const receiver = aReceiver();
  const baseUrl = await serve((request, response) =>
    receiver.handler.node(Object.assign(request, { body }), response),
  );

  expect(await answerOf(await fetch(await urlAt(baseUrl), { method: "POST", body: TEXT }))).toEqual(HANDLED);
});

test("a body that something else turns into text is read", async () => {
  const receiver = aReceiver();
  const baseUrl = await serve((request, response) =>
    receiver.handler.node(request.setEncoding("utf8"), response),
  );
  const body = JSON.stringify({ ...POSTBACK, transactionDate: "ontem às 9" });

  expect(await answerOf(await fetch(await urlAt(baseUrl), { method: "POST", body }))).toEqual(HANDLED);
});

test("a body that a middleware has paused is read", async () => {
  const receiver = aReceiver();
  const baseUrl = await serve(async (request, response) => {
    request.pause();
    await new Promise((resolve) => setImmediate(resolve));
    await receiver.handler.node(request, response);
  });

  expect(await answerOf(await fetch(await urlAt(baseUrl), { method: "POST", body: TEXT }))).toEqual(HANDLED);
});

test("a body of which somebody has read a part is the merchant's mistake, and is said", async () => {
  const receiver = aReceiver();
  const baseUrl = await serve((request, response) => {
    request.once("data", () => receiver.handler.node(request, response));
  });

  expect(await answerOf(await fetch(await urlAt(baseUrl), { method: "POST", body: TEXT }))).toEqual(FAILED);
  expect(receiver.events).toMatchObject([{ error: { code: "configuration" } }]);
});

test("a response that cannot be sent does not reject: what ran has run", async () => {
  const { handler, onPostback } = aReceiver();
  const ended: Promise<void>[] = [];
  const baseUrl = await serve((request, response) => {
    const end = () => {
      throw new Error("gone");
    };
    const broken = { statusCode: 0, setHeader: () => undefined, end };
    ended.push(handler.node(request, broken).finally(() => response.destroy()));
  });

  await fetch(await urlAt(baseUrl), { method: "POST", body: TEXT }).catch(() => undefined);

  await expect(Promise.all(ended)).resolves.toEqual([undefined]);
  expect(onPostback).toHaveBeenCalledTimes(1);
});

test("a sender who is gone before the handler looks costs no waiting", async () => {
  const receiver = aReceiver({ timeout: 60_000 });
  const baseUrl = await serve((request, response) => {
    request.on("error", () => undefined);
    request.on("close", () => receiver.handler.node(request, response));
  });
  const socket = connect(Number(new URL(baseUrl).port), "127.0.0.1");

  socket.write("POST /p HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\n{", () => socket.resetAndDestroy());

  await expect.poll(() => receiver.events).toMatchObject([{ type: "refused", status: 400 }]);
});
