import { describe, expect, test, vi } from "vitest";
import { resetAfterReading, startServer, text } from "../support/http-server.ts";
import { aPix, failureOf, merchantAt } from "../support/merchant.ts";
import { created } from "../support/service-responses.ts";

const own = globalThis.fetch;

/** A fetch that shows what it is given as a body. */
function watching(bodies: unknown[]) {
  return (url: string, init: RequestInit) => {
    bodies.push(init.body);
    return own(url, init);
  };
}

// Node's fetch sends a request again, by a new connection, that was answered 421, unless its body can be read once only.
test.each([
  ["the platform's fetch", undefined],
  ["the platform's fetch given as an option", own],
])("a create by %s that is answered 421 arrives once, and so does the next one", async (_by, fetch) => {
  const { baseUrl, arrivals } = await startServer(text(421, ""));
  const { payments } = merchantAt(baseUrl, { fetch });

  const errors = [
    await failureOf(payments.transactions.createPix(aPix({ externalRef: "order-1" }))),
    await failureOf(payments.transactions.createPix(aPix({ externalRef: "order-2" }))),
  ];

  expect(errors.map(({ outcome }) => outcome)).toEqual(["unknown", "unknown"]);
  expect(arrivals.map(({ body }) => JSON.parse(body).externalRef)).toEqual(["order-1", "order-2"]);
});

test("a create that is answered 421 is unknown, also if nobody listens any more for a second one", async () => {
  const { baseUrl, arrivals } = await startServer(async ({ request, response, whole }) => {
    await whole;
    const { server } = request.socket as unknown as { server: import("node:http").Server };
    server.close();
    response.writeHead(421, { connection: "close" }).end();
  });

  const error = await failureOf(merchantAt(baseUrl).payments.transactions.createPix(aPix()));

  expect(error).toMatchObject({ outcome: "unknown" });
  expect(arrivals).toHaveLength(1);
});

test.each<[string, (bodies: unknown[]) => object]>([
  ["given as an option", (bodies) => ({ fetch: watching(bodies) })],
  [
    "that a tool has put in the place of the platform's",
    (bodies) => {
      vi.stubGlobal("fetch", watching(bodies));
      return {};
    },
  ],
])("a fetch %s gets a text, which it may look at", async (_which, prepare) => {
  const bodies: unknown[] = [];
  const { baseUrl } = await startServer(created());

  await merchantAt(baseUrl, prepare(bodies)).payments.transactions.createPix(aPix());

  expect(bodies).toEqual([expect.stringContaining('"amount":1990')]);
});

describe("on edge-runtime, whose fetch is undici, too", () => {
  test.each([
    ["a fetch gets what can be read once", {}, "object"],
    ["that of Next.js gets a text, by which it names what it caches", { __nextPatched: true }, "string"],
  ])("%s", async (_which, mark, kind) => {
    const bodies: unknown[] = [];
    const { baseUrl } = await startServer(created());
    vi.stubGlobal("EdgeRuntime", "edge-runtime");
    vi.stubGlobal("fetch", Object.assign(watching(bodies), mark));

    await merchantAt(baseUrl).payments.transactions.createPix(aPix());

    expect(bodies.map((body) => typeof body)).toEqual([kind]);
  });

  test("what can be read once holds nothing the second time", async () => {
    const readings: string[] = [];
    vi.stubGlobal("EdgeRuntime", "edge-runtime");
    vi.stubGlobal("fetch", async (_url: string, { body }: { body: AsyncIterable<Uint8Array> }) => {
      for (const _time of ["first", "second"]) {
        let read = "";
        for await (const chunk of body) {
          read += Buffer.from(chunk).toString();
          if (read.length > 10_000) break; // it has no end
        }
        readings.push(read);
      }
      return Response.json({ success: true, data: { id: 1, status: "pending" } }, { status: 201 });
    });

    // An answer without a code.
    await failureOf(merchantAt("http://127.0.0.1:9").payments.transactions.createPix(aPix()));

    expect(readings).toEqual([expect.stringMatching(/^\{[^{}]*"amount":1990.{0,300}\}$/), ""]);
  });
});

describe("on Deno, whose fetch sends a request again whose connection broke", () => {
  test("a create arrives whole, as a stream", async () => {
    vi.stubGlobal("Deno", {});
    const { baseUrl, arrivals } = await startServer(created());

    await merchantAt(baseUrl).payments.transactions.createPix(aPix());

    const [{ body, headers } = { body: "", headers: {} }] = arrivals;
    expect(JSON.parse(body)).toMatchObject({ amount: 1990, externalRef: "order-1" });
    expect(headers).toMatchObject({ "content-type": "application/json", "transfer-encoding": "chunked" });
  });

  test("a create whose connection broke arrives once", async () => {
    vi.stubGlobal("Deno", {});
    vi.stubGlobal("fetch", (url: string, init: RequestInit) => own(url, init).catch(() => own(url, init)));
    const { baseUrl, arrivals } = await startServer(resetAfterReading);

    const error = await failureOf(merchantAt(baseUrl).payments.transactions.createPix(aPix()));

    expect(error).toMatchObject({ code: "connection_failed", outcome: "unknown" });
    expect(arrivals).toHaveLength(1);
  });

  test("a custom fetch gets the stream, too, since it will call Deno's", async () => {
    vi.stubGlobal("Deno", {});
    const bodies: unknown[] = [];
    const { baseUrl } = await startServer(created());

    await merchantAt(baseUrl, { fetch: watching(bodies) }).payments.transactions.createPix(aPix());

    expect(bodies).toEqual([expect.any(ReadableStream)]);
  });
});

test.each([
  ["1.0.0", false],
  ["1.3.14", false], // 1.3.12 is the last one that was seen to repeat
  ["1.4.0", undefined],
  ["1.10.0", undefined],
  ["2.0.0", undefined],
])(
  "on Bun %s `keepalive` of a create is %s: an older one repeats it on a kept connection",
  async (version, keepalive) => {
    vi.stubGlobal("Bun", { version });
    const { baseUrl } = await startServer(created());
    const platform = vi.spyOn(globalThis, "fetch");

    await merchantAt(baseUrl).payments.transactions.createPix(aPix());

    expect(platform.mock.calls.map(([, init]) => init?.keepalive)).toEqual([keepalive]);
  },
);
