import { once } from "node:events";
import { request as httpRequest, type OutgoingHttpHeaders } from "node:http";
import { connect } from "node:net";
import { PostbackUrlSigner } from "payments-sdk/postbacks";
import { expect, onTestFinished, test, vi } from "vitest";
import { type HttpServer, type Reply, stallInBody, startServer } from "../support/http-server.ts";
import { freePort } from "../support/running.ts";
import { startCli } from "./support/run-cli.ts";

const SECRET = "a secret of at least thirty-two bytes";
const POSTBACK = JSON.stringify({ id: 7, status: "approved", amount: 1990, externalRef: "order-1" });

/** Starts `payments listen --json`; `events` are what it printed so far. */
async function startListening({ secret = SECRET, forwardTo = "" }) {
  const options = forwardTo === "" ? [] : ["--forward-to", forwardTo];
  const env = { PAYMENTS_POSTBACK_SECRET: secret };
  const run = startCli(["listen", "--port", "0", "--json", ...options], { env });
  const events = () => (run.stdout().match(/.+/g) ?? []).map((line) => JSON.parse(line));
  await expect.poll(events).toHaveLength(1);
  return { run, events, postbackUrl: String(events()[0].postbackUrl) };
}

const post = (url: string, body = POSTBACK) =>
  fetch(url, { method: "POST", body, headers: { "content-type": "application/json", "x-own": "1" } });

/** The URL with a signature by the secret. */
const sign = (url: string, secret = SECRET) =>
  new PostbackUrlSigner({ keys: [{ kid: "1", secret }] }).sign(url, { externalRef: "order-1", amount: 1990 });

const startShop = (): Promise<HttpServer> =>
  startServer(({ requestRead, response }) => requestRead.then(() => response.writeHead(201).end("done")));

test("it forwards body, query and headers, and returns the response of the target", async () => {
  const shop = await startShop();
  const { run, events, postbackUrl } = await startListening({ forwardTo: `${shop.baseUrl}/hook?shop=1` });
  const signed = await sign(postbackUrl);

  const response = await post(signed);

  expect([response.status, await response.text()]).toEqual([201, "done"]);
  const [arrival] = shop.arrivals;
  expect(arrival).toMatchObject({ method: "POST", body: POSTBACK, headers: { "x-own": "1" } });
  expect(arrival?.url).toBe(`/hook?shop=1&${signed.split("?")[1]}`);
  await expect.poll(events).toHaveLength(2);
  expect(events()[1]).toMatchObject({
    ...{ type: "postback", id: 7, externalRef: "order-1", status: "approved", amount: 1990 },
    ...{ verdict: "signed", forwarded: { status: 201 } },
  });
  run.interrupt();
  expect(await run.exitCode).toBe(0);
  expect(run.stdout()).not.toMatch(/pbsig|secret of/);
});

test.each([
  ["unsigned", SECRET, async (url: string) => url, POSTBACK],
  ["forged", SECRET, async (url: string) => sign(url, "another secret of thirty-two bytes!"), POSTBACK],
  ["unverified", "", async (url: string) => url, POSTBACK],
  ["not a postback", SECRET, async (url: string) => url, '{"id":7}'],
])("the verdict %s", async (verdict, secret, urlOf, body) => {
  const { events, postbackUrl } = await startListening({ secret });

  expect((await post(await urlOf(postbackUrl), body)).status).toBe(204);
  await expect.poll(events).toHaveLength(2);
  expect(events()[1].verdict).toBe(verdict);
});

/** Sends a byte more than 1 MB per connection, and then never ends. */
const withoutEnd: Reply = async ({ response, requestRead }) => {
  await requestRead;
  response.writeHead(200).write("x".repeat(1024 * 1024 + 1));
};

const withoutResponse: Reply = ({ response }) => response.destroy();

test.each([
  ["is missing", withoutResponse, "cannot be reached"],
  ["is larger than 1 MB", withoutEnd, "response over 1 MB"],
  ["does not end in time", stallInBody(200, "x"), "no complete response within 30 s"],
])("it responds with 502 if the response of the target %s", async (_what, reply, error) => {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => timeout(ms / 30));
  onTestFinished(() => void vi.restoreAllMocks());
  let connectionClosed = false;
  const shop = await startServer((exchange) => {
    exchange.response.once("close", () => {
      connectionClosed = true;
    });
    return reply(exchange);
  });
  const { events, postbackUrl } = await startListening({ forwardTo: shop.baseUrl });

  const response = await post(postbackUrl);

  expect([response.status, await response.text()]).toEqual([502, ""]);
  await expect.poll(events).toHaveLength(2);
  expect(events()[1].forwarded).toMatchObject({ status: 502, error });
  await expect.poll(() => connectionClosed).toBe(true);
});

test("it returns a response of up to 1 MB", async () => {
  const body = "x".repeat(1024 * 1024);
  const shop = await startServer(({ requestRead, response }) => requestRead.then(() => response.end(body)));
  const { postbackUrl } = await startListening({ forwardTo: shop.baseUrl });

  const response = await post(postbackUrl);

  expect([response.status, (await response.text()) === body]).toEqual([200, true]);
});

test.each<[headers: OutgoingHttpHeaders, status: number]>([
  [{ host: "evil.example" }, 403], // DNS rebinding
  [{ host: "tunnel.example.evil.example" }, 403],
  [{ host: "127.0.0.1.evil.example" }, 403],
  [{ origin: "https://evil.example" }, 403],
  [{ origin: "null" }, 403],
  [{ host: "localhost:4020" }, 201],
  [{ host: "hooks.localhost" }, 201],
  [{ host: "TUNNEL.example:443" }, 201],
])(
  "only servers reach the target, by the name of this machine or of the tunnel: %j is %i",
  async (headers, status) => {
    const shop = await startShop();
    const port = String(await freePort());
    const tunnel = ["--public-url", "https://tunnel.example/hook"];
    const run = startCli(["listen", "--port", port, "--forward-to", shop.baseUrl, ...tunnel]);
    await expect.poll(run.stdout).toContain("Ctrl-C");

    const received = await new Promise((resolve, reject) => {
      const outgoing = httpRequest({ port, host: "127.0.0.1", method: "POST", headers }, (incoming) => {
        resolve(incoming.resume().statusCode);
      });
      outgoing.once("error", reject).end(POSTBACK);
    });

    expect(received).toBe(status);
    expect(shop.arrivals).toHaveLength(status === 201 ? 1 : 0);
    expect(run.stderr() === "").toBe(status === 201);
  },
);

test("it has at most 100 connections, so that stalled requests do not fill the memory", async () => {
  const { run, postbackUrl } = await startListening({});
  const stall = () => {
    const { hostname, port } = new URL(postbackUrl);
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    socket.on("error", () => undefined); // a reset, which closes it
    const head = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n";
    socket.write(head);
    return Promise.race([
      once(socket, "data").then(() => "open"),
      once(socket, "close").then(() => "closed"),
    ]);
  };
  const stalled = await Promise.all(Array.from({ length: 100 }, stall));

  expect(stalled).toEqual(Array(100).fill("open"));
  expect(await stall()).toBe("closed");
  run.interrupt();
  expect(await run.exitCode).toBe(0);
});

test("it prints no line for each of many requests that a website sends", async () => {
  const shop = await startShop();
  const { run, postbackUrl } = await startListening({ forwardTo: shop.baseUrl });
  const headers = { origin: "https://evil.example" };

  for (let sent = 0; sent < 5; sent += 1) {
    expect((await fetch(postbackUrl, { method: "POST", headers, body: POSTBACK })).status).toBe(403);
  }

  expect(run.stderr().match(/Refused/g)).toHaveLength(1);
});

test("it returns a redirect of the target instead of following it", async () => {
  const headers = { location: "/elsewhere" };
  const shop = await startServer(({ response }) => response.writeHead(302, headers).end());
  const { postbackUrl } = await startListening({ forwardTo: shop.baseUrl });

  const response = await fetch(postbackUrl, { method: "POST", body: POSTBACK, redirect: "manual" });

  expect([response.status, response.headers.get("location")]).toEqual([302, "/elsewhere"]);
  expect(shop.arrivals).toHaveLength(1);
});

test("a postback that it has forwarded itself is not forwarded again", async () => {
  const port = await freePort();
  const run = startCli(["listen", "--port", String(port), "--forward-to", `http://127.0.0.1:${port}/`]);
  await expect.poll(run.stdout).toContain("Ctrl-C");

  expect((await post(`http://127.0.0.1:${port}/`)).status).toBe(508);
});

test.each([
  ["GET", undefined, 405],
  ["POST", "x".repeat(2_000_000), 413],
])("responses to requests that are not forwarded: %s", async (method, body, status) => {
  const { postbackUrl } = await startListening({});

  expect((await fetch(postbackUrl, { method, ...(body && { body }) })).status).toBe(status);
});

test.each([
  [POSTBACK.replace('"amount":1990', '"amount":990'), /R\$.9,90 +signed \(the amount differs\)/],
  ["no JSON", /not a postback \(.+\)/],
  [POSTBACK.replace(',"externalRef":"order-1"', ""), /no externalRef .* forged/],
  [POSTBACK.replace("order-1", "order\\u001b[2J"), /approved +7 +order\\u001b\[2J +R\$.19,90 +forged/],
])("it prints a line for %s, without control characters", async (body, line) => {
  const port = String(await freePort());
  const env = { PAYMENTS_POSTBACK_SECRET: SECRET };
  const run = startCli(["listen", "--port", port, "--public-url", "https://tunnel.example/hook"], { env });
  await expect.poll(run.stdout).toContain("postbackUrl  https://tunnel.example/hook\n");
  expect(run.stdout()).toContain("Signatures   verified");

  await post(await sign(`http://127.0.0.1:${port}/`), body);

  await expect.poll(run.stdout).toMatch(line);
});
