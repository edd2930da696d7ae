import { describe, expect, test } from "vitest";
import { closedBaseUrl } from "../support/http-server.ts";
import { answerOf, directSend, endingOf } from "./support/direct.ts";
import { answer, type OnSocket, saying, startRaw } from "./support/raw-server.ts";

describe("what failed before a byte left is known to have", () => {
  test("a host with several addresses refuses at all of them", async () => {
    const { port } = new URL(await closedBaseUrl());

    const { left, error } = await endingOf(`http://localhost:${port}`);

    expect(left).toBe(false);
    expect(error).toMatchObject({ name: "Error", code: "ECONNREFUSED", syscall: "connect" });
  });

  test("a server that never finishes its TLS: connecting took too long", async () => {
    const { port, received } = await startRaw();
    const send = directSend({ connectTimeout: 50 });

    const { left, error } = await endingOf(`https://127.0.0.1:${port}`, { send, body: "4111111111111111" });

    expect(left).toBe(false);
    expect(error).toMatchObject({ code: "ETIMEDOUT", syscall: "connect" });
    expect(received.join("")).not.toContain("4111111111111111");
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
    expect(error).toMatchObject({ code: expect.stringMatching(/^(ECONNRESET|EPIPE)$/) });
    expect(received).toHaveLength(1);
  });
});
