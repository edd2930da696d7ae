import { type Sandbox, type SandboxOptions, startSandbox } from "payments-sdk/sandbox/server";
import { expect, test } from "vitest";
import { freePort } from "../support/running.ts";
import { findServer, openConnection, start } from "./support/running.ts";
import { aCardPayment, aPix, bodyOf, merchant } from "./support/wire.ts";

const merchantOf = (sandbox: Sandbox) => merchant(sandbox, fetch);

test("a token, a card payment and a pix work over real sockets, with texts outside ASCII", async () => {
  const sandbox = await start();
  const { create, token } = merchantOf(sandbox);
  const name = "João Ação 日本 🙂";

  const card = await create(aCardPayment(await token()));
  const pix = await bodyOf(await create(aPix({ metadata: JSON.stringify({ name }) })));

  expect(card.status).toBe(201);
  expect((await bodyOf(card)).data.status).toBe("approved");
  expect(pix.data.secureUrl).toMatch(sandbox.baseUrl);
  expect(JSON.parse(pix.data.metadata)).toEqual({ name });
  expect(sandbox.gateway.chargesFor("order-1")).toHaveLength(2);
});

test("the rate limit uses the address of the client", async () => {
  const { baseUrl, gateway } = await start();
  const status = () => fetch(`${baseUrl}/api/v1/status`).then((response) => response.status);
  for (let n = 0; n < 60; n += 1) await gateway.fetch(`${baseUrl}/api/v1/status`, { ip: "127.0.0.1" });

  const other = await gateway.fetch(`${baseUrl}/api/v1/status`, { ip: "203.0.113.9" });

  expect([await status(), other.status]).toEqual([429, 200]);
});

test.each([
  ["TRACE /api/v1/status HTTP/1.1", 400], // `Request` does not support TRACE
  ["OPTIONS * HTTP/1.1", 400],
  ["GET //evil.example/api/v1/status HTTP/1.1", 404],
  ["GET /api/v1/status?x=%zz HTTP/1.1", 200],
  ["HEAD /api/v1/status HTTP/1.1", 405],
  ["HEAD /sandbox/events HTTP/1.1", 405],
])("%s returns %i", async (line, status) => {
  const connection = await openConnection(await start());

  connection.write(`${line}\r\nhost: localhost\r\nconnection: close\r\n\r\n`);
  await connection.ended;

  expect(connection.received()).toMatch(`HTTP/1.1 ${status} `);
});

test.each([
  ["/api/v1/transactions", "host: localhost", 2, 403],
  ["/api/v1/card-token?publicKey=pk_sandbox_public", "host: localhost", 1_000_000, 400], // read, and not JSON
  ["/api/v1/transactions", "host: localhost", 1_000_001, 413],
  ["/api/v1/transactions", "host: shop.example", 2, 403],
  ["/\\", "host: localhost", 2, 400],
])(
  "the connection of a page closes after each POST: %s with %s and %i bytes, %i",
  async (path, host, length, status) => {
    const connection = await openConnection(await start());
    const head = `POST ${path} HTTP/1.1\r\n${host}\r\norigin: https://shop.example\r\ncontent-length: ${length}`;

    connection.write(`${head}\r\n\r\n${"x".repeat(length)}`);
    await connection.ended;

    expect(connection.received()).toMatch(`HTTP/1.1 ${status} `);
    expect(connection.received()).toMatch(/^connection: close\r$/im);
  },
);

const TOKENIZATION = "/api/v1/card-token?publicKey=pk_sandbox_public";
const FOREIGN = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };

test.each<[what: string, method: string, path: string, headers: Record<string, string>, status: number]>([
  ["an image", "GET", "/api/v1/status", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" }, 403],
  ["an image of the token's path", "GET", TOKENIZATION, { "sec-fetch-site": "cross-site" }, 403],
  ["a form", "POST", "/api/v1/transactions", { ...FOREIGN, "sec-fetch-mode": "navigate" }, 403],
  ["a form of the token's path", "POST", TOKENIZATION, { ...FOREIGN, "sec-fetch-mode": "navigate" }, 403],
  ["a fetch without CORS", "POST", TOKENIZATION, { ...FOREIGN, "sec-fetch-mode": "no-cors" }, 403],
  ["a form of an old browser", "POST", "/api/v1/company", { origin: "null" }, 403],
  ["another port of this machine", "GET", "/nothing", { "sec-fetch-site": "same-site" }, 403],
  ["a card form", "OPTIONS", TOKENIZATION, { ...FOREIGN, "sec-fetch-mode": "cors" }, 204],
  ["a card form", "POST", TOKENIZATION, { ...FOREIGN, "sec-fetch-mode": "cors" }, 400],
  ["a card form of an old browser", "POST", TOKENIZATION, { origin: "https://shop.example" }, 400],
  ["the address bar", "GET", "/api/v1/status", { "sec-fetch-site": "none" }, 200],
  ["a server", "GET", "/api/v1/status", {}, 200],
])(
  "from a page, the service accepts only card forms: %s, %s %s with %j is %i",
  async (_what, method, path, headers, status) => {
    const sandbox = await start();
    const connection = await openConnection(sandbox);
    const lines = Object.entries({ host: "localhost", connection: "close", ...headers });

    connection.write(
      `${method} ${path} HTTP/1.1\r\n${lines.map((line) => `${line.join(": ")}\r\n`).join("")}\r\n`,
    );
    await connection.ended;

    expect(connection.received()).toMatch(`HTTP/1.1 ${status} `);
    expect(sandbox.gateway.requests).toHaveLength(status === 403 ? 0 : 1);
    if (status === 403) expect(connection.received()).not.toMatch(/access-control/i);
  },
);

test("slow clients have 10 s for the headers of a request and 30 s for all of it", async () => {
  const { headersTimeout, requestTimeout } = await findServer(await start());

  expect([headersTimeout, requestTimeout]).toEqual([10_000, 30_000]);
});

test("close returns immediately with a kept-alive connection, stops listening, and can be called twice", async () => {
  const sandbox = await startSandbox();
  await fetch(`${sandbox.baseUrl}/api/v1/status`); // keeps its socket open
  const idle = await openConnection(sandbox);

  await sandbox.close();

  expect(await idle.ended).toMatch(/^(end|ECONNRESET)$/);
  await expect(fetch(`${sandbox.baseUrl}/api/v1/status`)).rejects.toThrow("fetch failed");
  await expect(sandbox.close()).resolves.toBeUndefined();
});

test("starting fails if the port is in use, or the address belongs to another machine", async () => {
  const { baseUrl } = await start();
  const port = Number(new URL(baseUrl).port);

  await expect(startSandbox({ port })).rejects.toThrow(
    `The sandbox cannot listen on 127.0.0.1:${port}: the port is in use.`,
  );
  await expect(startSandbox({ host: "192.0.2.1" })).rejects.toThrow(/cannot listen on 192\.0\.2\.1:0: .+/);
});

test.each<[object, string]>([
  [{ port: 70_000 }, "startSandbox: port must be a whole number from 0 to 65535."],
  [{ prot: 4010 }, "createGateway: prot is not an option."],
])("starting fails with %j, and leaves the port free", async (options, message) => {
  const port = await freePort();

  const wrong = startSandbox({ port, ...options } as SandboxOptions);

  await expect(wrong).rejects.toThrow(new TypeError(message));
  await expect(start({ port })).resolves.toMatchObject({ baseUrl: `http://127.0.0.1:${port}` });
});

test.each([
  ["/", "text/html"],
  ["/checkout/x", "text/html"],
  ["/sandbox/assets/dashboard.js", "text/javascript"],
  ["/sandbox/assets/checkout.js", "text/javascript"],
  ["/sandbox/assets/styles.css", "text/css"],
])("%s is %s, is not cached, loads nothing from other hosts and cannot be framed", async (path, type) => {
  const { baseUrl } = await start();

  const response = await fetch(baseUrl + path);
  const head = await fetch(baseUrl + path, { method: "HEAD" });

  expect(response.headers.get("content-type")).toBe(`${type}; charset=utf-8`);
  const policy = response.headers.get("content-security-policy");
  expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
  expect(policy).toContain("frame-ancestors 'none'");
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("access-control-allow-origin")).toBeNull();
  expect([response.status, head.status, await head.text()]).toEqual([200, 200, ""]);
});
