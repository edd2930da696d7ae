import { beforeEach, describe, expect, test, vi } from "vitest";
import { resetAfterReading, startServer, text } from "../support/http-server.ts";
import { aCard, aPix, failureOf, merchantAt } from "../support/merchant.ts";
import { created } from "../support/service-answers.ts";

/** Sends a request again whose connection broke, as Deno does, and Bun did. */
function repeating(): typeof fetch {
  const own = globalThis.fetch;
  return (url, init) => own(url, init).catch(() => own(url, init));
}

describe("on Deno, whose fetch repeats what it can", () => {
  beforeEach(() => void vi.stubGlobal("Deno", {}));

  test("a create arrives whole, as a stream", async () => {
    const { baseUrl, arrivals } = await startServer(created());
    const { payments } = merchantAt(baseUrl);

    await payments.transactions.createPix(aPix());

    const [{ body, headers } = { body: "", headers: {} }] = arrivals;
    expect(JSON.parse(body)).toMatchObject({ amount: 1990, externalRef: "order-1" });
    expect(headers).toMatchObject({ "content-type": "application/json", "transfer-encoding": "chunked" });
  });

  test("a create that is repeated after its connection broke arrives once", async () => {
    const { baseUrl, arrivals } = await startServer(resetAfterReading);
    const { payments } = merchantAt(baseUrl);
    vi.stubGlobal("fetch", repeating());

    const error = await failureOf(payments.transactions.createPix(aPix()));

    expect(error).toMatchObject({ code: "connection_failed", outcome: "unknown" });
    expect(arrivals).toHaveLength(1);
  });

  test("what may be repeated goes as it goes elsewhere", async () => {
    const { baseUrl, arrivals } = await startServer(text(200, "opaque-token"));
    const { payments } = merchantAt(baseUrl);

    await payments.cardTokens.create(aCard());

    expect(arrivals[0]?.headers).toHaveProperty("content-length");
  });

  test("a fetch of the caller's gets the stream, too, since it will call Deno's", async () => {
    const bodies: unknown[] = [];
    const { baseUrl } = await startServer(created());
    const own = globalThis.fetch;
    const { payments } = merchantAt(baseUrl, {
      fetch: (url, init) => {
        bodies.push(init.body);
        return own(url, init);
      },
    });

    await payments.transactions.createPix(aPix());

    expect(bodies).toEqual([expect.any(ReadableStream)]);
  });
});

test.each([
  ["1.0.0", false],
  ["1.3.12", false], // the last one that was seen to repeat
  ["1.3.14", false],
  ["1.4.0", undefined],
  ["1.4.5", undefined],
  ["1.10.0", undefined],
  ["2.0.0", undefined],
])(
  "on Bun %s `keepalive` of a create is %s: an older one repeats it on a connection that it kept",
  async (version, keepalive) => {
    vi.stubGlobal("Bun", { version });
    const { baseUrl } = await startServer(created());
    const { payments } = merchantAt(baseUrl);
    const platform = vi.spyOn(globalThis, "fetch");

    await payments.transactions.createPix(aPix());

    expect(platform.mock.calls.map(([, init]) => init?.keepalive)).toEqual([keepalive]);
  },
);

test("elsewhere a create goes as a text, over whatever connection there is", async () => {
  const { baseUrl } = await startServer(created());
  const { payments } = merchantAt(baseUrl);
  const platform = vi.spyOn(globalThis, "fetch");

  await payments.transactions.createPix(aPix());

  expect(platform.mock.calls[0]?.[1]).toMatchObject({ body: expect.any(String) });
  expect(platform.mock.calls[0]?.[1]).not.toHaveProperty("keepalive");
});

test("a fetch that repeats what it can does repeat a create elsewhere", async () => {
  const { baseUrl, arrivals } = await startServer(resetAfterReading);
  const { payments } = merchantAt(baseUrl);
  vi.stubGlobal("fetch", repeating());

  await failureOf(payments.transactions.createPix(aPix()));

  expect(arrivals).toHaveLength(2);
});
