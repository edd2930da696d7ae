import { describe, expect, test, vi } from "vitest";
import { aGate, type Reply, text } from "../support/http-server.ts";
import { aPix, failureOf, merchantAt } from "../support/merchant.ts";
import { aPixData, envelope } from "../support/service-responses.ts";
import { startMerchant } from "../support/start-merchant.ts";
import { TRANSPORTS } from "../support/transports.ts";

/** The maximum number of bytes that are read from a response. */
const LIMIT = 5_000_000;

function paddedPix(length: number): string {
  const body = JSON.stringify(envelope(aPixData({ padding: "" })));
  return body.replace('"padding":""', `"padding":"${"x".repeat(length - body.length)}"`);
}

/** Sends a body without a length, until the reader closes the connection. */
const endless =
  (beginning: string): Reply =>
  async ({ request, response, requestRead }) => {
    await requestRead;
    response.writeHead(201, { "content-type": "application/json" }).write(beginning);
    const chunk = "x".repeat(100_000);
    const pour = () => {
      while (!request.socket.destroyed && response.write(chunk));
    };
    response.on("drain", pour);
    pour();
  };

describe.each(TRANSPORTS)("over $name", ({ startMerchant }) => {
  test("a response of 5 MB is read", async () => {
    const { payments } = await startMerchant(text(201, paddedPix(LIMIT), { "transfer-encoding": "chunked" }));

    const transaction = await payments.transactions.createPix(aPix());

    expect(transaction.id).toBe(4021);
  });

  test.each<[string, Reply]>([
    ["in chunks", text(201, paddedPix(LIMIT + 1), { "transfer-encoding": "chunked" })],
    ["that never ends", endless('{"data":{"id":4021,"padding":"')],
  ])("a response above 5 MB is cut off, and its id is still read: %s", async (_how, reply) => {
    const { payments, arrivals } = await startMerchant(reply);

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

  test("the connection of a response above 5 MB is closed, so that the service stops sending", async () => {
    const closed = aGate();
    const { payments } = await startMerchant((exchange) => {
      exchange.request.socket.on("close", () => closed.open());
      return endless("{")(exchange);
    });

    await failureOf(payments.transactions.createPix(aPix()));

    await expect(closed.passed).resolves.toBeUndefined();
  });
});

test.each([
  ["once", 201, 1, `[${"[],".repeat(1_000)}`],
  ["once", 500, 1, `[${"[],".repeat(1_000)}`],
  ["never, with millions of arrays,", 201, 0, "[".repeat(LIMIT - 1)],
  ["never, with millions of arrays,", 400, 0, "[".repeat(LIMIT - 1)],
])(
  "a body is parsed %s because a large one blocks the event loop: with %d",
  async (_, status, times, body) => {
    const { payments } = await startMerchant(text(status, body));
    const parse = vi.spyOn(JSON, "parse");

    await failureOf(payments.transactions.createPix(aPix()));

    expect(parse.mock.calls.filter(([parsed]) => parsed === body)).toHaveLength(times);
  },
);

test("characters that a custom fetch splits across chunks are decoded", async () => {
  const bytes = new TextEncoder().encode(JSON.stringify(envelope(aPixData({ acquirerType: "ação" }))));
  const body = new ReadableStream({
    start: (controller) => {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  const { payments } = merchantAt("https://pay.example", {
    fetch: async () => new Response(body, { status: 201 }),
  });

  const transaction = await payments.transactions.createPix(aPix());

  expect(transaction.acquirerType).toBe("ação");
});

test.each([
  ["short", JSON.stringify(envelope(aPixData())), { id: 4021 }],
  ["long", paddedPix(LIMIT + 1), { code: "unexpected_response", transactionId: 4021 }],
])("a response of a custom fetch without a stream is read as text: %s", async (_length, body, expected) => {
  const response = new Response(body, { status: 201 });
  Object.defineProperty(response, "body", { value: null });
  Object.defineProperty(response, "text", { value: async () => body });
  const { payments } = merchantAt("https://pay.example", { fetch: async () => response });

  const result = await payments.transactions.createPix(aPix()).catch((error: unknown) => error);

  expect(result).toMatchObject(expected);
});
