import { describe, expect, test } from "vitest";
import { closedBaseUrl } from "../support/http-server.ts";
import { createDirectSend, responseFrom, trySend } from "./support/direct-send.ts";
import { httpResponse, type OnSocket, respondWith, startRaw } from "./support/raw-server.ts";

describe("a failure before the first byte proves that nothing was sent", () => {
  test("all addresses of a host refuse the connection", async () => {
    const { port } = new URL(await closedBaseUrl());

    const { isSent, error } = await trySend(`http://localhost:${port}`);

    expect(isSent).toBe(false);
    expect(error).toMatchObject({ name: "Error", code: "ECONNREFUSED", syscall: "connect" });
  });

  test("a server never finishes the TLS handshake", async () => {
    const { port, received } = await startRaw();
    const send = createDirectSend({ connectTimeout: 50 });

    const { isSent, error } = await trySend(`https://127.0.0.1:${port}`, { send, body: "4111111111111111" });

    expect(isSent).toBe(false);
    expect(error).toMatchObject({ code: "ETIMEDOUT", syscall: "connect" });
    expect(received.join("")).not.toContain("4111111111111111");
  });

  test.each<[string, string, object]>([
    ["an invalid URL", "nowhere", {}],
    ["another protocol", "ftp://127.0.0.1", {}],
    ["a URL with a password", "http://user:pass@127.0.0.1", {}],
    ["an invalid header", "", { headers: { "x-name": "a\nb" } }],
    ["an invalid method", "", { method: "PO ST" }],
  ])("%s", async (_what, url, options) => {
    const { baseUrl, received } = await startRaw(respondWith(httpResponse("{}")));
    const send = createDirectSend({ maxSockets: 1 });

    const result = await trySend(url === "" ? baseUrl : url, { send, ...options });

    expect(result).toMatchObject({ isSent: false, headersReceived: false, error: { name: "TypeError" } });
    expect(received.join("")).toBe("");
    // The next call gets the unused connection.
    expect((await responseFrom(baseUrl, { send })).text).toBe("{}");
    expect(received).toHaveLength(1);
  });
});

describe("after a later failure, the request may have been sent", () => {
  test.each<[string, OnSocket]>([
    ["reset at the first byte", (socket) => socket.once("data", () => socket.resetAndDestroy())],
    ["ended without a response", (socket) => socket.once("data", () => socket.end())],
    ["ended inside the headers", (socket) => socket.once("data", () => socket.end("HTTP/1.1 201 Cre"))],
  ])("a connection that is %s", async (_how, onSocket) => {
    const { baseUrl, received } = await startRaw(onSocket);

    const { isSent, headersReceived, error } = await trySend(baseUrl);

    expect({ isSent, headersReceived }).toEqual({ isSent: true, headersReceived: false });
    expect(error).toMatchObject({ code: expect.stringMatching(/^(ECONNRESET|EPIPE)$/) });
    expect(received).toHaveLength(1);
  });
});
