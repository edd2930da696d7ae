import { describe, expect, test } from "vitest";
import { createDirectSend, responseFrom, trySend } from "./support/direct-send.ts";
import { httpResponse, respondWith, startRaw } from "./support/raw-server.ts";

/** The bytes of a request as the server receives them. */
async function bytesOf(options: Parameters<typeof responseFrom>[1], path = ""): Promise<string> {
  const { baseUrl, received, port } = await startRaw(respondWith(httpResponse("{}")));
  await responseFrom(baseUrl + path, options);
  return (received[0] ?? "").replaceAll(String(port), "PORT");
}

describe("the bytes that are sent", () => {
  test("of a POST: its headers, the host, the accepted codings, and its length in bytes", async () => {
    const bytes = await bytesOf(
      { headers: { authorization: "Basic x" }, body: "ação" },
      "/api?a=1&b=%20#hash",
    );

    expect(bytes.split("\r\n")).toEqual([
      "POST /api?a=1&b=%20 HTTP/1.1",
      "host: 127.0.0.1:PORT",
      "accept-encoding: gzip, br, deflate",
      "user-agent: node",
      "authorization: Basic x",
      "content-length: 6",
      "connection: keep-alive",
      "",
      Buffer.from("ação").toString("latin1"),
    ]);
  });

  test("with custom headers instead of the defaults", async () => {
    const bytes = await bytesOf({ headers: { "user-agent": "shop/1", "accept-encoding": "br" } });

    const sent = bytes.match(/^(user-agent|accept-encoding): .*/gim);
    expect(sent?.sort()).toEqual(["accept-encoding: br", "user-agent: shop/1"]);
  });

  test("of a GET: no body and no length", async () => {
    const bytes = await bytesOf({ method: "GET" });

    expect(bytes).toMatch(/^GET \/ HTTP\/1\.1\r\n/);
    expect(bytes).toMatch(/\r\n\r\n$/);
    expect(bytes).not.toMatch(/content-length|transfer-encoding/i);
  });

  test("of a header beyond ASCII: one byte for each character, and the body still in UTF-8", async () => {
    const bytes = await bytesOf({ headers: { "x-name": "ç" }, body: "ç" });

    expect(bytes).toContain("x-name: \xe7\r\n");
    expect(bytes).toMatch(/\r\n\r\n\xc3\xa7$/);
  });

  test.each([
    ["content-length", "1"],
    ["transfer-encoding", "chunked"],
    ["connection", "close"],
    ["upgrade", "websocket"],
  ])("a custom %s header does not change how a request is framed", async (name, value) => {
    const bytes = await bytesOf({ headers: { [name]: value }, body: "whole" });

    expect(bytes).toContain("content-length: 5\r\n");
    expect(bytes).not.toContain(value === "1" ? "content-length: 1" : value);
    expect(bytes).toMatch(/\r\n\r\nwhole$/);
  });
});

test("a response that arrives before the request was read is returned, and its connection closes", async () => {
  let read = (): unknown => undefined;
  const { baseUrl, open } = await startRaw((socket) => {
    socket.once("data", () => {
      socket.pause();
      socket.write(httpResponse("too large", "", "413 Payload Too Large"));
      read = () => socket.resume();
    });
  });
  const send = createDirectSend({ idleTimeout: 600_000 });

  const response = await responseFrom(baseUrl, { send, body: "x".repeat(20_000_000) });
  read(); // a server that does not read does not notice the end

  expect(response).toMatchObject({ status: 413, text: "too large" });
  await expect.poll(open).toBe(0);
});

test.each([
  ["127.0.0.1", "127.0.0.1"],
  ["::1", "[::1]"],
  ["127.0.0.1", "localhost"], // not at ::1
])("a server at %s is reached as %s", async (address, host) => {
  const { port, received } = await startRaw(respondWith(httpResponse("{}")), address);

  const { status } = await responseFrom(`http://${host}:${port}`);

  expect(status).toBe(200);
  expect(received[0]).toContain(`host: ${host}:${port}\r\n`);
});

describe("a failure before the first byte proves that nothing was sent", () => {
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
