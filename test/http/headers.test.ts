import { describe, expect, test } from "vitest";
import { startServer, text } from "../support/http-server.ts";
import { aCard, aPix, eventsOf, merchantAt, SECRET_KEY } from "../support/merchant.ts";
import { created, healthy } from "../support/service-responses.ts";
import { startMerchant } from "../support/start-merchant.ts";

describe("the SDK's own headers", () => {
  test("a create call sends JSON with its length in bytes, and accepts JSON", async () => {
    const { baseUrl, arrivals } = await startServer(created());
    const customer = { ...aPix().customer, name: "João Avião" };

    await merchantAt(baseUrl).payments.transactions.createPix(aPix({ customer }));

    const [{ body, headers } = { body: "", headers: {} }] = arrivals;
    expect(headers).toMatchObject({ "content-type": "application/json", accept: "application/json" });
    expect(headers["content-length"]).toBe(String(Buffer.byteLength(body)));
    expect(headers).not.toHaveProperty("transfer-encoding");
  });

  test("a tokenization sends JSON and accepts text", async () => {
    const { baseUrl, arrivals } = await startServer(text(200, "tok_1"));

    await merchantAt(baseUrl).payments.cardTokens.create(aCard());

    expect(arrivals[0]?.headers).toMatchObject({
      "content-type": "application/json",
      accept: "text/plain, */*",
    });
  });
});

describe("user-supplied headers", () => {
  test("of the client and of the call are added, and the call's override the client's", async () => {
    const headers = { "x-shop": "one", "x-trace": "client" };
    const { payments, events, arrivals } = await startMerchant(created(), { headers });

    await payments.transactions.createPix(aPix(), { headers: { "X-Trace": "call", accept: "text/xml" } });

    expect(arrivals[0]?.headers).toMatchObject({ "x-shop": "one", "x-trace": "call", accept: "text/xml" });
    expect(eventsOf(events, "warning")).toEqual([]);
  });

  test("may be pairs or Headers", async () => {
    const { payments, arrivals } = await startMerchant(healthy);

    await payments.status.retrieve({ headers: [["x-a", "1"]] });
    await payments.status.retrieve({ headers: new Headers({ "x-a": "2" }) });

    expect(arrivals.map(({ headers }) => headers["x-a"])).toEqual(["1", "2"]);
  });

  test.each([
    ...["Authorization", "content-type", "Content-Length", "host"],
    ...["Transfer-Encoding", "connection", "keep-alive", "upgrade", "Proxy-Authorization"],
  ])("cannot replace %s: it is ignored, with a warning", async (name) => {
    const { payments, events, arrivals } = await startMerchant(created());

    await payments.transactions.createPix(aPix(), { headers: { [name]: "mine" } });

    expect(arrivals).toHaveLength(1);
    expect(Object.values(arrivals[0]?.headers ?? {})).not.toContain("mine");
    expect(arrivals[0]?.headers).toMatchObject({
      "content-type": "application/json",
      authorization: expect.stringMatching(/^Basic /),
    });
    expect(eventsOf(events, "warning")).toMatchObject([
      { field: `headers.${name.toLowerCase()}`, message: "is set by the SDK and was ignored" },
    ]);
  });

  test("of the client cannot add an Authorization header", async () => {
    const { payments, events, arrivals } = await startMerchant(healthy, {
      headers: { authorization: `Bearer ${SECRET_KEY}` },
    });

    await payments.status.retrieve();

    expect(arrivals[0]?.headers).not.toHaveProperty("authorization");
    expect(eventsOf(events, "warning")).toMatchObject([{ field: "headers.authorization" }]);
  });
});
