import { describe, expect, test } from "vitest";
import { closedBaseUrl } from "../support/http-server.ts";
import { answerOf, directSend, endingOf } from "./support/direct.ts";
import { answer, type OnSocket, saying, startRaw, startRawTls } from "./support/raw-server.ts";

/** What a failure tells of itself. */
const told = (error: unknown) => ({ ...(error as object), message: (error as Error).message });

describe("what failed before a byte left is known to have", () => {
  test("the connection is refused", async () => {
    const { left, error } = await endingOf(await closedBaseUrl());

    expect(left).toBe(false);
    expect(error).toMatchObject({ code: "ECONNREFUSED", syscall: "connect" });
  });

  test("a host with several addresses refuses at all of them", async () => {
    const { port } = new URL(await closedBaseUrl());

    const { left, error } = await endingOf(`http://localhost:${port}`);

    expect(left).toBe(false);
    expect(error).toMatchObject({ name: "Error", code: "ECONNREFUSED", syscall: "connect" });
  });

  test("the host name does not exist", async () => {
    const { left, error } = await endingOf("http://nowhere.invalid");

    expect(left).toBe(false);
    expect(error).toMatchObject({ code: expect.stringMatching(/^(ENOTFOUND|EAI_AGAIN)$/) });
  }, 30_000); // a resolver may take its time

  test("a certificate that nobody signed: the server can read nothing", async () => {
    const { baseUrl, received } = await startRawTls(saying(answer("{}")));

    const { left, error } = await endingOf(baseUrl, { body: '{"card":"4111"}' });

    expect(left).toBe(false);
    expect(error).toMatchObject({ code: "DEPTH_ZERO_SELF_SIGNED_CERT" });
    expect(received.join("")).toBe("");
  });

  test("a server that ends the connection before its TLS stands", async () => {
    const { port } = await startRaw((socket) => socket.once("data", () => socket.destroy()));

    const { left, error } = await endingOf(`https://127.0.0.1:${port}`);

    expect(left).toBe(false);
    expect(error).toMatchObject({ code: "ECONNRESET" });
  });

  test("a server that never finishes its TLS: connecting took too long", async () => {
    const { port, received } = await startRaw();
    const send = directSend({ connectTimeout: 50 });

    const { left, error } = await endingOf(`https://127.0.0.1:${port}`, { send, body: "4111111111111111" });

    expect(left).toBe(false);
    expect(error).toMatchObject({ code: "ETIMEDOUT", syscall: "connect" });
    expect(received.join("")).not.toContain("4111111111111111");
  });

  test("the signal aborts while TLS is made", async () => {
    const { port, open } = await startRaw();
    const controller = new AbortController();

    const call = endingOf(`https://127.0.0.1:${port}`, { signal: controller.signal });
    await expect.poll(open).toBe(1);
    controller.abort("enough");

    expect(await call).toMatchObject({ left: false, error: "enough" });
    await expect.poll(open).toBe(0);
  });

  test("the signal aborts while every connection is busy", async () => {
    const { baseUrl, received } = await startRaw();
    const send = directSend({ maxSockets: 1 });
    const [busy, waiting] = [new AbortController(), new AbortController()];

    const first = endingOf(baseUrl, { send, signal: busy.signal });
    await expect.poll(() => received[0]).toContain("amount");
    const second = endingOf(baseUrl, { send, signal: waiting.signal, body: "second" });
    waiting.abort("enough");

    expect(await second).toMatchObject({ left: false, error: "enough" });
    busy.abort("too");
    expect(await first).toMatchObject({ left: true, error: "too" });
    expect(received.join("")).not.toContain("second");
  });

  test.each<[string, string, object]>([
    ["a URL that is none", "nowhere", {}],
    ["another protocol", "ftp://127.0.0.1", {}],
    ["a URL with a password", "http://user:pass@127.0.0.1", {}],
    ["a header that HTTP does not allow", "", { headers: { "x-name": "a\nb" } }],
    ["a method that is none", "", { method: "PO ST" }],
  ])("%s", async (_what, url, sending) => {
    const { baseUrl, received } = await startRaw(saying(answer("{}")));
    const send = directSend({ maxSockets: 1 });

    const ending = await endingOf(url === "" ? baseUrl : url, { send, ...sending });

    expect(ending).toMatchObject({ left: false, heard: false, error: { name: "TypeError" } });
    expect(received.join("")).toBe("");
    // What it did not use is there for the next.
    expect((await answerOf(baseUrl, { send })).text).toBe("{}");
    expect(received).toHaveLength(1);
  });
});

describe("what failed afterwards may have left", () => {
  test.each<[string, OnSocket]>([
    ["reset at the first byte", (socket) => socket.once("data", () => socket.resetAndDestroy())],
    ["ended without an answer", (socket) => socket.once("data", () => socket.end())],
    ["ended inside the head", (socket) => socket.once("data", () => socket.end("HTTP/1.1 201 Cre"))],
  ])("a connection that is %s", async (_how, onSocket) => {
    const { baseUrl, received } = await startRaw(onSocket);

    const { left, heard, error } = await endingOf(baseUrl);

    expect({ left, heard }).toEqual({ left: true, heard: false });
    expect(told(error)).toMatchObject({ code: expect.stringMatching(/^(ECONNRESET|EPIPE)$/) });
    expect(received).toHaveLength(1);
  });

  test("an abort before the head", async () => {
    const { baseUrl, received, open } = await startRaw();
    const controller = new AbortController();

    const call = endingOf(baseUrl, { signal: controller.signal });
    await expect.poll(() => received[0]).toContain("amount");
    controller.abort("enough");

    expect(await call).toMatchObject({ left: true, heard: false, error: "enough" });
    await expect.poll(open).toBe(0);
  });
});
