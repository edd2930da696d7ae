import { once } from "node:events";
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import express from "express";
import createFastify, { type FastifyInstance } from "fastify";
import { Hono } from "hono";
import { cloneRawRequest } from "hono/request";
import { memoryStore } from "payments-sdk/idempotency";
import { createPostbackHandler, type PostbackHandler, PostbackUrlSigner } from "payments-sdk/postbacks";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { createApp as createExpressApp } from "../../../examples/postbacks/express.ts";
import { createApp as createFastifyApp } from "../../../examples/postbacks/fastify.ts";
import { retryUntilClosed } from "../../../examples/postbacks/retry-until-closed.ts";
import { aGate, listen } from "../../support/http-server.ts";

const SECRET = "a secret of the tests, 32 bytes or more";
const BODY = JSON.stringify({ id: 7, status: "approved", externalRef: "order-1", amount: 1990 });

const signerOf = (secret: string) => new PostbackUrlSigner({ keys: [{ kid: "1", secret }] });
const signedUrl = (baseUrl: string, secret = SECRET) =>
  signerOf(secret).sign(`${baseUrl}/postbacks`, { externalRef: "order-1", amount: 1990 });

beforeAll(() => void vi.stubEnv("PAYMENTS_POSTBACK_SECRET", SECRET));
afterAll(() => void vi.unstubAllEnvs());

function listenFastify(app: FastifyInstance): Promise<string> {
  onTestFinished(() => app.close());
  return app.listen({ host: "127.0.0.1", port: 0 });
}

const listenHono = (app: Hono) =>
  listen(createServer(getRequestListener(app.fetch, { overrideGlobalObjects: false })));

const headers = { "content-type": "application/json" };
const send = (url: string, body = BODY) => fetch(url, { method: "POST", headers, body });

test.each<[string, () => Promise<string>]>([
  ["express", () => listen(createExpressApp(memoryStore(), vi.fn()))],
  ["fastify", () => listenFastify(createFastifyApp(memoryStore(), vi.fn()))],
])("%s still reads the bodies of other routes", async (_name, start) => {
  const cart = await send(`${await start()}/carts`, '{"items":["book"]}');

  expect([cart.status, await cart.json()]).toEqual([201, { cart: { items: ["book"] } }]);
});

test("retryUntilClosed runs at start-up what another process left, and ends after a running callback", async () => {
  const store = memoryStore();
  const key = {
    trust: "signed",
    externalRef: "order-1",
    id: 7,
    rawStatus: "approved",
    amount: 1990,
  } as const;
  await store.claimPostback(key, "another process", 60_000, { signedAmount: 1990 });
  await store.releasePostback(key, "another process", { name: "Error", retryAfterMs: 60_000 });
  const [started, ending] = [aGate(), aGate()];
  const onPaid = vi.fn(() => {
    started.open();
    return ending.passed;
  });
  const handler = createPostbackHandler({ signer: signerOf(SECRET), store, onPaid, onReview: vi.fn() });
  const onEnd = vi.fn();
  const server = createServer(handler.node);
  retryUntilClosed(server, handler, onEnd);

  server.listen(0, "127.0.0.1");
  await started.passed;
  server.close();
  await once(server, "close");
  expect(onEnd).not.toHaveBeenCalled();
  ending.open();

  await vi.waitFor(() => expect(onEnd).toHaveBeenCalledTimes(1));
  expect(onPaid).toHaveBeenCalledTimes(1);
});

test.each<[string, (postbacks: PostbackHandler) => Promise<string>]>([
  [
    "Express after express.json()",
    ({ node }) => listen(createServer(express().use(express.json()).post("/postbacks", node))),
  ],
  [
    "Fastify with its parser",
    ({ node }) => {
      const app = createFastify();
      app.post("/postbacks", (request, reply) => {
        reply.hijack();
        return node(Object.assign(request.raw, { body: request.body }), reply.raw);
      });
      return listenFastify(app);
    },
  ],
  [
    "Hono after json()",
    (postbacks) => {
      const app = new Hono();
      app.post("/postbacks", async ({ req }) => {
        await req.json();
        return postbacks.fetch(await cloneRawRequest(req));
      });
      return listenHono(app);
    },
  ],
])("a body that was already read can be passed on as in README.md: %s", async (_where, serve) => {
  const onPostback = vi.fn();
  const baseUrl = await serve(createPostbackHandler({ signer: signerOf(SECRET), onPostback }));

  const response = await send(await signedUrl(baseUrl));

  expect(response.status).toBe(200);
  expect(onPostback).toHaveBeenCalledTimes(1);
});
