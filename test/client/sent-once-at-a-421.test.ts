import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test, vi } from "vitest";
import { type Reply, startServer, text } from "../support/http-server.ts";
import { aPix, failureOf, merchantAt } from "../support/merchant.ts";
import { created } from "../support/service-answers.ts";

// Node's fetch sends a request again, by a new connection, that was answered 421, unless its body can be read once only.
const misdirected = text(421, "");

/** Answers 421, and is not there any more when that is repeated. */
const misdirectedAndGone: Reply = async ({ request, response, whole }) => {
  await whole;
  const { server } = request.socket as unknown as { server: import("node:http").Server };
  server.close();
  response.writeHead(421, { connection: "close" }).end();
};

describe("a create that is answered 421 arrives once", () => {
  test.each([
    ["by the platform's fetch", undefined],
    ["also where that was given as an option", globalThis.fetch],
  ])("%s, and so does the next one", async (_by, fetch) => {
    const { baseUrl, arrivals } = await startServer(misdirected);
    const { payments } = merchantAt(baseUrl, { fetch });

    const errors = [
      await failureOf(payments.transactions.createPix(aPix({ externalRef: "order-1" }))),
      await failureOf(payments.transactions.createPix(aPix({ externalRef: "order-2" }))),
    ];

    expect(errors.map(({ outcome }) => outcome)).toEqual(["unknown", "unknown"]);
    expect(arrivals.map(({ body }) => JSON.parse(body).externalRef)).toEqual(["order-1", "order-2"]);
  });

  test("and is unknown, where nobody is there any more for a second one", async () => {
    const { baseUrl, arrivals } = await startServer(misdirectedAndGone);
    const { payments } = merchantAt(baseUrl);

    const error = await failureOf(payments.transactions.createPix(aPix()));

    expect(error).toMatchObject({ outcome: "unknown" });
    expect(arrivals).toHaveLength(1);
  });
});

test("a create says its length, as it always did", async () => {
  const { baseUrl, arrivals } = await startServer(created());
  const { payments } = merchantAt(baseUrl);

  await payments.transactions.createPix(aPix({ customer: { ...aPix().customer, name: "João Avião" } }));

  const [{ body, headers } = { body: "", headers: {} }] = arrivals;
  expect(JSON.parse(body).customer.name).toBe("João Avião");
  expect(headers["content-length"]).toBe(String(Buffer.byteLength(body)));
  expect(headers).not.toHaveProperty("transfer-encoding");
});

test.each<[string, (own: typeof fetch, bodies: unknown[]) => object]>([
  [
    "that was given as an option",
    (own, bodies) => ({
      fetch: (url: string, init: RequestInit) => own(url, bodies.push(init.body) ? init : init),
    }),
  ],
  [
    "that a tool has put in the place of the platform's",
    (own, bodies) => {
      vi.stubGlobal("fetch", (url: string, init: RequestInit) =>
        own(url, bodies.push(init.body) ? init : init),
      );
      return {};
    },
  ],
])("a fetch %s gets a text, which it may look at", async (_which, prepare) => {
  const bodies: unknown[] = [];
  const { baseUrl } = await startServer(created());
  const { payments } = merchantAt(baseUrl, prepare(globalThis.fetch, bodies));

  await payments.transactions.createPix(aPix());

  expect(bodies).toEqual([expect.stringContaining('"amount":1990')]);
});

test("a fetch that a tool had put there before the package came proves nothing", async () => {
  const { baseUrl, arrivals } = await startServer(misdirectedAndGone);
  const script = fileURLToPath(new URL("support/refused-under-a-tool.ts", import.meta.url));
  const tool = fileURLToPath(new URL("support/repeating-fetch.ts", import.meta.url));

  const { stdout } = await promisify(execFile)(process.execPath, [`--import=${tool}`, script, baseUrl]);

  expect(stdout.trim()).toBe("unknown");
  expect(arrivals.length).toBeGreaterThan(0);
});

describe("on edge-runtime, whose fetch is undici, too", () => {
  test.each([
    ["a fetch gets what can be read once", {}, "object"],
    ["that of Next.js gets a text, by which it names what it caches", { __nextPatched: true }, "string"],
  ])("%s", async (_which, mark, kind) => {
    const bodies: unknown[] = [];
    const { baseUrl } = await startServer(created());
    const { payments } = merchantAt(baseUrl);
    const own = globalThis.fetch;
    const spied = (url: string, init: RequestInit) => own(url, bodies.push(init.body) ? init : init);
    vi.stubGlobal("EdgeRuntime", "edge-runtime");
    vi.stubGlobal("fetch", Object.assign(spied, mark));

    await payments.transactions.createPix(aPix());

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
    const { payments } = merchantAt("http://127.0.0.1:9");

    await failureOf(payments.transactions.createPix(aPix())); // an answer without a code

    expect(readings).toEqual([expect.stringMatching(/^\{[^{}]*"amount":1990.{0,300}\}$/), ""]);
  });
});
