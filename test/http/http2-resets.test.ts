import { createSecureServer, type Http2SecureServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { SELF_SIGNED } from "../support/http-server.ts";
import { aPix, failureOf, merchantAt } from "../support/merchant.ts";

const VALIDATION = JSON.stringify({ success: false, message: "Validation Error", errors: [] });

describe("a stream of HTTP/2 that is reset, which fetch reports as the end of the body", () => {
  /** Starts a server that sends a part of a body with 400 and resets the stream. */
  async function startHttp2(part: string, code: number): Promise<string> {
    const server: Http2SecureServer = createSecureServer(SELF_SIGNED);
    server.on("stream", (stream) => {
      stream.on("error", () => undefined);
      stream.resume().on("end", () => {
        stream.respond({ ":status": 400, "content-type": "application/json" });
        if (part === "") stream.close(code);
        else stream.write(part, () => stream.close(code));
      });
    });
    const sessions = new Set<{ destroy(): void }>();
    server.on("session", (session) => sessions.add(session));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      for (const session of sessions) session.destroy();
      server.close();
    });
    return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** A `fetch` that speaks HTTP/2, as that of Node 26 does by default. */
  async function http2Fetch(): Promise<typeof fetch> {
    await fetch("data:,"); // undici is loaded by its first use
    const agent: object = Reflect.get(globalThis, Symbol.for("undici.globalDispatcher.1"));
    const Agent = agent.constructor as new (options: object) => object;
    const dispatcher = new Agent({ allowH2: true, connect: { rejectUnauthorized: false } });
    return (url, init) => fetch(url, { ...init, dispatcher } as RequestInit);
  }

  const NO_ERROR = 0;
  const INTERNAL_ERROR = 2;
  const CANCEL = 8;

  test.each([
    [NO_ERROR, 30, "unknown"],
    [INTERNAL_ERROR, 30, "unknown"],
    [CANCEL, 1, "unknown"],
    [CANCEL, 0, "unknown"],
    [CANCEL, VALIDATION.length, "rejected"],
  ])("with code %d after %d characters of a 400 is %s", async (code, length, outcome) => {
    const body = VALIDATION.slice(0, length);
    const baseUrl = await startHttp2(body, code);
    const { payments } = merchantAt(baseUrl, { fetch: await http2Fetch() });

    const error = await failureOf(payments.transactions.createPix(aPix()));

    expect(error).toMatchObject({ status: 400, outcome, body });
  });
});
