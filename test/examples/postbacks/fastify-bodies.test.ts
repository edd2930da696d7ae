import createFastify, { type FastifyInstance } from "fastify";
import { createPostbackHandler } from "payments-sdk/postbacks";
import { describe, expect, test, vi } from "vitest";
import { listenFastify } from "./support/listen.ts";
import {
  bodyWithId,
  DUPLICATE,
  HANDLED,
  INEXACT_ID,
  post,
  SIGNER,
  signedUrl,
  wronglySignedUrl,
} from "./support/postbacks.ts";

/** An app whose parser reads every body before any route sees it. */
async function openBehind(addParser: (app: FastifyInstance) => void) {
  const onPostback = vi.fn();
  const postbacks = createPostbackHandler({ signer: SIGNER, onPostback });
  const app = createFastify();
  addParser(app);
  app.post("/postbacks", (request, reply) => {
    reply.hijack();
    // Fastify keeps what it read on a request of its own.
    return postbacks.node(Object.assign(request.raw, { body: request.body }), reply.raw);
  });
  return { baseUrl: await listenFastify(app), onPostback };
}

function parserOf(parseAs: "buffer" | "string") {
  return (app: FastifyInstance) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", { parseAs }, (_request, body, done) => done(null, body));
  };
}

describe.each([
  ["the parser that every app has, which makes an object of a body", () => undefined],
  ["one that makes a Buffer of it", parserOf("buffer")],
  ["one that makes a string of it", parserOf("string")],
])("behind %s", (_parser, addParser) => {
  test("a postback is handled once", async () => {
    const { baseUrl, onPostback } = await openBehind(addParser);
    const url = await signedUrl(baseUrl);

    const answers = [await post(url), await post(url)];

    expect(answers).toEqual([HANDLED, DUPLICATE]);
    expect(onPostback).toHaveBeenCalledTimes(1);
  });

  test("one with a wrong signature is refused", async () => {
    const { baseUrl, onPostback } = await openBehind(addParser);

    const { status } = await post(await wronglySignedUrl(baseUrl));

    expect(status).toBe(401);
    expect(onPostback).not.toHaveBeenCalled();
  });

  test("one whose id is not exact is refused", async () => {
    const { baseUrl, onPostback } = await openBehind(addParser);

    const { status } = await post(await signedUrl(baseUrl), bodyWithId(INEXACT_ID));

    expect(status).toBe(400);
    expect(onPostback).not.toHaveBeenCalled();
  });
});
