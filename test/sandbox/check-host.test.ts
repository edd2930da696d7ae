import dns from "node:dns";
import { request as httpRequest } from "node:http";
import { text } from "node:stream/consumers";
import type { SandboxOptions } from "payments-sdk/sandbox/server";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { freePort } from "../support/running.ts";
import { openConnection, start } from "./support/running.ts";
import { aCard, aPix, basic } from "./support/wire.ts";

/** A sandbox, and calls to its IP address with any `Host` header, as after DNS rebinding. */
async function startBehindNames(options: SandboxOptions = {}) {
  const port = await freePort();
  const sandbox = await start({ port, ...options });

  function call(host: string, path: string, body?: unknown) {
    return new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      const url = `http://127.0.0.1:${port}${path}`;
      const headers = { ...basic("sk_sandbox_secret", "pk_sandbox_public"), host };
      const outgoing = httpRequest(url, { method: body ? "POST" : "GET", headers }, (incoming) => {
        text(incoming).then((body) => resolve({ status: incoming.statusCode, text: body }), reject);
      });
      outgoing.once("error", reject);
      outgoing.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }
  return { ...sandbox, call, port };
}

test.each<[path: string, body?: object]>([
  ["/api/v1/transactions", aPix()],
  ["/api/v1/card-token?publicKey=pk_sandbox_public", aCard()],
  ["/"],
  ["/checkout/any"],
  ["/sandbox/overview"],
])("%s is refused with a host name that DNS can point to this machine", async (path, sent) => {
  const { call, gateway } = await startBehindNames();

  const { status, text: body } = await call("evil.example", path, sent);
  const known = await call("localhost", path, sent);

  expect([status, JSON.parse(body)]).toEqual([403, { success: false, message: expect.any(String) }]);
  expect(body).toContain("set it with the option baseUrl, or --base-url on the command line.");
  expect(known.status).not.toBe(403);
  expect(gateway.transactions).toHaveLength(known.status === 201 ? 1 : 0);
});

describe("the allowed Host names", () => {
  const NAMED = "http://Sandbox:4010";
  test.each<[host: string, status: number, baseUrl?: string]>([
    ["127.0.0.1", 200],
    ["127.0.0.1:9", 200], // a mapped port
    ["[fe80::1]:4010", 200],
    ["LocalHost:4010", 200],
    ["localhost.", 200],
    ["shop.localhost:4010", 200],
    ["evil.example", 403],
    ["127.0.0.1.evil.example", 403],
    ["evillocalhost", 403],
    ["evil.example@127.0.0.1", 403],
    ["evil.example/.localhost", 403],
    ["[::1", 403],
    ["sandbox", 200, NAMED],
    ["sandbox.:4010", 200, NAMED],
    ["sandbox.evil.example", 403, NAMED],
    ["127.0.0.1", 200, NAMED],
  ])("'%s' returns %i with the base URL %s", async (host, status, baseUrl) => {
    const { call } = await startBehindNames(baseUrl === undefined ? {} : { baseUrl });

    expect((await call(host, "/api/v1/status")).status).toBe(status);
  });

  test("include the name that it listens on, even if the base URL has another one", async () => {
    vi.spyOn(dns, "lookup").mockImplementation(((_host: string, ...rest: unknown[]) => {
      const done = rest.at(-1) as (error: null, address: string, family: number) => void;
      done(null, "127.0.0.1", 4);
    }) as typeof dns.lookup);
    onTestFinished(() => void vi.restoreAllMocks());
    const { call } = await startBehindNames({ host: "build-7", baseUrl: "https://pay.example" });

    const statuses = ["build-7", "pay.example", "build-8"].map(
      async (host) => (await call(host, "/")).status,
    );

    expect(await Promise.all(statuses)).toEqual([200, 200, 403]);
  });

  test("do not include 0.0.0.0: a sandbox that listens on all addresses has a loopback base URL", async () => {
    const { call, baseUrl, port } = await startBehindNames({ host: "0.0.0.0" });

    const [address, name] = [await call("172.17.0.2:4010", "/"), await call("sandbox:4010", "/")];

    expect(baseUrl).toBe(`http://127.0.0.1:${port}`);
    expect([address.status, name.status]).toEqual([200, 403]);
  });

  test.each([
    ["no Host header", "GET /api/v1/status HTTP/1.1"],
    ["an empty Host header", "GET /api/v1/status HTTP/1.1\r\nhost:"],
    ["two Host headers", "GET /api/v1/status HTTP/1.1\r\nhost: localhost\r\nhost: evil.example"],
  ])("a request with %s is refused", async (_what, head) => {
    const connection = await openConnection(await start());

    connection.write(`${head}\r\nconnection: close\r\n\r\n`);
    await connection.ended;

    expect(connection.received()).toMatch(/^HTTP\/1\.[01] 403 [\s\S]*"The request needs one Host header\./);
  });
});
