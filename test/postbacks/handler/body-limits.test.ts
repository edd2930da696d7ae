import { request as send } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, test, vi } from "vitest";
import { POSTBACK } from "../support/signing.ts";
import { answerOf, aReceiver, HANDLED, serve, urlAt, urlOf } from "./support/receiver.ts";

const TEXT = JSON.stringify(POSTBACK);

/** A body that comes in pieces; it ends where `next` gives nothing. */
function inPieces(next: () => Promise<string | undefined> | string | undefined, onCancel = () => {}) {
  return new ReadableStream({
    async pull(controller) {
      const piece = await next();
      if (piece === undefined) controller.close();
      else controller.enqueue(new TextEncoder().encode(piece));
    },
    cancel: onCancel,
  });
}

const never = new Promise<undefined>(() => {});

async function posting(body: BodyInit, headers: HeadersInit = {}) {
  return new Request(await urlOf(), { method: "POST", body, headers, duplex: "half" } as RequestInit);
}

describe("fetch reads a body", () => {
  test("that comes in pieces, cut inside a letter", async () => {
    const { handler, onPostback } = aReceiver();
    const bytes = new TextEncoder().encode(JSON.stringify({ ...POSTBACK, transactionDate: "às 9" }));
    let at = 0;
    const body = new ReadableStream({
      pull(controller) {
        if (at === bytes.length) controller.close();
        else controller.enqueue(bytes.slice(at, ++at));
      },
    });

    expect(await answerOf(await handler.fetch(await posting(body)))).toEqual(HANDLED);
    expect(onPostback.mock.calls[0]?.[0]).toMatchObject({ transactionDate: "às 9" });
  });

  test.each([
    [65_536, 200],
    [65_537, 413],
  ])("of %d bytes: %d", async (size, status) => {
    const { handler } = aReceiver();

    expect((await handler.fetch(await posting(TEXT.padEnd(size)))).status).toBe(status);
  });

  test("no further than the limit, where it has no end", async () => {
    const cancelled = vi.fn();
    const { handler, events } = aReceiver({ maxBytes: 1_000 });

    const response = await handler.fetch(await posting(inPieces(() => "x".repeat(400), cancelled)));

    expect(response.status).toBe(413);
    expect(cancelled).toHaveBeenCalledTimes(1);
    expect(events).toMatchObject([
      { type: "refused", status: 413, error: { issues: [{ message: "the body has more than 1000 bytes" }] } },
    ]);
  });

  test("not at all, where its length says that it is too large", async () => {
    const pull = vi.fn();
    const { handler } = aReceiver();

    const response = await handler.fetch(
      await posting(new ReadableStream({ pull }, { highWaterMark: 0 }), { "content-length": "65537" }),
    );

    expect(response.status).toBe(413);
    expect(response.headers.get("connection")).toBe("close"); // the rest would be taken for the next request
    expect(pull).not.toHaveBeenCalled();
  });

  test("and leaves no timer behind", async () => {
    const started = vi.spyOn(globalThis, "setTimeout");
    const stopped = vi.spyOn(globalThis, "clearTimeout");
    const { handler } = aReceiver({ timeout: 12_345 });

    await handler.fetch(await posting(TEXT));

    const deadline = started.mock.results[started.mock.calls.findIndex(([, ms]) => ms === 12_345)]?.value;
    expect(deadline).toBeDefined();
    expect(stopped).toHaveBeenCalledWith(deadline);
  });

  test("no longer than the deadline", async () => {
    const cancelled = vi.fn();
    const { handler, events } = aReceiver({ timeout: 30 });

    const response = await handler.fetch(await posting(inPieces(() => never, cancelled)));

    expect(response.status).toBe(408);
    expect(cancelled).toHaveBeenCalledTimes(1);
    expect(events).toMatchObject([{ type: "refused", status: 408 }]);
  });

  test("that breaks off: 400, and nothing runs", async () => {
    const { handler, onPostback } = aReceiver();
    const broken = inPieces(() => Promise.reject(new Error("c4nary")));

    const { status, body } = await answerOf(await handler.fetch(await posting(broken)));

    expect([status, body]).toEqual([
      400,
      { error: "invalid_postback", issues: [{ field: "", message: "the body broke off" }] },
    ]);
    expect(onPostback).not.toHaveBeenCalled();
  });
});

describe("node reads a body", () => {
  async function serving(options = {}) {
    const receiver = aReceiver(options);
    const baseUrl = await serve(receiver.handler.node);
    return { ...receiver, baseUrl, url: await urlAt(baseUrl) };
  }

  test.each([
    [65_536, 200],
    [65_537, 413],
    [5_000_000, 413],
  ])("of %d bytes: %d", async (size, status) => {
    const { url } = await serving();

    expect((await fetch(url, { method: "POST", body: TEXT.padEnd(size) })).status).toBe(status);
  });

  test("no further than the limit, where it does not tell its length, and closes the connection", async () => {
    const { url, onPostback } = await serving({ maxBytes: 1_000 });
    const { hostname, port, pathname, search } = new URL(url);

    const outcome = await new Promise<{ status: number | undefined; connection: string | undefined }>(
      (resolve, reject) => {
        const request = send({ hostname, port, path: pathname + search, method: "POST" }, (response) => {
          resolve({ status: response.statusCode, connection: response.headers.connection });
          request.destroy();
        });
        request.on("error", reject);
        request.write(TEXT.padEnd(2_000)); // and never ends
      },
    );

    expect(outcome).toEqual({ status: 413, connection: "close" });
    expect(onPostback).not.toHaveBeenCalled();
  });

  test("no longer than the deadline, and closes the connection", async () => {
    const { baseUrl } = await serving({ timeout: 30 });
    const socket = connect(Number(new URL(baseUrl).port), "127.0.0.1");
    socket.write("POST /p HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\n{");

    const answer = await text(socket);

    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toMatch(/^connection: close\r$/im);
  });

  test("that breaks off, without an end to the process", async () => {
    const { baseUrl, events } = await serving();
    const socket = connect(Number(new URL(baseUrl).port), "127.0.0.1");
    socket.write("POST /p HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\n{", () =>
      socket.resetAndDestroy(),
    );

    await expect.poll(() => events).toMatchObject([{ type: "refused", status: 400 }]);
  });

  test("and leaves the connection fit for the next one", async () => {
    const { baseUrl, url } = await serving();
    const { pathname, search } = new URL(url);
    const one = `POST ${pathname}${search} HTTP/1.1\r\nhost: a\r\ncontent-length: ${TEXT.length}\r\n\r\n${TEXT}`;
    const socket = connect(Number(new URL(baseUrl).port), "127.0.0.1");
    socket.write(`${one}GET /p HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`);

    const answers = (await text(socket)).match(/HTTP\/1\.1 \d+/g);

    expect(answers).toEqual(["HTTP/1.1 200", "HTTP/1.1 405"]);
  });
});
