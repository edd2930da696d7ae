import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { type Reply, startServer, text } from "../support/http-server.ts";
import { aPix, failureOf, merchantAt } from "../support/merchant.ts";
import { aPixData, envelope } from "../support/service-responses.ts";
import { TRANSPORTS } from "../support/transports.ts";

/** Our limit: bytes of an answer that are read. */
const LIMIT = 5_000_000;

function paddedPix(length: number): string {
  const body = JSON.stringify(envelope(aPixData({ padding: "" })));
  return body.replace('"padding":""', `"padding":"${"x".repeat(length - body.length)}"`);
}

/** Sends without a length, and never ends unless the reader does. */
const endless =
  (beginning: string): Reply =>
  async ({ request, response, whole }) => {
    await whole;
    response.writeHead(201, { "content-type": "application/json" }).write(beginning);
    const chunk = "x".repeat(100_000);
    const pour = () => {
      while (!request.socket.destroyed && response.write(chunk));
    };
    response.on("drain", pour);
    pour();
  };

describe.each(TRANSPORTS)("over $name", ({ merchantAt }) => {
  test("an answer of 5 MB is read", async () => {
    const { baseUrl } = await startServer(text(201, paddedPix(LIMIT), { "transfer-encoding": "chunked" }));
    const { payments } = merchantAt(baseUrl);

    const transaction = await payments.transactions.createPix(aPix());

    expect(transaction.id).toBe(4021);
  });

  test.each<[string, Reply]>([
    ["in chunks", text(201, paddedPix(LIMIT + 1), { "transfer-encoding": "chunked" })],
    ["that never ends", endless('{"data":{"id":4021,"padding":"')],
  ])("an answer above 5 MB is cut off, and its id still read: %s", async (_how, reply) => {
    const { baseUrl, arrivals } = await startServer(reply);
    const { payments } = merchantAt(baseUrl);

    const error = await failureOf(payments.transactions.createPix(aPix()));

    expect(error).toMatchObject({
      code: "unexpected_response",
      outcome: "created",
      transactionId: 4021,
      issues: [{ field: "", message: "the body is too long" }],
    });
    expect(error).toHaveProperty("body.length", 65_536);
    expect(arrivals).toHaveLength(1);
  });

  test("a small answer that unpacks to more than 5 MB is cut off too", async () => {
    const packed = gzipSync(paddedPix(LIMIT * 2));
    const bomb: Reply = async ({ response, whole }) => {
      await whole;
      response.writeHead(201, { "content-encoding": "gzip", "content-length": packed.length }).end(packed);
    };
    const { baseUrl } = await startServer(bomb);
    const { payments } = merchantAt(baseUrl);

    const error = await failureOf(payments.transactions.createPix(aPix()));

    expect(packed.length).toBeLessThan(100_000);
    expect(error).toMatchObject({ code: "unexpected_response", outcome: "created", transactionId: 4021 });
  });
});

test("the length that a caller's fetch announces is not believed", async () => {
  const pour = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(100_000).fill(120)),
  });
  const headers = { "content-length": "10" };
  const { payments } = merchantAt("http://127.0.0.1:4021", {
    fetch: async () => new Response(pour, { status: 201, headers }),
  });

  const error = await failureOf(payments.transactions.createPix(aPix()));

  expect(error).toMatchObject({
    code: "unexpected_response",
    outcome: "unknown",
    issues: [{ field: "", message: "the body is too long" }],
  });
});

test("letters of a caller's fetch that are cut by a chunk come through whole", async () => {
  const bytes = new TextEncoder().encode(JSON.stringify(envelope(aPixData({ acquirerType: "ação" }))));
  const body = new ReadableStream({
    start: (controller) => {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  const fetch = async () => new Response(body, { status: 201 });

  const transaction = await merchantAt("https://pay.example", { fetch }).payments.transactions.createPix(
    aPix(),
  );

  expect(transaction.acquirerType).toBe("ação");
});

test.each([
  ["short", JSON.stringify(envelope(aPixData())), { id: 4021 }],
  ["long", paddedPix(LIMIT + 1), { code: "unexpected_response", transactionId: 4021 }],
])("a caller's fetch whose answer has no stream is read as text: %s", async (_length, body, ending) => {
  const answer = new Response(body, { status: 201 });
  Object.defineProperty(answer, "body", { value: null });
  Object.defineProperty(answer, "text", { value: async () => body });
  const { payments } = merchantAt("https://pay.example", { fetch: async () => answer });

  const result = await payments.transactions.createPix(aPix()).catch((error: unknown) => error);

  expect(result).toMatchObject(ending);
});
