import { createServer } from "node:http";
import { apiResolver } from "next/dist/server/api-utils/node/api-resolver.js";
import type { NextRequest } from "next/server.js";
import { createPostbackHandler, type PostbackHandler } from "payments-sdk/postbacks";
import { describe, expect, test, vi } from "vitest";
import { listen } from "../../support/http-server.ts";
import { createNextServer } from "./support/next-server.ts";
import {
  BODY,
  bodyWithId,
  catchPrinted,
  DUPLICATE,
  HANDLED,
  INEXACT_ID,
  post,
  printedOnce,
  SIGNER,
  signedUrl,
  wronglySignedUrl,
} from "./support/postbacks.ts";

function aHandler() {
  const onPostback = vi.fn();
  return { postbacks: createPostbackHandler({ signer: SIGNER, onPostback }), onPostback };
}

describe("a route under app/ that reads the body itself", () => {
  async function openWith(POST: (request: NextRequest, postbacks: PostbackHandler) => Promise<Response>) {
    const { postbacks, onPostback } = aHandler();
    const server = createNextServer("/postbacks", { POST: (request) => POST(request, postbacks) });
    return { baseUrl: await listen(server), onPostback };
  }

  test("gives the handler a clone", async () => {
    const { baseUrl, onPostback } = await openWith(async (request, postbacks) => {
      const clone = request.clone();
      await request.json();
      return postbacks.fetch(clone);
    });

    const answer = await post(await signedUrl(baseUrl));

    expect(answer).toEqual(HANDLED);
    expect(onPostback).toHaveBeenCalledTimes(1);
  });

  test("makes an error, which is printed, where it gives what it has read", async () => {
    const printed = catchPrinted();
    const { baseUrl, onPostback } = await openWith(async (request, postbacks) => {
      await request.json();
      return postbacks.fetch(request);
    });

    const { status } = await post(await signedUrl(baseUrl));

    expect(status).toBe(500);
    expect(onPostback).not.toHaveBeenCalled();
    expect(printed).toEqual(printedOnce(/a clone/));
  });
});

describe.each([
  ["parses", undefined],
  ["leaves alone", { api: { bodyParser: false } }],
])("a route under pages/api/ whose body Next %s", (_what, config) => {
  async function open() {
    const { postbacks, onPostback } = aHandler();
    const route = { default: postbacks.node, config };
    const secrets = { previewModeId: "", previewModeEncryptionKey: "", previewModeSigningKey: "" };
    const server = createServer((request, response) =>
      apiResolver(request, response, {}, route, { ...secrets, dev: false }, true),
    );
    return { baseUrl: await listen(server), onPostback };
  }

  test("handles a postback once", async () => {
    const { baseUrl, onPostback } = await open();
    const url = await signedUrl(baseUrl);

    const answers = [await post(url), await post(url)];

    expect(answers).toEqual([HANDLED, DUPLICATE]);
    expect(onPostback).toHaveBeenCalledTimes(1);
  });

  test("refuses one with a wrong signature", async () => {
    const { baseUrl, onPostback } = await open();

    const { status } = await post(await wronglySignedUrl(baseUrl));

    expect(status).toBe(401);
    expect(onPostback).not.toHaveBeenCalled();
  });

  test("refuses one whose id is not exact", async () => {
    const { baseUrl, onPostback } = await open();

    const { status } = await post(await signedUrl(baseUrl), bodyWithId(INEXACT_ID));

    expect(status).toBe(400);
    expect(onPostback).not.toHaveBeenCalled();
  });

  test("reads one that calls itself text", async () => {
    const { baseUrl } = await open();

    const answer = await post(await signedUrl(baseUrl), BODY, { "content-type": "text/plain" });

    expect(answer).toEqual(HANDLED);
  });
});
