import { createServer } from "node:http";
import express, { type RequestHandler } from "express";
import { createPostbackHandler } from "payments-sdk/postbacks";
import { describe, expect, test, vi } from "vitest";
import { listen } from "../../support/http-server.ts";
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

/** An app that reads every body before any route sees it. */
async function openBehind(reader: RequestHandler) {
  const onPostback = vi.fn();
  const app = express();
  app.use(reader);
  app.post("/postbacks", createPostbackHandler({ signer: SIGNER, onPostback }).node);
  return { baseUrl: await listen(createServer(app)), onPostback };
}

const raw = express.raw({ type: "*/*" });
const text = express.text({ type: "*/*" });

describe.each([
  ["express.json(), which makes an object of a body", express.json()],
  ["express.raw(), which makes a Buffer of it", raw],
  ["express.text(), which makes a string of it", text],
  ["express.urlencoded(), which leaves it alone", express.urlencoded()],
])("behind %s", (_reader, reader) => {
  test("a postback is handled once", async () => {
    const { baseUrl, onPostback } = await openBehind(reader);
    const url = await signedUrl(baseUrl);

    const answers = [await post(url), await post(url)];

    expect(answers).toEqual([HANDLED, DUPLICATE]);
    expect(onPostback).toHaveBeenCalledTimes(1);
  });

  test("one with a wrong signature is refused", async () => {
    const { baseUrl, onPostback } = await openBehind(reader);

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
    const { baseUrl, onPostback } = await openBehind(reader);

    const { status } = await post(await signedUrl(baseUrl), body);

    expect(status).toBe(400);
    expect(onPostback).not.toHaveBeenCalled();
  });
});

test.each([
  ["a Buffer", raw],
  ["a string", text],
])("a body that comes as %s has the same limit", async (_form, reader) => {
  const { baseUrl } = await openBehind(reader);
  const url = await signedUrl(baseUrl);

  const answers = [await post(url, BODY.padEnd(65_537)), await post(url, BODY.padEnd(65_536))];

  expect(answers.map(({ status }) => status)).toEqual([413, 200]);
});
