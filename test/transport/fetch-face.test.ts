import { gzipSync } from "node:zlib";
import { type NodeTransport, nodeTransport } from "payments-sdk/node";
import { describe, expect, onTestFinished, test } from "vitest";
import { json, startServer, text } from "../support/http-server.ts";
import { answerOf } from "./support/direct.ts";
import { answer, saying, startRaw } from "./support/raw-server.ts";

function transport(): NodeTransport {
  const made = nodeTransport();
  onTestFinished(() => made.close());
  return made;
}

describe("called as a fetch", () => {
  test("it gives a Response", async () => {
    const { baseUrl } = await startServer(json(201, { id: 1 }, { "set-cookie": ["a=1", "b=2"] }));

    const response = await transport()(`${baseUrl}/api`, { method: "POST", body: "{}" });

    expect(response).toBeInstanceOf(Response);
    expect(response).toMatchObject({ ok: true, status: 201, statusText: "Created" });
    expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    expect(await response.json()).toEqual({ id: 1 });
  });

  test.each<[string, HeadersInit]>([
    ["an object", { "X-Name": "ç" }],
    ["pairs", [["X-Name", "ç"]]],
    ["Headers", new Headers({ "X-Name": "ç" })],
  ])("it takes headers as %s", async (_form, headers) => {
    const { baseUrl, arrivals } = await startServer(json(200, {}));

    await transport()(baseUrl, { headers });

    expect(arrivals[0]).toMatchObject({ method: "GET", headers: { "x-name": "ç" } });
  });

  test.each<[string, string | Uint8Array<ArrayBuffer>, string | undefined]>([
    ["text", "ação", "text/plain;charset=UTF-8"],
    ["bytes", new Uint8Array(Buffer.from("ação")), undefined],
  ])("it sends %s as fetch does", async (_kind, body, contentType) => {
    const { baseUrl, arrivals } = await startServer(json(200, {}));

    await transport()(baseUrl, { method: "post", body });
    await fetch(baseUrl, { method: "POST", body });

    const [ours, theirs] = arrivals;
    const seen = ({ method, headers, body: got }: NonNullable<typeof ours>) => [
      method,
      got,
      headers["content-type"],
      headers["content-length"],
    ];
    expect(ours && seen(ours)).toEqual(["POST", "ação", contentType, "6"]);
    expect(theirs && seen(theirs)).toEqual(ours && seen(ours));
  });

  test.each([
    ["a stream", new ReadableStream()],
    ["a form", new FormData()],
  ])("it refuses to send %s, and opens no connection for it", async (_kind, body) => {
    const { baseUrl, connections } = await startServer(json(200, {}));

    const call = transport()(baseUrl, { method: "POST", body });

    await expect(call).rejects.toThrow(
      new TypeError("nodeTransport sends a body that is a string or a Uint8Array."),
    );
    expect(connections()).toBe(0);
  });

  test("a redirect is an answer, whatever it was told", async () => {
    const { baseUrl, arrivals } = await startServer(text(307, "", { location: "/elsewhere" }));

    const response = await transport()(baseUrl, { redirect: "follow" });

    expect(response.status).toBe(307);
    expect(response.headers.get("location")).toBe("/elsewhere");
    expect(arrivals).toHaveLength(1);
  });

  test.each([
    [204, "POST"],
    [304, "POST"],
    [200, "HEAD"],
  ])("an answer of %i to %s has no body", async (status, method) => {
    const { baseUrl } = await startServer(text(status, ""));

    const response = await transport()(baseUrl, { method });

    expect(response).toMatchObject({ status, body: null });
  });

  test("a packed body is unpacked, and its header kept, as fetch does", async () => {
    const { baseUrl } = await startRaw(saying(answer(gzipSync("ação"), "content-encoding: gzip\r\n")));

    const response = await transport()(baseUrl);

    expect(await response.text()).toBe("ação");
    expect(response.headers.get("content-encoding")).toBe("gzip");
  });

  test.each<[string, Buffer]>([
    ["gzip", gzipSync("ação")],
    ["identity", Buffer.from("ação")],
    ["unknown", Buffer.from("ação")],
    ["gzip, unknown", Buffer.from("ação")],
    ["unknown, gzip", gzipSync("ação")],
    ["gzip", Buffer.alloc(0)],
  ])("a body in the coding %j reads as with fetch", async (coding, body) => {
    const { baseUrl } = await startRaw(saying(answer(body, `content-encoding: ${coding}\r\n`)));

    const [ours, theirs] = [await transport()(baseUrl), await fetch(baseUrl)];

    expect(await ours.text()).toBe(await theirs.text());
  });

  test.each(["efbbbf7b", "61ff62", "61e282", "eda080"])("bytes %s read as with fetch", async (hex) => {
    const { baseUrl } = await startRaw(saying(answer(Buffer.from(hex, "hex"))));

    const [ours, theirs] = [await answerOf(baseUrl), await fetch(baseUrl)];

    expect(ours.text).toBe(await theirs.text());
  });

  test("a body beyond 5 MB breaks off after what was read of it", async () => {
    const { baseUrl } = await startServer(text(200, "x".repeat(5_000_001)));

    const response = await transport()(baseUrl);
    const body = response.body?.getReader();

    let bytes = 0;
    await expect(async () => {
      for (;;) bytes += (await body?.read())?.value?.byteLength ?? 0;
    }).rejects.toThrow("too long");
    expect(bytes).toBe(5_000_001);
  });
});
