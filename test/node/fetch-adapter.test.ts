import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { ALL, leaksIn, SECRET } from "../support/canaries.ts";
import {
  closedBaseUrl,
  json,
  type Reply,
  resetAfterReading,
  stallInBody,
  startServer,
  text,
} from "../support/http-server.ts";
import { createTransport } from "./support/direct-send.ts";

describe("called as a fetch", () => {
  test("it accepts headers as fetch does, and resolves with a Response", async () => {
    const { baseUrl, arrivals } = await startServer(json(201, { id: 1 }, { "set-cookie": ["a=1", "b=2"] }));

    const response = await createTransport()(baseUrl, { headers: new Headers({ "X-Name": "ç" }) });

    expect(response).toBeInstanceOf(Response);
    expect(response).toMatchObject({ ok: true, status: 201, statusText: "Created" });
    expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    expect(await response.json()).toEqual({ id: 1 });
    expect(arrivals[0]).toMatchObject({ method: "GET", headers: { "x-name": "ç" } });
  });

  test.each<[string, string | Uint8Array<ArrayBuffer>, string | undefined]>([
    ["text", "ação", "text/plain;charset=UTF-8"],
    ["bytes", new Uint8Array(Buffer.from("ação")), undefined],
  ])("it sends %s as fetch does", async (_kind, body, contentType) => {
    const { baseUrl, arrivals } = await startServer(json(200, {}));

    await createTransport()(baseUrl, { method: "post", body });
    await fetch(baseUrl, { method: "POST", body });

    const sent = { method: "POST", body: "ação", headers: { "content-length": "6" } };
    expect(arrivals).toMatchObject([sent, sent]);
    expect(arrivals.map(({ headers }) => headers["content-type"])).toEqual([contentType, contentType]);
  });

  test.each([
    ["a stream", new ReadableStream()],
    ["a form", new FormData()],
  ])("it refuses to send %s, and opens no connection for it", async (_kind, body) => {
    const { baseUrl, connections } = await startServer(json(200, {}));

    const call = createTransport()(baseUrl, { method: "POST", body });

    await expect(call).rejects.toThrow("nodeTransport sends a body that is a string or a Uint8Array.");
    expect(connections()).toBe(0);
  });

  test.each<[number, string, object]>([
    [204, "POST", { body: null }],
    [200, "HEAD", { body: null }],
    [307, "GET", { redirected: false }], // whatever the option says
  ])("a response of %i to %s is returned as it is", async (status, method, expected) => {
    const { baseUrl, arrivals } = await startServer(text(status, "", { location: "/elsewhere" }));

    const response = await createTransport()(baseUrl, { method, redirect: "follow" });

    expect(response).toMatchObject({ status, ...expected });
    expect(arrivals).toHaveLength(1);
  });
});

const urlOf = async (reply: Reply) => (await startServer(reply)).baseUrl;
const TOO_LONG = { message: "the body is longer than 5,000,000 bytes" };

describe("called as a fetch, it rejects", () => {
  test.each<[string, () => Promise<string>, object]>([
    ["no server listens", closedBaseUrl, { code: "ECONNREFUSED" }],
    ["the connection breaks", () => urlOf(resetAfterReading), { code: "ECONNRESET" }],
    ["a Response cannot have the status", () => urlOf(text(999, "")), {}],
    ["the URL is invalid", async () => "nowhere", { code: "ERR_INVALID_URL" }],
    ["the body is longer than 5 MB", () => urlOf(text(200, "x".repeat(5_000_001))), TOO_LONG],
  ])("with a TypeError if %s", async (_what, start, cause) => {
    const error = await createTransport()(await start()).catch((thrown: unknown) => thrown);

    expect(error).toBeInstanceOf(TypeError);
    expect(error).toMatchObject({ message: "fetch failed", cause });
  });

  test("with the reason of its signal, before and in the middle of the body", async () => {
    const { baseUrl, arrivals } = await startServer(stallInBody(200, "beginning"));
    const controller = new AbortController();

    const before = createTransport()(baseUrl, { signal: AbortSignal.abort("at once") });
    const later = createTransport()(baseUrl, { signal: controller.signal });

    await expect(before).rejects.toBe("at once");
    await expect.poll(() => arrivals.length).toBe(1);
    controller.abort("enough");
    await expect(later).rejects.toBe("enough");
  });
});

test("neither the transport nor its errors expose what was sent", async () => {
  const { baseUrl } = await startServer(resetAfterReading);
  const send = createTransport();
  const request = { method: "POST", headers: { authorization: SECRET }, body: ALL.join() };
  const error = await send(baseUrl, request).catch((thrown: unknown) => thrown);

  expect(leaksIn(error)).toEqual([]);
  expect(leaksIn(send)).toEqual([]);
  expect(inspect(send, { breakLength: Number.POSITIVE_INFINITY })).toBe(
    "[AsyncFunction: nodeTransport] { close: [Function: close], Symbol(Symbol.dispose): [Function: close] }",
  );
});
