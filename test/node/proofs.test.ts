import { describe, expect, test } from "vitest";
import { createDirectSend, responseFrom, trySend } from "./support/direct-send.ts";
import { httpResponse, respondWith, startRaw } from "./support/raw-server.ts";

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
