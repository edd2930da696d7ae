import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { startServer, text } from "../support/http-server.ts";
import { directSend, endingOf } from "./support/direct.ts";
import { startProxy, useProxies } from "./support/proxy.ts";
import { answer, saying, startRaw, startRawTls } from "./support/raw-server.ts";

describe("a proxy of the environment", () => {
  test("gets a request to http with its whole URL, over one connection", async () => {
    const { baseUrl, arrivals } = await startServer(text(200, "here"));
    const proxy = await startProxy();
    useProxies({ http_proxy: proxy.url });
    const send = directSend();

    const endings = [await endingOf(`${baseUrl}/a?b=1`, { send }), await endingOf(baseUrl, { send })];

    expect(endings.map(({ left, answer: got }) => [left, got?.text])).toEqual([
      [true, "here"],
      [true, "here"],
    ]);
    expect(proxy.asked).toEqual([`POST ${baseUrl}/a?b=1`, `POST ${baseUrl}/`]);
    expect(arrivals).toMatchObject([
      { method: "POST", url: "/a?b=1", body: '{"amount":1990}' },
      { method: "POST", url: "/" },
    ]);
  });

  test("learns its password, which the service does not", async () => {
    const { baseUrl, received } = await startRawTls(saying(answer("{}")));
    const { port } = new URL(baseUrl);
    const proxy = await startProxy();
    useProxies({
      https_proxy: proxy.url.replace("//", "//user:pass@"),
      http_proxy: proxy.url.replace("//", "//user:pass@"),
    });
    const plain = await startServer(text(200, ""));

    await endingOf(baseUrl);
    await endingOf(plain.baseUrl);

    const password = `Basic ${Buffer.from("user:pass").toString("base64")}`;
    expect(proxy.asked).toEqual([
      `CONNECT 127.0.0.1:${port} ${password}`,
      `POST ${plain.baseUrl}/ ${password}`,
    ]);
    expect(received.join("")).not.toContain("proxy-authorization");
  });

  test("that cannot be reached: nothing left", async () => {
    const { baseUrl, connections } = await startServer(text(200, ""));
    useProxies({ http_proxy: "http://127.0.0.1:1", https_proxy: "http://127.0.0.1:1" });

    const endings = [await endingOf(baseUrl), await endingOf("https://127.0.0.1:2")];

    expect(endings).toMatchObject([
      { left: false, error: { code: "ECONNREFUSED" } },
      { left: false, error: { code: expect.stringMatching(/^(ECONNREFUSED|ERR_PROXY_TUNNEL)$/) } },
    ]);
    expect(connections()).toBe(0);
  });

  test("that refuses a tunnel: nothing left", async () => {
    const { baseUrl, received } = await startRawTls(saying(answer("{}")));
    const proxy = await startProxy(403);
    useProxies({ https_proxy: proxy.url });

    const ending = await endingOf(baseUrl);

    expect(ending).toMatchObject({ left: false, error: { code: "ERR_PROXY_TUNNEL" } });
    expect(proxy.asked).toHaveLength(1);
    expect(received).toEqual([]);
  });

  test("does not get its password into an error", async () => {
    const { url } = await startProxy(407);
    useProxies({ https_proxy: url.replace("//", "//user:p4ssword@") });

    const { error } = await endingOf("https://pay.example");

    expect(error).toMatchObject({
      message: "the proxy opened no tunnel: HTTP/1.1 407",
      code: "ERR_PROXY_TUNNEL",
    });
    expect(inspect(error, { showHidden: true })).not.toContain("p4ssword");
  });

  test("whose tunnel leads to a certificate that nobody signed: nothing left", async () => {
    const { baseUrl, received } = await startRawTls(saying(answer("{}")));
    const proxy = await startProxy();
    useProxies({ https_proxy: proxy.url });

    const ending = await endingOf(baseUrl);

    expect(ending).toMatchObject({ left: false, error: { code: "DEPTH_ZERO_SELF_SIGNED_CERT" } });
    expect(proxy.asked).toHaveLength(1);
    expect(received.join("")).toBe("");
  });

  test.each([
    ["that never answers", { connectTimeout: 50 }, { code: "ETIMEDOUT", syscall: "connect" }],
    ["while the signal aborts", {}, "enough"],
  ])("%s: nothing left, and no connection to it", async (_what, options, error) => {
    const proxy = await startRaw();
    useProxies({ https_proxy: proxy.baseUrl });
    const controller = new AbortController();
    const send = directSend(options);

    const call = endingOf("https://pay.example", { send, signal: controller.signal });
    await expect.poll(() => proxy.received[0]).toContain("CONNECT pay.example:443");
    if (error === "enough") controller.abort(error);

    expect(await call).toMatchObject({ left: false, error });
    await expect.poll(proxy.open).toBe(0);
  });
});
