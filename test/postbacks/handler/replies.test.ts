import { describe, expect, test } from "vitest";
import { aReceiver, DUPLICATE, FAILED, HANDLED, serve, signer, toReply, urlOf } from "../support/receiver.ts";
import { ORDER, POSTBACK, URL_OF_SHOP } from "../support/signing.ts";

const posted = (body: string): RequestInit => ({ method: "POST", body });
const TEXT = JSON.stringify(POSTBACK);

/** The same request, by both entry points of a handler. */
const ENTRY_POINTS = {
  async fetch() {
    const receiver = aReceiver();
    const send = async (init: RequestInit, url?: string) =>
      toReply(await receiver.handler.fetch(new Request(url ?? (await urlOf()), init)));
    return { ...receiver, send };
  },
  async node() {
    const receiver = aReceiver();
    const baseUrl = await serve(receiver.handler.node);
    const send = async (init: RequestInit, url?: string) => {
      const { pathname, search } = new URL(url ?? (await urlOf()));
      return toReply(await fetch(baseUrl + pathname + search, init));
    };
    return { ...receiver, send };
  },
};

describe.each(Object.entries(ENTRY_POINTS))("%s responds with", (_name, open) => {
  test("200 to a postback after onPostback ran, and to a repeat, for which it does not run", async () => {
    const { send, onPostback } = await open();

    expect([await send(posted(TEXT)), await send(posted(TEXT))]).toEqual([HANDLED, DUPLICATE]);
    expect(onPostback).toHaveBeenCalledTimes(1);
    expect(onPostback.mock.calls[0]?.[0]).toMatchObject({ ...POSTBACK, rawStatus: "approved" });
  });

  test("500 if onPostback fails, and runs it again for the next delivery", async () => {
    const { send, onPostback } = await open();
    onPostback.mockRejectedValueOnce(new Error("the database is away"));

    expect([await send(posted(TEXT)), await send(posted(TEXT))]).toEqual([FAILED, HANDLED]);
    expect(onPostback).toHaveBeenCalledTimes(2);
  });

  test.each<[string, string, string, string]>([
    ["an HTML page", "<html>", "", "the body is not JSON"],
    ["an empty body", "", "", "the body is empty"],
    ["an envelope", JSON.stringify({ id: 5, data: POSTBACK }), "status", "is required"],
  ])("400 to %s, with the issues", async (_what, text, field, message) => {
    const { send, onPostback } = await open();

    const { status, body } = await send(posted(text));

    expect(status).toBe(400);
    expect(body).toMatchObject({ error: "invalid_postback" });
    expect((body as { issues: unknown[] }).issues[0]).toEqual({ field, message });
    expect(onPostback).not.toHaveBeenCalled();
  });

  test.each([
    ["missing_signature", async () => URL_OF_SHOP],
    ["bad_signature", async () => `${URL_OF_SHOP}?pbsig=x`],
    ["other_order", async () => signer.sign(URL_OF_SHOP, { ...ORDER, externalRef: "pedido-78" })],
  ])("401 to an untrusted postback: %s", async (reason, getUrl) => {
    const { send, onPostback } = await open();

    const response = await send(posted(TEXT), await getUrl());

    expect(response).toMatchObject({ status: 401, body: { error: "untrusted_postback", reason } });
    expect(onPostback).not.toHaveBeenCalled();
  });

  test.each(["GET", "HEAD", "PUT"])("405 to %s, without an event", async (method) => {
    const { send, onPostback, events } = await open();

    expect((await send({ method })).status).toBe(405);
    expect(onPostback).not.toHaveBeenCalled();
    expect(events).toEqual([]);
  });
});

test("every response is JSON, and a 405 names the allowed method", async () => {
  const { handler } = aReceiver();
  const requests = [
    new Request(URL_OF_SHOP),
    new Request(URL_OF_SHOP, posted("x")),
    new Request(await urlOf(), posted(TEXT)),
  ];

  const responses = await Promise.all(requests.map(handler.fetch));

  expect(responses.map(({ status, headers }) => [status, headers.get("content-type")])).toEqual(
    [405, 400, 200].map((status) => [status, "application/json"]),
  );
  expect(responses[0]?.headers.get("allow")).toBe("POST");
  expect(await responses[0]?.json()).toEqual({ error: "method_not_allowed" });
});

test("node uses the URL from before a router of Express removed its mount path", async () => {
  const { handler, onPostback } = aReceiver();
  const baseUrl = await serve((request, response) => {
    const routed = Object.assign(request, { originalUrl: request.url, url: "/" });
    return handler.node(routed, response);
  });
  const { pathname, search } = new URL(await urlOf());

  const response = await fetch(baseUrl + pathname + search, posted(TEXT));

  expect(response.status).toBe(200);
  expect(onPostback).toHaveBeenCalledTimes(1);
});

test("node sends nothing if a response was already sent", async () => {
  const { handler } = aReceiver();
  const baseUrl = await serve(async (request, response) => {
    response.writeHead(202).flushHeaders();
    await handler.node(request, response);
    response.end("by other code");
  });

  const response = await fetch(baseUrl, posted(TEXT));

  expect([response.status, await response.text()]).toEqual([202, "by other code"]);
});
