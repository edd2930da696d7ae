import { beforeEach, describe, expect, test, vi } from "vitest";
import { closedBaseUrl, json, resetAfterReading, text } from "../support/http-server.ts";
import { aPix, failureOf, merchantAt } from "../support/merchant.ts";
import { created } from "../support/service-responses.ts";
import { startMerchant } from "../support/start-merchant.ts";

/** Tools replace the global `fetch` to trace, cache or mock requests. */

vi.unstubAllGlobals(); // another file of this process may have left a stub
const platformFetch = globalThis.fetch;

describe.each<[string, typeof fetch]>([
  ["is not wrapped", platformFetch],
  ["is wrapped by a tool that passes its arguments on", (...args) => platformFetch(...args)],
  ["is wrapped by a tool that creates a Request", (...args) => platformFetch(new Request(...args))],
])("if the platform's fetch %s,", (_how, wrapped) => {
  beforeEach(() => void vi.stubGlobal("fetch", wrapped));

  describe.each([
    ["by default", undefined],
    ["given as an option", wrapped],
  ])("and used %s", (_which, fetch) => {
    test("a create call is not_sent if no server listens", async () => {
      const { payments } = merchantAt(await closedBaseUrl(), { fetch });

      const error = await failureOf(payments.transactions.createPix(aPix()));

      expect(error).toMatchObject({ code: "connection_failed", outcome: "not_sent" });
      expect(error.message).toContain("ECONNREFUSED");
    });

    // After a 421, Node's fetch repeats a request over a new connection, unless its body can be read only once.
    test("a create request that gets a 421 arrives once, with its length, and so does the next one", async () => {
      const { payments, arrivals } = await startMerchant(text(421, ""), { fetch });
      const create = (externalRef: string) => payments.transactions.createPix(aPix({ externalRef }));

      const errors = [await failureOf(create("order-1")), await failureOf(create("order-2"))];

      expect(errors.map(({ outcome }) => outcome)).toEqual(["unknown", "unknown"]);
      expect(arrivals.map(({ body }) => JSON.parse(body).externalRef)).toEqual(["order-1", "order-2"]);
      for (const { body, headers } of arrivals) expect(headers["content-length"]).toBe(String(body.length));
    });
  });
});

test("a replacement that knows no streams sends the JSON text, and a failure of it is unknown", async () => {
  const seen: unknown[] = [];
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    seen.push(JSON.parse(init.body as string));
    return platformFetch(url, { ...init, body: String(init.body) });
  });
  const { payments, arrivals } = await startMerchant(created());
  const { payments: down } = merchantAt(await closedBaseUrl());

  await payments.transactions.createPix(aPix());
  const error = await failureOf(down.transactions.createPix(aPix()));

  expect(arrivals.map(({ body }) => JSON.parse(body))).toEqual([seen[0]]);
  expect(seen).toMatchObject([{ externalRef: "order-1" }, { externalRef: "order-1" }]);
  expect(error).toMatchObject({ code: "connection_failed", outcome: "unknown" });
});

test("a replacement that reads the body twice gets nothing the second time", async () => {
  const readings: string[] = [];
  vi.stubGlobal("fetch", async (_url: string, { body }: { body: ReadableStream<Uint8Array> }) => {
    for (const _time of ["first", "second"]) {
      let read = "";
      for await (const chunk of body) read += Buffer.from(chunk).toString();
      readings.push(read);
    }
    return Response.error();
  });

  await failureOf(merchantAt("http://127.0.0.1:9").payments.transactions.createPix(aPix()));

  expect(readings).toEqual([expect.stringMatching(/^\{[^{}]*"amount":1990.{0,400}\}$/), ""]);
});

test.each([false, true])(
  "a custom fetch, or a mock (%s) of the global fetch, gets the body as a string",
  async (isMock) => {
    const bodies: unknown[] = [];
    const recording: typeof fetch = (url, init) => {
      if (String(url).includes("/api/")) bodies.push(init?.body); // not the postbacks of another file's sandbox
      return platformFetch(url, init);
    };
    if (isMock) vi.stubGlobal("fetch", vi.fn(recording));
    const { payments } = await startMerchant(created(), { fetch: isMock ? undefined : recording });

    await payments.transactions.createPix(aPix());

    expect(bodies).toEqual([expect.stringContaining('"amount":1990')]);
  },
);

test("on Workers with Node's modules, whose fetch sends a stream without its length, the body is a string", async () => {
  vi.stubGlobal("process", Object.create(process, { versions: { value: { node: "22.23.4", undici: "" } } }));
  const bodies: unknown[] = [];
  vi.stubGlobal("fetch", (url: string, init: RequestInit) => {
    if (url.includes("/api/")) bodies.push(init.body);
    return platformFetch(url, init);
  });
  const { payments } = await startMerchant(created());

  await payments.transactions.createPix(aPix());

  expect(bodies).toEqual([expect.stringContaining('"amount":1990')]);
});

test("Next.js is asked to pass every request on, so that it caches none", async () => {
  const options: unknown[] = [];
  vi.stubGlobal(Symbol.for("next-patch"), true);
  vi.stubGlobal("fetch", (url: string, init: RequestInit & { next?: unknown }) => {
    if (url.includes("/api/")) options.push(init.next);
    return platformFetch(url, init);
  });
  const { payments } = await startMerchant([created(), json(200, { status: "online" })]);

  await payments.transactions.createPix(aPix());
  await payments.status.retrieve();

  expect(options).toEqual([{ internal: true }, { internal: true }]);
});

describe("on Deno, whose fetch repeats a request after a broken connection", () => {
  beforeEach(() => void vi.stubGlobal("Deno", {}));

  test("a create request arrives complete, as a stream", async () => {
    const { payments, arrivals } = await startMerchant(created());

    await payments.transactions.createPix(aPix());

    const [{ body, headers } = { body: "", headers: {} }] = arrivals;
    expect(JSON.parse(body)).toMatchObject({ amount: 1990, externalRef: "order-1" });
    expect(headers).toMatchObject({ "content-type": "application/json", "transfer-encoding": "chunked" });
  });

  const repeating: typeof fetch = (url, init) =>
    platformFetch(url, init).catch(() => platformFetch(url, init));

  test.each([
    ["Deno's fetch", undefined],
    ["a custom fetch, which may call it,", repeating],
  ])("a create request over %s whose connection breaks arrives once", async (_which, fetch) => {
    vi.stubGlobal("fetch", repeating);
    const { payments, arrivals } = await startMerchant(resetAfterReading, { fetch });

    const error = await failureOf(payments.transactions.createPix(aPix()));

    expect(error).toMatchObject({ code: "connection_failed", outcome: "unknown" });
    expect(arrivals).toHaveLength(1);
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
    const { payments, baseUrl } = await startMerchant(created());
    const platform = vi.spyOn(globalThis, "fetch");

    await payments.transactions.createPix(aPix());

    // Another test's sandbox may still be posting.
    const sent = platform.mock.calls.filter(([url]) => String(url).startsWith(baseUrl));
    expect(sent.map(([, init]) => init?.keepalive)).toEqual([keepalive]);
  },
);
