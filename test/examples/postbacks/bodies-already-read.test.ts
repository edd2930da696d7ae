import { createServer } from "node:http";
import express, { type RequestHandler } from "express";
import createFastify, { type FastifyInstance } from "fastify";
import { apiResolver } from "next/dist/server/api-utils/node/api-resolver.js";
import { createPostbackHandler, type PostbackHandler } from "payments-sdk/postbacks";
import { describe, expect, test, vi } from "vitest";
import { listen } from "../../support/http-server.ts";
import { listenFastify } from "./support/listen.ts";
import {
  BODY,
  bodyWithId,
  DUPLICATE,
  HANDLED,
  INEXACT_ID,
  post,
  SIGNER,
  signedUrl,
  wronglySignedUrl,
} from "./support/postbacks.ts";

/** Starts a server that gives the handler what it has read, and gives its address. */
type Serve = (postbacks: PostbackHandler) => Promise<string>;

function expressBehind(reader: RequestHandler): Serve {
  return ({ node }) => {
    const app = express();
    app.use(reader);
    app.post("/postbacks", node);
    return listen(createServer(app));
  };
}

function fastifyWith(addParser: (app: FastifyInstance) => void): Serve {
  return ({ node }) => {
    const app = createFastify();
    addParser(app);
    app.post("/postbacks", (request, reply) => {
      reply.hijack();
      // Fastify keeps what it read on a request of its own.
      return node(Object.assign(request.raw, { body: request.body }), reply.raw);
    });
    return listenFastify(app);
  };
}

function parserOf(parseAs: "buffer" | "string") {
  return (app: FastifyInstance) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", { parseAs }, (_request, body, done) => done(null, body));
  };
}

function nextApi(config: { readonly api: { readonly bodyParser: false } } | undefined): Serve {
  const secrets = { previewModeId: "", previewModeEncryptionKey: "", previewModeSigningKey: "" };
  return ({ node }) => {
    const route = { default: node, config };
    const server = createServer((request, response) =>
      apiResolver(request, response, {}, route, { ...secrets, dev: false }, true),
    );
    return listen(server);
  };
}

const expressRaw = expressBehind(express.raw({ type: "*/*" }));
const expressText = expressBehind(express.text({ type: "*/*" }));

async function open(serve: Serve) {
  const onPostback = vi.fn();
  return { baseUrl: await serve(createPostbackHandler({ signer: SIGNER, onPostback })), onPostback };
}

describe.each([
  ["express.json(), which makes an object of a body", expressBehind(express.json())],
  ["express.raw(), which makes a Buffer of it", expressRaw],
  ["express.text(), which makes a string of it", expressText],
  ["express.urlencoded(), which leaves it alone", expressBehind(express.urlencoded())],
  ["the parser that every app of Fastify has, which makes an object of it", fastifyWith(() => undefined)],
  ["a parser of Fastify that makes a Buffer of it", fastifyWith(parserOf("buffer"))],
  ["a parser of Fastify that makes a string of it", fastifyWith(parserOf("string"))],
  ["an API route of Next, which makes an object of it", nextApi(undefined)],
  ["an API route of Next that leaves it alone", nextApi({ api: { bodyParser: false } })],
])("behind %s", (_reader, serve) => {
  test("a postback is handled once", async () => {
    const { baseUrl, onPostback } = await open(serve);
    const url = await signedUrl(baseUrl);

    const answers = [await post(url), await post(url)];

    expect(answers).toEqual([HANDLED, DUPLICATE]);
    expect(onPostback).toHaveBeenCalledTimes(1);
  });

  test("one with a wrong signature is refused", async () => {
    const { baseUrl, onPostback } = await open(serve);

    const { status } = await post(await wronglySignedUrl(baseUrl));

    expect(status).toBe(401);
    expect(onPostback).not.toHaveBeenCalled();
  });

  test.each([
    ["an id that is not exact", bodyWithId(INEXACT_ID)],
    ["a list", `[${BODY}]`],
    ["an object of nothing", "{}"],
    ["a body of nothing", ""],
  ])("%s is refused", async (_what, body) => {
    const { baseUrl, onPostback } = await open(serve);

    const { status } = await post(await signedUrl(baseUrl), body);

    expect(status).toBe(400);
    expect(onPostback).not.toHaveBeenCalled();
  });
});

test.each([
  ["a Buffer", expressRaw],
  ["a string", expressText],
])("a body that comes as %s has the same limit", async (_form, serve) => {
  const { baseUrl } = await open(serve);
  const url = await signedUrl(baseUrl);

  const answers = [await post(url, BODY.padEnd(65_537)), await post(url, BODY.padEnd(65_536))];

  expect(answers.map(({ status }) => status)).toEqual([413, 200]);
});

test.each([
  ["parses", nextApi(undefined)],
  ["leaves alone", nextApi({ api: { bodyParser: false } })],
])("a body that calls itself text is read, where Next %s what comes", async (_what, serve) => {
  const { baseUrl } = await open(serve);

  const answer = await post(await signedUrl(baseUrl), BODY, { "content-type": "text/plain" });

  expect(answer).toEqual(HANDLED);
});
