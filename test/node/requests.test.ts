import { describe, expect, test } from "vitest";
import { answerOf, directSend } from "./support/direct.ts";
import { answer, saying, startRaw } from "./support/raw-server.ts";

/** What a request puts on the wire. */
async function wireOf(sending: Parameters<typeof answerOf>[1], path = ""): Promise<string> {
  const { baseUrl, received, port } = await startRaw(saying(answer("{}")));
  await answerOf(baseUrl + path, sending);
  return (received[0] ?? "").replaceAll(String(port), "PORT");
}

describe("what goes on the wire", () => {
  test("of a POST: its headers as given, where it goes, what is accepted, and its length in bytes", async () => {
    const wire = await wireOf({ headers: { authorization: "Basic x" }, body: "ação" }, "/api?a=1&b=%20#hash");

    expect(wire.split("\r\n")).toEqual([
      "POST /api?a=1&b=%20 HTTP/1.1",
      "host: 127.0.0.1:PORT",
      "accept-encoding: gzip, br, deflate",
      "user-agent: node",
      "authorization: Basic x",
      "content-length: 6",
      "Connection: keep-alive",
      "",
      Buffer.from("ação").toString("latin1"),
    ]);
  });

  test("of a caller who has a name of their own: that one", async () => {
    const wire = await wireOf({ headers: { "User-Agent": "shop/1" } });

    expect(wire.match(/user-agent: .*/gi)).toEqual(["user-agent: shop/1"]);
  });

  test("of a GET: neither a body nor a length", async () => {
    const wire = await wireOf({ method: "GET" });

    expect(wire).toMatch(/^GET \/ HTTP\/1\.1\r\n/);
    expect(wire).toMatch(/\r\n\r\n$/);
    expect(wire).not.toMatch(/content-length|transfer-encoding/i);
  });

  test("of a header beyond ASCII: a byte for each character, and the body still in UTF-8", async () => {
    const wire = await wireOf({ headers: { "x-name": "ç" }, body: "ç" });

    expect(wire).toContain("x-name: \xe7\r\n");
    expect(wire).toMatch(/\r\n\r\n\xc3\xa7$/);
  });

  test.each([
    ["content-length", "1"],
    ["transfer-encoding", "chunked"],
    ["Connection", "close"],
    ["upgrade", "websocket"],
  ])("a caller's %s does not change how a request is framed", async (name, value) => {
    const wire = await wireOf({ headers: { [name]: value }, body: "whole" });

    expect(wire).toContain("content-length: 5\r\n");
    expect(wire).not.toContain(value === "1" ? "content-length: 1" : value);
    expect(wire).toMatch(/\r\n\r\nwhole$/);
  });

  test("what a caller accepts goes before what the transport would", async () => {
    const wire = await wireOf({ headers: { "Accept-Encoding": "identity" } });

    expect(wire.match(/accept-encoding: .*/gi)).toEqual(["accept-encoding: identity"]);
  });
});

test("an answer that comes before the request was read is the answer, and its connection ends", async () => {
  let read = (): unknown => undefined;
  const { baseUrl, open } = await startRaw((socket) => {
    socket.once("data", () => {
      socket.pause();
      socket.write(answer("too large", "", "413 Payload Too Large"));
      read = () => socket.resume();
    });
  });
  const send = directSend({ idleTimeout: 600_000 });

  const got = await answerOf(baseUrl, { send, body: "x".repeat(20_000_000) });
  read(); // a server that does not read does not see the end

  expect(got).toMatchObject({ status: 413, text: "too large" });
  await expect.poll(open).toBe(0);
});

test.each([
  ["IPv4", "127.0.0.1"],
  ["IPv6", "::1"],
])("a host may be an address: %s", async (_kind, host) => {
  const { baseUrl, received } = await startRaw(saying(answer("{}")), host);

  const { status } = await answerOf(baseUrl);

  expect(status).toBe(200);
  expect(received[0]).toContain(`host: ${new URL(baseUrl).host}\r\n`);
});

test("a host with several addresses is reached at the one that answers", async () => {
  const { port } = await startRaw(saying(answer("{}")), "127.0.0.1"); // not at ::1

  const { status } = await answerOf(`http://localhost:${port}`);

  expect(status).toBe(200);
});
