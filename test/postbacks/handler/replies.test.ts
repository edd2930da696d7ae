import { describe, expect, test } from "vitest";
import { aReceiver, DUPLICATE, FAILED, HANDLED, serve, signer, toReply, urlOf } from "../support/receiver.ts";
import { ORDER, POSTBACK, URL_OF_SHOP } from "../support/signing.ts";

const posted = (body: string): RequestInit => ({ method: "POST", body });
const TEXT = JSON.stringify(POSTBACK);

describe.each(["fetch", "node"])("%s responds with", (entryPoint) => {
  async function open() {
    const receiver = aReceiver();
    const baseUrl = entryPoint === "node" ? await serve(receiver.handler.node) : "https://loja.example";
    const send = async (init: RequestInit, signed?: string) => {
      const { pathname, search } = new URL(signed ?? (await urlOf()));
      const request = new Request(baseUrl + pathname + search, init);
      return entryPoint === "node" ? fetch(request) : receiver.handler.fetch(request);
    };
    return { ...receiver, send };
  }

  test("500 if onPostback fails, 200 to the next delivery, which runs it again, and 200 to a repeat", async () => {
    const { send, onPostback } = await open();
    onPostback.mockImplementationOnce(() => JSON.parse("{")); // it throws at once

    for (const reply of [FAILED, HANDLED, DUPLICATE]) {
      expect(await toReply(await send(posted(TEXT)))).toEqual(reply);
    }
    expect(onPostback).toHaveBeenCalledTimes(2);
    expect(onPostback.mock.calls[0]?.[0]).toMatchObject({ ...POSTBACK, rawStatus: "approved" });
  });

  const invalid = (field: string, message: string) => ({
    error: "invalid_postback",
    issues: expect.arrayContaining([{ field, message }]),
  });
  const untrusted = (reason: string) => ({ error: "untrusted_postback", reason });
  const ofOther = async () => signer.sign(URL_OF_SHOP, { ...ORDER, externalRef: "pedido-78" });
  const envelope = JSON.stringify({ id: 5, data: POSTBACK });

  test.each<[number, { error: string }, RequestInit, (() => Promise<string>)?]>([
    [400, invalid("", "the body is not JSON"), posted("<html>")],
    [400, invalid("", "the body is empty"), posted("")],
    [400, invalid("status", "is required"), posted(envelope)],
    [401, untrusted("missing_signature"), posted(TEXT), async () => URL_OF_SHOP],
    [401, untrusted("bad_signature"), posted(TEXT), async () => `${URL_OF_SHOP}?pbsig=x`],
    [401, untrusted("other_order"), posted(TEXT), ofOther],
    [405, { error: "method_not_allowed" }, { method: "GET" }],
    [405, { error: "method_not_allowed" }, { method: "PUT", body: TEXT }],
  ])("%i and %j to %j; onPostback does not run", async (status, body, init, getUrl) => {
    const { send, onPostback, events } = await open();

    const response = await send(init, await getUrl?.());

    expect([response.status, await response.json()]).toEqual([status, body]);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(response.headers.get("allow")).toBe(status === 405 ? "POST" : null);
    const refused = { type: "refused", status, error: { code: body.error } };
    expect(events).toMatchObject(status === 405 ? [] : [refused]); // a probe is not an error
    expect(onPostback).not.toHaveBeenCalled();
  });
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
