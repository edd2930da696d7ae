import type { NextRequest } from "next/server.js";
import { createPostbackHandler, type PostbackHandler } from "payments-sdk/postbacks";
import { expect, test, vi } from "vitest";
import { listen } from "../../support/http-server.ts";
import { createNextServer } from "./support/next-server.ts";
import { catchPrinted, HANDLED, post, printedOnce, SIGNER, signedUrl } from "./support/postbacks.ts";

async function openWith(POST: (request: NextRequest, postbacks: PostbackHandler) => Promise<Response>) {
  const onPostback = vi.fn();
  const postbacks = createPostbackHandler({ signer: SIGNER, onPostback });
  const server = createNextServer("/postbacks", { POST: (request) => POST(request, postbacks) });
  return { baseUrl: await listen(server), onPostback };
}

test("a route under app/ that reads the body itself gives the handler a clone", async () => {
  const { baseUrl, onPostback } = await openWith(async (request, postbacks) => {
    const clone = request.clone();
    await request.json();
    return postbacks.fetch(clone);
  });

  const answer = await post(await signedUrl(baseUrl));

  expect(answer).toEqual(HANDLED);
  expect(onPostback).toHaveBeenCalledTimes(1);
});

test("one that gives what it has read makes an error, which is printed", async () => {
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
