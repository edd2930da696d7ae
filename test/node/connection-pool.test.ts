import { randomBytes } from "node:crypto";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { ConnectionPools } from "../../src/node/connection-pool.ts";
import { startServer } from "../support/http-server.ts";
import { aPix, failureOf, merchantAt } from "../support/merchant.ts";
import { created } from "../support/service-responses.ts";
import { createDirectSend, createTransport, responseFrom } from "./support/direct-send.ts";
import { httpResponse, respondWith, startRaw } from "./support/raw-server.ts";

test("the pools of many origins do not use more and more memory, but the pool of a call in flight is kept", async () => {
  const pools = new ConnectionPools({ maxSockets: 1, idleTimeout: 1_000, connectTimeout: 1_000 });
  const { port } = await startRaw();
  const find = (origin: string) => pools.find(origin, { protocol: "http:", host: "127.0.0.1", port });
  const [unused, used] = [find("unused"), find("used")];
  const connection = await used.acquire(undefined);
  onTestFinished(() => void connection.socket.destroy());

  for (let origin = 0; origin < 100; origin += 1) find(String(origin));

  expect(find("unused")).not.toBe(unused);
  expect(find("used")).toBe(used); // a second pool would allow twice as many connections
});

test("closing the transport closes idle connections", async () => {
  const { baseUrl, open } = await startRaw(respondWith(httpResponse("{}")));
  const transport = createTransport();
  const send = createDirectSend({}, transport);
  await Promise.all([responseFrom(baseUrl, { send }), responseFrom(baseUrl, { send })]);
  const before = open();

  transport.close();

  expect(before).toBe(2);
  await expect.poll(open).toBe(0);
});

test("a call in flight continues when its transport is closed; its connection and those of later calls close with the call", async () => {
  let reply = (): unknown => undefined;
  const { baseUrl, received, open } = await startRaw((socket, number) => {
    reply = () => socket.write(httpResponse("{}"));
    if (number > 0) socket.once("data", reply);
  });
  const transport = createTransport();
  const send = createDirectSend({}, transport);
  const call = responseFrom(baseUrl, { send });
  await expect.poll(() => received[0]).toContain("amount");

  transport.close();
  transport.close(); // twice is allowed
  reply();

  expect((await call).text).toBe("{}");
  await expect.poll(open).toBe(0);
  for (let later = 0; later < 2; later += 1) await responseFrom(baseUrl, { send });
  expect(received).toHaveLength(3);
  await expect.poll(open).toBe(0);
});

const oneSocketMerchant = (baseUrl: string) =>
  merchantAt(baseUrl, { fetch: createTransport({ maxSockets: 1 }) });

test("an unusable response that is decoded slowly does not close the connection of the next create call", async () => {
  const page = gzipSync(`<html>${randomBytes(60_000).toString("base64")}</html>`);
  const { baseUrl } = await startServer(async ({ response, requestRead }) => {
    await requestRead;
    response.writeHead(200, { "content-encoding": "gzip", "content-length": String(page.length) }).end(page);
  }, created());
  const { payments } = oneSocketMerchant(baseUrl);

  const [unusable, transaction] = await Promise.all([
    failureOf(payments.transactions.createPix(aPix({ externalRef: "a" }))),
    payments.transactions.createPix(aPix({ externalRef: "b" })),
  ]);

  expect(unusable).toMatchObject({ code: "unexpected_response", outcome: "unknown" });
  expect(transaction).toMatchObject({ id: 4021, externalId: "b" });
});

test("an abort while Node creates the request sends nothing, and does not block the next request", async () => {
  const { baseUrl, arrivals } = await startServer(created());
  const { payments } = oneSocketMerchant(baseUrl);
  const controller = new AbortController();
  const abort = () => controller.abort();
  subscribe("http.client.request.created", abort);
  onTestFinished(() => void unsubscribe("http.client.request.created", abort));

  const error = await failureOf(
    payments.transactions.createPix(aPix({ externalRef: "a" }), { signal: controller.signal }),
  );
  unsubscribe("http.client.request.created", abort);

  expect(error).toMatchObject({ code: "aborted", outcome: "not_sent" });
  expect(await payments.transactions.createPix(aPix({ externalRef: "b" }))).toMatchObject({ id: 4021 });
  expect(arrivals.filter(({ body }) => body !== "")).toHaveLength(1);
});
