import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type OnSocket, startRaw } from "../node/support/raw-server.ts";
import { aGate } from "../support/http-server.ts";
import { aPix, failureOf, merchantAt } from "../support/merchant.ts";
import { aPixData, aStatus, envelope, PIX_CODE } from "../support/service-responses.ts";
import { TRANSPORTS } from "../support/transports.ts";

/** A connection can fail after the whole body was received, and before its end: the body shows what was charged. */

const PIX = JSON.stringify(envelope(aPixData()));
const VALIDATION = JSON.stringify({ success: false, message: "Validation Error", errors: [] });

const WITH_ID = { outcome: "created", transactionId: 4021, body: PIX.slice(0, 200) };
const CUT_OFF = { issues: [{ field: "", message: "the body is cut off" }] };

const head = (status: number, headers: string) => `HTTP/1.1 ${status} Some\r\n${headers}\r\n`;
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

/** Responses whose headers announce more than this body. */
const withoutLastChunk = (status: number, body: string) =>
  `${head(status, "transfer-encoding: chunked\r\n")}${chunk(body)}`;
const shorterThanItsLength = (status: number, body: string) =>
  head(status, `content-length: ${Buffer.byteLength(body) + 9}\r\n`) + body;

const closeAfter =
  (...parts: readonly (string | Uint8Array)[]): OnSocket =>
  (socket) =>
    socket.once("data", () => socket.end(Buffer.concat(parts.map((part) => Buffer.from(part)))));
const resetAfter =
  (response: string): OnSocket =>
  (socket) =>
    socket.once("data", () => socket.write(response, () => socket.resetAndDestroy()));

const ENDINGS: [string, (status: number, body: string) => OnSocket][] = [
  ["without its last chunk", (status, body) => closeAfter(withoutLastChunk(status, body))],
  ["shorter than its content-length", (status, body) => closeAfter(shorterThanItsLength(status, body))],
  ["before the connection is reset", (status, body) => resetAfter(withoutLastChunk(status, body))],
];

describe.each(TRANSPORTS)("over $name", ({ merchantAt: at }) => {
  const createPix = async (onSocket: OnSocket) =>
    at((await startRaw(onSocket)).baseUrl).payments.transactions.createPix(aPix());

  describe.each(ENDINGS)("a body %s", (_how, respond) => {
    test("is the result of a create call if its JSON is whole", async () => {
      const pix = await createPix(respond(201, PIX));

      expect(pix).toMatchObject({ id: 4021, status: "pending", pix: { qrcodeText: PIX_CODE } });
    });

    const UNKNOWN = { code: "connection_failed", outcome: "unknown" };

    test.each<[string, number, string, object]>([
      ["a transaction id is created", 201, PIX.slice(0, 200), { ...WITH_ID, ...CUT_OFF }],
      ["a transaction id is created", 400, PIX.slice(0, 200), WITH_ID],
      ["neither whole JSON nor an id is unknown", 201, PIX.slice(0, 40), UNKNOWN],
      ["whole JSON does not prove that nothing was charged", 400, VALIDATION, UNKNOWN],
    ])("with %s: %d", async (_what, status, body, expected) => {
      expect(await failureOf(createPix(respond(status, body)))).toMatchObject(expected);
    });
  });

  test("a read is repeated, even if its JSON is whole", async () => {
    const cut = withoutLastChunk(200, JSON.stringify(aStatus()));
    const { baseUrl, received } = await startRaw((socket, number) =>
      closeAfter(number === 0 ? cut : `${cut}0\r\n\r\n`)(socket, number),
    );

    const { version } = await at(baseUrl).payments.status.retrieve();

    expect(version).toBe("1.4.2");
    expect(received).toHaveLength(2);
  });
});

describe.each(TRANSPORTS)("if a body stops until the call ends, over $name", ({ merchantAt: at }) => {
  // Only the SDK's timers are fake: Node's sockets have their own timers.
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  /** A call to a service that sends no more than this body. `end` ends the call once the body has arrived. */
  async function callWith(status: number, body: string) {
    const read = aGate();
    const { baseUrl, open } = await startRaw((socket) =>
      socket.once("data", () => socket.write(withoutLastChunk(status, body), () => read.open())),
    );
    const controller = new AbortController();
    const { payments } = at(baseUrl, { timeout: 600 });
    const call = payments.transactions.createPix(aPix(), { signal: controller.signal });
    call.catch(() => undefined);
    await read.passed;
    // The response is on its way: the client has received it after a few turns of the event loop.
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    return { call, open, abort: () => controller.abort() };
  }

  test.each<[string, number, string, object]>([
    ["whole JSON is the result", 201, PIX, { id: 4021, pix: { qrcodeText: PIX_CODE } }],
    ["an id is created", 201, PIX.slice(0, 200), { outcome: "created", transactionId: 4021 }],
    ["a 400 is unknown", 400, VALIDATION, { code: "timed_out", outcome: "unknown" }],
  ])("at the time limit %s, and the connection is closed", async (_what, status, body, expected) => {
    const { call, open } = await callWith(status, body);

    await vi.advanceTimersByTimeAsync(600);

    expect(await call.catch((error: unknown) => error)).toMatchObject(expected);
    await expect.poll(open).toBe(0);
  });

  test("an abort does not hide the transaction", async () => {
    const { call, abort } = await callWith(201, PIX);

    abort();

    expect(await call).toMatchObject({ id: 4021 });
  });
});

test("the part that a custom fetch received is read at the time limit, even if it ignores its signal", async () => {
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(PIX)),
  });
  const fetch = async () => new Response(body, { status: 201 });
  const { payments } = merchantAt("https://pay.example", { fetch, timeout: 30 });

  expect(await payments.transactions.createPix(aPix())).toMatchObject({ id: 4021 });
});

test("a 400 of a custom fetch that is shorter than its content-length is unknown", async () => {
  const headers = { "content-length": String(VALIDATION.length + 1) };
  const fetch = async () => new Response(VALIDATION, { status: 400, headers });
  const { payments } = merchantAt("https://pay.example", { fetch });

  expect(await failureOf(payments.transactions.createPix(aPix()))).toMatchObject({ outcome: "unknown" });
});

// Over HTTP/2, `fetch` also reports a body that was cut off like a complete body without a length.
describe.each(TRANSPORTS)("a 400, over $name,", ({ merchantAt: at }) => {
  const VALUE = gzipSync(PIX);
  const gzip = "content-encoding: gzip\r\n";
  const JSON_TYPE = "content-type: application/json\r\n";
  const PAGE = "<html><body>Bad Request</body></html>";

  test.each<[string, string, string, string | Uint8Array]>([
    ["unknown", "is cut off inside gzip", `${gzip}content-length: 12\r\n`, VALUE.subarray(0, 12)],
    ["unknown", "is a text in gzip", `${gzip}content-length: ${gzipSync("No").length}\r\n`, gzipSync("No")],
    ["unknown", "is empty and has no length", "", ""],
    ["unknown", "is a text and has no length", "", "Upstream said: tra"],
    ["unknown", "is a part of a page and has no length", "", PAGE.slice(0, -4)],
    ["unknown", "begins like JSON and has no length", "", VALIDATION.slice(0, 1)],
    ["unknown", "is a part of JSON and has no length", "", VALIDATION.slice(0, 30)],
    ["rejected", "is whole JSON without a length", "", VALIDATION],
    ["unknown", "is empty where JSON is announced", JSON_TYPE, ""],
    ["rejected", "is empty, with its length", `${JSON_TYPE}content-length: 0\r\n`, ""],
    ["rejected", "is a text with its length", "content-length: 12\r\n", "Unauthorized"],
    ["rejected", "is a whole page without a length", "", `${PAGE}\r\n<!-- a padding -->\r\n`],
    ["rejected", "is a whole page in gzip", gzip, gzipSync(PAGE)],
  ])("is %s if it %s", async (outcome, _what, headers, body) => {
    const { baseUrl } = await startRaw(closeAfter(head(400, headers), body));

    const error = await failureOf(at(baseUrl).payments.transactions.createPix(aPix()));

    expect(error.outcome).toBe(outcome);
  });
});
