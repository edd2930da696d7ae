import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { startServer, text } from "../support/http-server.ts";
import { createDirectSend, trySend } from "./support/direct-send.ts";
import { startProxy, useProxies } from "./support/proxy.ts";
import { httpResponse, respondWith, startRaw, startRawTls } from "./support/raw-server.ts";

describe("a proxy from the environment", () => {
  test("gets http requests with their whole URL, over one connection", async () => {
    const { baseUrl, arrivals } = await startServer(text(200, "here"));
    const proxy = await startProxy();
    useProxies({ http_proxy: proxy.url });
    const send = createDirectSend();

    const results = [await trySend(`${baseUrl}/a?b=1`, { send }), await trySend(baseUrl, { send })];

    expect(results.map(({ isSent, response }) => [isSent, response?.text])).toEqual([
      [true, "here"],
      [true, "here"],
    ]);
    expect(proxy.requests).toEqual([`POST ${baseUrl}/a?b=1`, `POST ${baseUrl}/`]);
    expect(arrivals).toMatchObject([
      { method: "POST", url: "/a?b=1", body: '{"amount":1990}' },
      { method: "POST", url: "/" },
    ]);
  });

  test("gets its password, and the service does not", async () => {
    const { baseUrl, received } = await startRawTls(respondWith(httpResponse("{}")));
    const { port } = new URL(baseUrl);
    const proxy = await startProxy();
    useProxies({
      https_proxy: proxy.url.replace("//", "//user:pass@"),
      http_proxy: proxy.url.replace("//", "//user:pass@"),
    });
    const plain = await startServer(text(200, ""));

    await trySend(baseUrl);
    await trySend(plain.baseUrl);

    const password = `Basic ${Buffer.from("user:pass").toString("base64")}`;
    expect(proxy.requests).toEqual([
      `CONNECT 127.0.0.1:${port} ${password}`,
      `POST ${plain.baseUrl}/ ${password}`,
    ]);
    expect(received.join("")).not.toContain("proxy-authorization");
  });

  test("that cannot be reached: nothing was sent", async () => {
    const { baseUrl, connections } = await startServer(text(200, ""));
    useProxies({ http_proxy: "http://127.0.0.1:1", https_proxy: "http://127.0.0.1:1" });

    const results = [await trySend(baseUrl), await trySend("https://127.0.0.1:2")];

    expect(results).toMatchObject([
      { isSent: false, error: { code: "ECONNREFUSED" } },
      { isSent: false, error: { code: expect.stringMatching(/^(ECONNREFUSED|ERR_PROXY_TUNNEL)$/) } },
    ]);
    expect(connections()).toBe(0);
  });

  test("that refuses a tunnel: nothing was sent", async () => {
    const { baseUrl, received } = await startRawTls(respondWith(httpResponse("{}")));
    const proxy = await startProxy(403);
    useProxies({ https_proxy: proxy.url });

    const result = await trySend(baseUrl);

    expect(result).toMatchObject({ isSent: false, error: { code: "ERR_PROXY_TUNNEL" } });
    expect(proxy.requests).toHaveLength(1);
    expect(received).toEqual([]);
  });

  test("does not expose its password in an error", async () => {
    const { url } = await startProxy(407);
    useProxies({ https_proxy: url.replace("//", "//user:p4ssword@") });

    const { error } = await trySend("https://pay.example");

    expect(error).toMatchObject({
      message: "the proxy did not open a tunnel: HTTP/1.1 407",
      code: "ERR_PROXY_TUNNEL",
    });
    expect(inspect(error, { showHidden: true })).not.toContain("p4ssword");
  });

  test("whose tunnel leads to a self-signed certificate: nothing was sent", async () => {
    const { baseUrl, received } = await startRawTls(respondWith(httpResponse("{}")));
    const proxy = await startProxy();
    useProxies({ https_proxy: proxy.url });

    const result = await trySend(baseUrl);

    expect(result).toMatchObject({ isSent: false, error: { code: "DEPTH_ZERO_SELF_SIGNED_CERT" } });
    expect(proxy.requests).toHaveLength(1);
    expect(received.join("")).toBe("");
  });

  test.each([
    ["that never responds", { connectTimeout: 50 }, { code: "ETIMEDOUT", syscall: "connect" }],
    ["while the signal aborts", {}, "enough"],
  ])("%s: nothing was sent, and its connection is closed", async (_what, options, error) => {
    const proxy = await startRaw();
    useProxies({ https_proxy: proxy.baseUrl });
    const controller = new AbortController();
    const send = createDirectSend(options);

    const call = trySend("https://pay.example", { send, signal: controller.signal });
    await expect.poll(() => proxy.received[0]).toContain("CONNECT pay.example:443");
    if (error === "enough") controller.abort(error);

    expect(await call).toMatchObject({ isSent: false, error });
    await expect.poll(proxy.open).toBe(0);
  });
});
