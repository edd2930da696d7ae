import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { type Sandbox, type SandboxOptions, startSandbox } from "payments-sdk/sandbox/server";
import { describe, expect, onTestFinished, test } from "vitest";
import { freePort } from "../../support/free-port.ts";
import { aCard, aCardPayment, aPix, bodyOf, merchant } from "../support/wire.ts";

async function start(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await startSandbox(options);
  onTestFinished(() => sandbox.close());
  return sandbox;
}

const merchantOf = (sandbox: Sandbox) => merchant(sandbox, fetch);

/** The head of the answer to bytes put on a socket by hand. */
function raw(sandbox: Sandbox, bytes: string): Promise<string> {
  const { hostname, port } = new URL(sandbox.baseUrl);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.once("data", (data) => resolve(data.toString().split("\r\n")[0] ?? ""));
    socket.once("data", () => socket.destroy());
    socket.once("error", reject);
  });
}

test.each<[object, string]>([
  [{ port: "4010" }, "startSandbox: port must be a whole number from 0 to 65535."],
  [{ port: 70_000 }, "startSandbox: port must be a whole number from 0 to 65535."],
  [{ prot: 4010 }, "createGateway: prot is no option."],
])("an option that cannot be meant is refused: %j", async (options, message) => {
  await expect(startSandbox(options as SandboxOptions)).rejects.toThrow(new TypeError(message));
});

test("listens on a free port of the loopback address", async () => {
  const sandboxes = [await start(), await start()];

  const urls = sandboxes.map(({ baseUrl }) => baseUrl);

  expect(urls[0]).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(urls[0]).not.toBe(urls[1]);
});

test("a token, a card payment and a pix go over real sockets", async () => {
  const sandbox = await start();
  const { create, token } = merchantOf(sandbox);

  const card = await create(aCardPayment(await token()));
  const pix = await create(aPix());

  expect(card.status).toBe(201);
  expect((await bodyOf(card)).data.status).toBe("approved");
  expect((await bodyOf(pix)).data.secureUrl).toMatch(sandbox.baseUrl);
  expect(sandbox.gateway.chargesFor("order-1")).toHaveLength(2);
});

test("names and answers outside ASCII come through whole", async () => {
  const { create } = merchantOf(await start());
  const name = "João Ação 日本 🙂";

  const response = await create(aPix({ metadata: JSON.stringify({ name }) }));

  const text = await response.text();
  expect(JSON.parse(JSON.parse(text).data.metadata)).toEqual({ name });
});

test("statuses and headers of the gateway come through: 401, 404, 405, 204", async () => {
  const { baseUrl } = await start();

  const unauthorized = await fetch(`${baseUrl}/api/v1/company`);
  const unknown = await fetch(`${baseUrl}/nothing`);
  const wrongMethod = await fetch(`${baseUrl}/api/v1/company`, { method: "DELETE" });
  const preflight = await fetch(`${baseUrl}/api/v1/card-token`, { method: "OPTIONS" });

  expect(await unauthorized.json()).toStrictEqual({ success: false, message: "Unauthorized" });
  expect([unauthorized, unknown, wrongMethod, preflight].map(({ status }) => status)).toEqual([
    401, 404, 405, 204,
  ]);
  expect(wrongMethod.headers.get("allow")).toBe("GET");
  expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
});

test("options go on to the gateway", async () => {
  const sandbox = await start({ secretKey: "sk_mine", publicKey: "pk_mine", environment: "production" });

  const response = await fetch(`${sandbox.baseUrl}/api/v1/status`);

  expect(sandbox).toMatchObject({ secretKey: "sk_mine", publicKey: "pk_mine" });
  expect((await bodyOf(response)).environment).toBe("production");
});

test("a base URL of one's own counts, its path included", async () => {
  const port = await freePort();
  const sandbox = await start({ port, baseUrl: "http://shop.localhost:9/pay" });

  const response = await fetch(`http://127.0.0.1:${port}/pay/api/v1/status`);

  expect(sandbox.baseUrl).toBe("http://shop.localhost:9/pay");
  expect(response.status).toBe(200);
});

test("the client's address is what the rate limit counts", async () => {
  const sandbox = await start();
  const status = () => fetch(`${sandbox.baseUrl}/api/v1/status`).then((response) => response.status);
  const byFetch = await Promise.all(Array.from({ length: 60 }, status));

  const next = await status();
  const elsewhere = await sandbox.gateway.fetch(`${sandbox.baseUrl}/api/v1/status`, { ip: "203.0.113.9" });

  expect(new Set(byFetch)).toEqual(new Set([200]));
  expect([next, elsewhere.status]).toEqual([429, 200]);
});

describe("bodies", () => {
  const ONE_MB = 1_000_000;
  const ofLength = (length: number) =>
    JSON.stringify({ pad: "" }).replace('""', `"${"x".repeat(length - 10)}"`);

  test.each([
    [ONE_MB, 400], // read, and found wanting
    [ONE_MB + 1, 413],
    [20 * ONE_MB, 413],
  ])("of %i bytes get %i", async (length, status) => {
    const { create } = merchantOf(await start());

    const response = await create(ofLength(length));

    expect(ofLength(length)).toHaveLength(length);
    expect(response.status).toBe(status);
    expect((await bodyOf(response)).success).toBe(false);
  });

  test("are read whole when they come in pieces", async () => {
    const sandbox = await start();
    const bytes = new TextEncoder().encode(JSON.stringify(aCard({ holderName: "JOÃO" })));
    const url = `${sandbox.baseUrl}/api/v1/card-token?publicKey=${sandbox.publicKey}`;

    const status = await new Promise((resolve, reject) => {
      const outgoing = httpRequest(url, { method: "POST" }, (response) => resolve(response.statusCode));
      outgoing.once("error", reject);
      for (const byte of bytes) outgoing.write(Uint8Array.of(byte));
      outgoing.end();
    });

    expect(status).toBe(200);
  });

  test("that break off harm nobody", async () => {
    const sandbox = await start();
    const { hostname, port } = new URL(sandbox.baseUrl);
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write("POST /api/v1/transactions HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{", () => {
          socket.resetAndDestroy();
          resolve();
        });
      });
    });

    const response = await fetch(`${sandbox.baseUrl}/api/v1/status`);

    expect(response.status).toBe(200);
    expect(sandbox.gateway.transactions).toEqual([]);
  });
});

test.each([
  ["TRACE /api/v1/status HTTP/1.1", 400], // `Request` knows no TRACE
  ["OPTIONS * HTTP/1.1", 400],
  ["GET //evil.example/api/v1/status HTTP/1.1", 404],
  ["GET /api/v1/status?x=%zz HTTP/1.1", 200],
  ["HEAD /api/v1/status HTTP/1.1", 405],
])("%s gets %i", async (line, status) => {
  const sandbox = await start();

  const head = await raw(sandbox, `${line}\r\nhost: localhost\r\n\r\n`);

  expect(head).toMatch(`HTTP/1.1 ${status}`);
});

describe("close", () => {
  test("ends at once, with a connection kept alive, and stops listening", async () => {
    const sandbox = await startSandbox();
    await fetch(`${sandbox.baseUrl}/api/v1/status`); // leaves its socket open
    const { hostname, port } = new URL(sandbox.baseUrl);
    const idle = connect(Number(port), hostname);
    await new Promise((resolve) => idle.once("connect", resolve));
    const ended = new Promise((resolve) => idle.once("close", resolve));
    idle.once("error", () => {});

    await sandbox.close();

    await ended;
    await expect(fetch(`${sandbox.baseUrl}/api/v1/status`)).rejects.toThrow("fetch failed");
  });

  test("may be called twice", async () => {
    const sandbox = await startSandbox();

    await sandbox.close();

    await expect(sandbox.close()).resolves.toBeUndefined();
  });
});

describe("what cannot start", () => {
  test("a port in use is a clear error", async () => {
    const { baseUrl } = await start();
    const port = Number(new URL(baseUrl).port);

    const second = startSandbox({ port });

    await expect(second).rejects.toThrow(
      `The sandbox cannot listen on 127.0.0.1:${port}: the port is in use.`,
    );
  });

  test("an address of another machine is a clear error", async () => {
    const elsewhere = startSandbox({ host: "192.0.2.1" });

    await expect(elsewhere).rejects.toThrow(/cannot listen on 192\.0\.2\.1:0: .+/);
  });

  test("a wrong option rejects, and leaves the port free", async () => {
    const port = await freePort();

    const wrong = startSandbox({ port, secretKey: "pk_swapped" });

    await expect(wrong).rejects.toThrow(/secretKey must start with sk_/);
    await expect(start({ port })).resolves.toMatchObject({ baseUrl: `http://127.0.0.1:${port}` });
  });
});

test("a server on every address tells the loopback one", async () => {
  const { baseUrl } = await start({ host: "0.0.0.0" });

  const response = await fetch(`${baseUrl}/api/v1/status`);

  expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:/);
  expect(response.status).toBe(200);
});
