import { describe, expect, test, vi } from "vitest";
import { resetAfterReading, startServer, text } from "../support/http-server.ts";
import { aPix, failureOf, merchantAt } from "../support/merchant.ts";
import { created } from "../support/service-responses.ts";
import { startMerchant } from "../support/start-merchant.ts";

vi.unstubAllGlobals(); // another file of this process may have left a stub
const platformFetch = globalThis.fetch;

/** A fetch that records its bodies. */
function recordingFetch(bodies: unknown[]) {
  return (url: string, init: RequestInit) => {
    if (url.includes("/api/")) bodies.push(init.body); // not the postbacks of another file's sandbox
    return platformFetch(url, init);
  };
}

// After a 421, Node's fetch repeats a request over a new connection, unless its body can be read only once.
test.each([
  ["the platform's fetch", undefined],
  ["the platform's fetch given as an option", platformFetch],
])("a create request over %s that gets a 421 arrives once, and so does the next one", async (_by, fetch) => {
  const { payments, arrivals } = await startMerchant(text(421, ""), { fetch });

  const errors = [
    await failureOf(payments.transactions.createPix(aPix({ externalRef: "order-1" }))),
    await failureOf(payments.transactions.createPix(aPix({ externalRef: "order-2" }))),
  ];

  expect(errors.map(({ outcome }) => outcome)).toEqual(["unknown", "unknown"]);
  expect(arrivals.map(({ body }) => JSON.parse(body).externalRef)).toEqual(["order-1", "order-2"]);
});

describe("on Deno, whose fetch repeats a request after a broken connection", () => {
  test("a create request arrives complete, as a stream", async () => {
    vi.stubGlobal("Deno", {});
    const { baseUrl, arrivals } = await startServer(created());

    await merchantAt(baseUrl).payments.transactions.createPix(aPix());

    const [{ body, headers } = { body: "", headers: {} }] = arrivals;
    expect(JSON.parse(body)).toMatchObject({ amount: 1990, externalRef: "order-1" });
    expect(headers).toMatchObject({ "content-type": "application/json", "transfer-encoding": "chunked" });
  });

  test("a create request whose connection breaks arrives once", async () => {
    vi.stubGlobal("Deno", {});
    vi.stubGlobal("fetch", (url: string, init: RequestInit) =>
      platformFetch(url, init).catch(() => platformFetch(url, init)),
    );
    const { baseUrl, arrivals } = await startServer(resetAfterReading);

    const error = await failureOf(merchantAt(baseUrl).payments.transactions.createPix(aPix()));

    expect(error).toMatchObject({ code: "connection_failed", outcome: "unknown" });
    expect(arrivals).toHaveLength(1);
  });

  test("a custom fetch gets the stream, because it may call Deno's fetch", async () => {
    vi.stubGlobal("Deno", {});
    const bodies: unknown[] = [];
    const { baseUrl } = await startServer(created());

    await merchantAt(baseUrl, { fetch: recordingFetch(bodies) }).payments.transactions.createPix(aPix());

    expect(bodies).toEqual([expect.any(ReadableStream)]);
  });
});

test.each([
  ["1.0.0", false],
  ["1.3.14", false], // 1.3.12 is the last version known to repeat
  ["1.4.0", undefined],
  ["1.10.0", undefined],
  ["2.0.0", undefined],
])(
  "on Bun %s, `keepalive` of a create request is %s: older versions repeat it on a keep-alive connection",
  async (version, keepalive) => {
    vi.stubGlobal("Bun", { version });
    const { baseUrl } = await startServer(created());
    const platform = vi.spyOn(globalThis, "fetch");

    await merchantAt(baseUrl).payments.transactions.createPix(aPix());

    // Another test's sandbox may still be posting.
    const sent = platform.mock.calls.filter(([url]) => String(url).startsWith(baseUrl));
    expect(sent.map(([, init]) => init?.keepalive)).toEqual([keepalive]);
  },
);
