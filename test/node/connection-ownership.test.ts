import { randomBytes } from "node:crypto";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { startServer } from "../support/http-server.ts";
import { aPix, failureOf, merchantAt } from "../support/merchant.ts";
import { created } from "../support/service-responses.ts";
import { createTransport } from "./support/direct-send.ts";

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
