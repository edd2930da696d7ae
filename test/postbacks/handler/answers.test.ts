import { describe, expect, test } from "vitest";
import { ORDER, POSTBACK, URL_OF_SHOP } from "../support/signing.ts";
import { answerOf, aReceiver, DUPLICATE, FAILED, HANDLED, serve, signer, urlOf } from "./support/receiver.ts";

const posted = (body: string): RequestInit => ({ method: "POST", body });
const TEXT = JSON.stringify(POSTBACK);

/** The same request, by both ways into a handler. */
const WAYS = {
  async fetch() {
    const receiver = aReceiver();
    const send = async (init: RequestInit, url?: string) =>
      answerOf(await receiver.handler.fetch(new Request(url ?? (await urlOf()), init)));
    return { ...receiver, send };
  },
  async node() {
    const receiver = aReceiver();
    const baseUrl = await serve(receiver.handler.node);
    const send = async (init: RequestInit, url?: string) => {
      const { pathname, search } = new URL(url ?? (await urlOf()));
      return answerOf(await fetch(baseUrl + pathname + search, init));
    };
    return { ...receiver, send };
  },
};

describe.each(Object.entries(WAYS))("%s answers", (_way, open) => {
  test("200 to a postback after onPostback ran, and to the same again, for which nothing runs", async () => {
    const { send, onPostback } = await open();

    expect([await send(posted(TEXT)), await send(posted(TEXT))]).toEqual([HANDLED, DUPLICATE]);
    expect(onPostback).toHaveBeenCalledTimes(1);
    expect(onPostback.mock.calls[0]?.[0]).toMatchObject({ ...POSTBACK, rawStatus: "approved" });
  });

  test("500 if onPostback fails, and runs it again when it comes again", async () => {
    const { send, onPostback } = await open();
    onPostback.mockRejectedValueOnce(new Error("the database is away"));

    expect([await send(posted(TEXT)), await send(posted(TEXT))]).toEqual([FAILED, HANDLED]);
    expect(onPostback).toHaveBeenCalledTimes(2);
  });

  test.each<[string, string, string, string]>([
    ["an HTML page", "<html>", "", "the body is not JSON"],
    ["nothing", "", "", "the body is empty"],
    ["an envelope", JSON.stringify({ id: 5, data: POSTBACK }), "status", "is required"],
  ])("400 to %s, with what is wrong", async (_what, text, field, message) => {
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
  ])("401 if it is not trusted: %s", async (reason, urlOfSender) => {
    const { send, onPostback } = await open();

    const answer = await send(posted(TEXT), await urlOfSender());

    expect(answer).toMatchObject({ status: 401, body: { error: "untrusted_postback", reason } });
    expect(onPostback).not.toHaveBeenCalled();
  });

  test.each(["GET", "HEAD", "PUT"])("405 to %s, without an event", async (method) => {
    const { send, onPostback, events } = await open();

    expect((await send({ method })).status).toBe(405);
    expect(onPostback).not.toHaveBeenCalled();
    expect(events).toEqual([]);
  });
});

test("every answer is JSON, and a 405 names the method", async () => {
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
});

test("node takes the URL from before a router of Express cut it", async () => {
  const { handler, onPostback } = aReceiver();
  const baseUrl = await serve((request, response) => {
    const cut = Object.assign(request, { originalUrl: request.url, url: "/" });
    return handler.node(cut, response);
  });
  const { pathname, search } = new URL(await urlOf());

  const response = await fetch(baseUrl + pathname + search, posted(TEXT));

  expect(response.status).toBe(200);
  expect(onPostback).toHaveBeenCalledTimes(1);
});

test("node answers nothing if somebody has answered before", async () => {
  const { handler } = aReceiver();
  const baseUrl = await serve(async (request, response) => {
    response.writeHead(202).flushHeaders();
    await handler.node(request, response);
    response.end("of somebody else");
  });

  const response = await fetch(baseUrl, posted(TEXT));

  expect([response.status, await response.text()]).toEqual([202, "of somebody else"]);
});
