import type { IncomingMessage } from "node:http";
import { connect } from "node:net";
import { buffer, text } from "node:stream/consumers";
import { describe, expect, test, vi } from "vitest";
import { aReceiver, FAILED, HANDLED, serve, toReply, urlAt, urlOf } from "../support/receiver.ts";
import { POSTBACK } from "../support/signing.ts";

const TEXT = JSON.stringify(POSTBACK);

/** The beginnings of requests whose bodies never end. */
const CHUNKED = "POST /p HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n";
const INCOMPLETE = "POST /p HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\n{";

const TOO_LARGE = { issues: [{ message: "the body has more than 1000 bytes" }] };
const CONFIGURATION_ERROR = [{ type: "failed", status: 500, error: { code: "configuration" } }];

describe("fetch reads a body", () => {
  /** A body in chunks; it ends when `next` returns `undefined`. */
  function inChunks(next: () => Promise<Uint8Array | undefined> | Uint8Array | undefined, cancel = () => {}) {
    return new ReadableStream({
      async pull(controller) {
        const chunk = await next();
        if (chunk === undefined) controller.close();
        else controller.enqueue(chunk);
      },
      cancel,
    });
  }

  async function posting(body: BodyInit, headers: HeadersInit = {}) {
    return new Request(await urlOf(), { method: "POST", body, headers, duplex: "half" } as RequestInit);
  }

  test("in chunks that split a character", async () => {
    const { handler, onPostback } = aReceiver();
    const bytes = new TextEncoder().encode(JSON.stringify({ ...POSTBACK, transactionDate: "às 9" }));
    let at = 0;
    const body = inChunks(() => (at === bytes.length ? undefined : bytes.slice(at, ++at)));

    expect(await toReply(await handler.fetch(await posting(body)))).toEqual(HANDLED);
    expect(onPostback.mock.calls[0]?.[0]).toMatchObject({ transactionDate: "às 9" });
  });

  test.each([
    [65_536, 200],
    [65_537, 413],
  ])("of %d bytes: %d", async (size, status) => {
    const { handler } = aReceiver();
    const chunks = [new TextEncoder().encode(TEXT.padEnd(size))];

    const announced = await handler.fetch(await posting(TEXT.padEnd(size)));
    const streamed = await handler.fetch(await posting(inChunks(() => chunks.pop())));

    expect([announced.status, streamed.status]).toEqual([status, status]);
  });

  test.each<[string, object, number, () => Promise<Uint8Array>, object]>([
    ["limit", { maxBytes: 1_000 }, 413, async () => new Uint8Array(400), TOO_LARGE],
    ["timeout", { timeout: 30 }, 408, () => new Promise(() => undefined), {}],
  ])("up to the %s, if it never ends", async (_which, options, status, next, error) => {
    const cancelled = vi.fn();
    const { handler, events } = aReceiver(options);

    const response = await handler.fetch(await posting(inChunks(next, cancelled)));

    expect(response.status).toBe(status);
    expect(cancelled).toHaveBeenCalledTimes(1);
    expect(events).toMatchObject([{ type: "refused", status, error }]);
  });

  test("not at all if its content-length is too large, and closes the connection", async () => {
    const pull = vi.fn();
    const { handler } = aReceiver();
    const body = new ReadableStream({ pull }, { highWaterMark: 0 });

    const response = await handler.fetch(await posting(body, { "content-length": "65537" }));

    expect(response.status).toBe(413);
    expect(response.headers.get("connection")).toBe("close"); // otherwise the rest would be read as the next request
    expect(pull).not.toHaveBeenCalled();
  });

  test("and reports an error if it was already read", async () => {
    const { handler, events } = aReceiver();
    const request = await posting(TEXT);
    await request.json();

    expect(await toReply(await handler.fetch(request))).toEqual(FAILED);
    expect(events).toMatchObject(CONFIGURATION_ERROR);
  });
});

describe("node reads a body", () => {
  test.each([
    ["limit", { maxBytes: 1_000 }, `${CHUNKED}7d0\r\n${TEXT.padEnd(2_000)}`, 413],
    ["timeout", { timeout: 30 }, INCOMPLETE, 408],
  ])(
    "up to the %s, if it never ends, and closes the connection",
    async (_which, options, request, status) => {
      const { handler, onPostback } = aReceiver(options);
      const socket = connect(Number(new URL(await serve(handler.node)).port), "127.0.0.1");
      socket.write(request);

      const response = await text(socket);

      expect(response).toMatch(new RegExp(`^HTTP/1\\.1 ${status} .*^connection: close\r$`, "ims"));
      expect(onPostback).not.toHaveBeenCalled();
    },
  );

  test("and sends no connection header over HTTP/2", async () => {
    const { handler } = aReceiver();
    const response = { statusCode: 0, setHeader: vi.fn(), end: vi.fn() };
    const headers = { "content-length": "65537" };
    const request = { httpVersionMajor: 2, method: "POST", url: "/p", headers, readableEnded: false };

    await handler.node({ ...request, destroyed: false, on: vi.fn(), removeListener: vi.fn() }, response);

    expect(response.statusCode).toBe(413);
    expect(response.setHeader).not.toHaveBeenCalledWith("connection", expect.anything());
  });

  test.each([
    ["is cut off", false],
    ["was cut off before the handler is called", true],
  ])("that %s, without ending the process and without waiting", async (_when, isGoneFirst) => {
    const receiver = aReceiver({ timeout: 60_000 });
    const baseUrl = await serve((request, response) => {
      const handle = () => void receiver.handler.node(request, response);
      if (isGoneFirst) request.on("error", () => undefined).on("close", handle);
      else handle();
    });
    const socket = connect(Number(new URL(baseUrl).port), "127.0.0.1");

    socket.write(INCOMPLETE, () => socket.resetAndDestroy());

    const issues = [{ field: "", message: "the connection closed before the end of the body" }];
    await expect.poll(() => receiver.events).toMatchObject([{ status: 400, error: { issues } }]);
    expect(receiver.onPostback).not.toHaveBeenCalled();
  });

  test.each<[string, (request: IncomingMessage) => unknown]>([
    ["that a middleware decodes to text", (request) => request.setEncoding("utf8")],
    ["that a middleware has paused", (request) => request.pause()],
    ["if request.body is null", (request) => Object.assign(request, { body: null })],
    ["if request.body is an empty object", (request) => Object.assign(request, { body: {} })],
    ["if request.body is an empty string", (request) => Object.assign(request, { body: "" })],
  ])("%s", async (_what, prepare) => {
    const { handler } = aReceiver();
    const baseUrl = await serve(async (request, response) => {
      prepare(request);
      await new Promise((resolve) => setImmediate(resolve));
      await handler.node(request, response);
    });
    const body = JSON.stringify({ ...POSTBACK, transactionDate: "ontem às 9" });

    expect(await toReply(await fetch(await urlAt(baseUrl), { method: "POST", body }))).toEqual(HANDLED);
  });

  test.each<[string, object, (request: IncomingMessage, handle: () => unknown) => unknown]>([
    [
      "the getter of request.body throws",
      { name: "SyntaxError" },
      (request, handle) => {
        Object.defineProperty(request, "body", { get: () => JSON.parse("{") });
        return handle();
      },
    ],
    [
      "a part of it was already read",
      { code: "configuration" },
      (request, handle) => request.once("data", handle),
    ],
  ])("and reports an error if %s", async (_what, error, prepare) => {
    const { handler, events } = aReceiver();
    const baseUrl = await serve((request, response) => {
      prepare(request, () => handler.node(request, response));
    });

    expect(await toReply(await fetch(await urlAt(baseUrl), { method: "POST", body: TEXT }))).toEqual(FAILED);
    expect(events).toMatchObject([{ type: "failed", status: 500, error }]);
  });
});

describe("a body that a framework has already read is read from request.body", () => {
  const refused = (message: string) => ({ status: 400, body: { issues: [{ message }] } });

  test.each<[string, (body: Buffer) => unknown, object]>([
    ["an object", (body) => JSON.parse(body.toString()), HANDLED],
    ["a string", (body) => body.toString(), HANDLED],
    ["a Buffer", (body) => body, HANDLED],
    ["an ArrayBuffer", (body) => new Uint8Array(body).buffer, HANDLED],
    ["an array", () => [], refused("the body must be text, bytes or an object, but is an array")],
    [
      "an empty object: some frameworks set it if they read nothing",
      () => ({}),
      refused("the body is empty"),
    ],
    ["an empty string", () => "", refused("the body is empty")],
    ["a string with too many bytes", () => TEXT.padEnd(40_000, "ç"), { status: 413 }],
    ["a Buffer that is too large", () => Buffer.from(TEXT.padEnd(65_537)), { status: 413 }],
    ["undefined", () => undefined, FAILED],
    ["null", () => null, FAILED],
  ])("%s", async (_what, framework, reply) => {
    const { handler, onPostback, events } = aReceiver();
    const baseUrl = await serve(async (request, response) => {
      const body = framework(await buffer(request));
      await handler.node(Object.assign(request, { body }), response);
    });

    const response = await fetch(await urlAt(baseUrl), { method: "POST", body: TEXT });

    expect(await toReply(response)).toMatchObject(reply);
    if (reply === HANDLED) expect(onPostback.mock.calls[0]?.[0]).toMatchObject(POSTBACK);
    if (reply === FAILED) expect(events).toMatchObject(CONFIGURATION_ERROR);
  });
});
