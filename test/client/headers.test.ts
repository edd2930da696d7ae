import { describe, expect, test } from "vitest";
import { startServer, text } from "../support/http-server.ts";
import { aCard, aPix, eventsOf, failureOf, merchantAt, SECRET_KEY } from "../support/merchant.ts";
import { created, healthy } from "../support/service-answers.ts";

describe("the SDK's own headers", () => {
  test("a create sends JSON and wants JSON", async () => {
    const { baseUrl, arrivals } = await startServer(created());
    const { payments } = merchantAt(baseUrl);

    await payments.transactions.createPix(aPix());

    expect(arrivals[0]?.headers).toMatchObject({
      "content-type": "application/json",
      accept: "application/json",
    });
    expect(Number(arrivals[0]?.headers["content-length"])).toBe(Buffer.byteLength(arrivals[0]?.body ?? ""));
  });

  test("a tokenization sends JSON and wants text", async () => {
    const { baseUrl, arrivals } = await startServer(text(200, "tok_1"));
    const { payments } = merchantAt(baseUrl);

    await payments.cardTokens.create(aCard());

    expect(arrivals[0]?.headers).toMatchObject({
      "content-type": "application/json",
      accept: "text/plain, */*",
    });
  });

  test("a read has no content", async () => {
    const { baseUrl, arrivals } = await startServer(healthy);
    const { payments } = merchantAt(baseUrl);

    await payments.status.retrieve();

    expect(arrivals[0]?.headers).not.toHaveProperty("content-type");
  });
});

describe("headers of the caller", () => {
  test("of the client and of the call are added, the call's before the client's", async () => {
    const { baseUrl, arrivals } = await startServer(created());
    const { payments, events } = merchantAt(baseUrl, { headers: { "x-shop": "one", "x-trace": "client" } });

    await payments.transactions.createPix(aPix(), {
      headers: { "X-Trace": "call", accept: "application/xml" },
    });

    expect(arrivals[0]?.headers).toMatchObject({
      "x-shop": "one",
      "x-trace": "call",
      accept: "application/xml",
    });
    expect(eventsOf(events, "warning")).toEqual([]);
  });

  test.each<[string, HeadersInit]>([
    ["an object", { "x-a": "1" }],
    ["pairs", [["x-a", "1"]]],
    ["Headers", new Headers({ "x-a": "1" })],
  ])("may come as %s", async (_form, headers) => {
    const { baseUrl, arrivals } = await startServer(healthy);
    const { payments } = merchantAt(baseUrl);

    await payments.status.retrieve({ headers });

    expect(arrivals[0]?.headers).toMatchObject({ "x-a": "1" });
  });

  test.each([
    "Authorization",
    "content-type",
    "Content-Length",
    "host",
    "Transfer-Encoding",
    "connection",
    "keep-alive",
    "upgrade",
  ])("cannot replace %s: that one is left out, with a warning", async (name) => {
    const { baseUrl, arrivals } = await startServer(created());
    const { payments, events } = merchantAt(baseUrl);

    await payments.transactions.createPix(aPix(), { headers: { [name]: "mine" } });

    const sent = Object.values(arrivals[0]?.headers ?? {});
    expect(arrivals).toHaveLength(1);
    expect(sent).not.toContain("mine");
    expect(arrivals[0]?.headers).toMatchObject({
      "content-type": "application/json",
      authorization: expect.stringMatching(/^Basic /),
    });
    expect(eventsOf(events, "warning")).toEqual([
      {
        type: "warning",
        endpoint: "transactions.create",
        externalRef: "order-1",
        field: `headers.${name.toLowerCase()}`,
        message: "is the SDK's own and was left out",
      },
    ]);
  });

  test("of the client cannot replace Authorization either", async () => {
    const { baseUrl, arrivals } = await startServer(healthy);
    const { payments, events } = merchantAt(baseUrl, { headers: { authorization: `Bearer ${SECRET_KEY}` } });

    await payments.status.retrieve();

    expect(arrivals[0]?.headers).not.toHaveProperty("authorization");
    expect(eventsOf(events, "warning")).toMatchObject([{ field: "headers.authorization" }]);
  });

  test.each<[string, unknown]>([
    ["a line break in a value", { "x-a": "1\r\nx-b: 2" }],
    ["a name with a space", { "x a": "1" }],
    ["a letter beyond Latin-1", { "x-a": "日本" }],
    ["a number", 7],
  ])("that HTTP does not allow stop the call before it is sent: %s", async (_what, headers) => {
    const { baseUrl, arrivals } = await startServer(created());
    const { payments } = merchantAt(baseUrl);

    const call = payments.transactions.createPix(aPix(), { headers: headers as HeadersInit });

    const error = await failureOf(call);
    expect(error).toMatchObject({
      code: "invalid_request",
      outcome: "not_sent",
      issues: [{ field: "options.headers", message: "must be headers that HTTP allows" }],
    });
    expect(arrivals).toHaveLength(0);
  });
});
