import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { cloneRawRequest } from "hono/request";
import { createPostbackHandler } from "payments-sdk/postbacks";
import { expect, test, vi } from "vitest";
import { listen } from "../../support/http-server.ts";
import {
  catchPrinted,
  DUPLICATE,
  HANDLED,
  post,
  printedOnce,
  SIGNER,
  signedUrl,
} from "./support/postbacks.ts";

interface Middleware {
  /** What it does with the request before any route sees it. */
  readonly read: (context: Context) => unknown;
  /** What the route gives the handler. */
  readonly give: (context: Context) => Request | Promise<Request>;
}

async function openBehind({ read, give }: Middleware) {
  const onPostback = vi.fn();
  const postbacks = createPostbackHandler({ signer: SIGNER, onPostback });
  const app = new Hono();
  app.use(async (context, next) => {
    await read(context);
    await next();
  });
  app.all("/postbacks", async (context) => postbacks.fetch(await give(context)));
  return { baseUrl: await listen(createServer(getRequestListener(app.fetch))), onPostback };
}

const original = ({ req }: Context) => req.raw;
const clone = ({ req }: Context) => cloneRawRequest(req);
const readers = {
  nothing: () => undefined,
  "json()": ({ req }: Context) => req.json(),
  "text()": ({ req }: Context) => req.text(),
  "arrayBuffer()": ({ req }: Context) => req.arrayBuffer(),
} as const;

test.each([
  ["the request", "nothing", original],
  ["a clone of it", "nothing", clone],
  ["a clone of it", "json()", clone],
  ["a clone of it", "text()", clone],
  ["a clone of it", "arrayBuffer()", clone],
] as const)("%s is handled once where a middleware has called %s", async (_given, reader, give) => {
  const { baseUrl, onPostback } = await openBehind({ read: readers[reader], give });
  const url = await signedUrl(baseUrl);

  const answers = [await post(url), await post(url)];

  expect(answers).toEqual([HANDLED, DUPLICATE]);
  expect(onPostback).toHaveBeenCalledTimes(1);
});

test.each(["json()", "text()", "arrayBuffer()"] as const)(
  "the request itself is an error, which is printed, where a middleware has called %s",
  async (reader) => {
    const printed = catchPrinted();
    const { baseUrl, onPostback } = await openBehind({ read: readers[reader], give: original });

    const { status } = await post(await signedUrl(baseUrl));

    expect(status).toBe(500);
    expect(onPostback).not.toHaveBeenCalled();
    expect(printed).toEqual(printedOnce(/a clone/));
  },
);
