import type { Gateway, PostbackOptions } from "payments-sdk/sandbox";
import { describe, expect, test } from "vitest";
import { freePort } from "../../support/free-port.ts";
import { type Receiver, startPosting, statuses } from "../support/postback-receiver.ts";
import { NOON } from "../support/wire.ts";

const never = () => new Promise<Response>(() => {});

describe("a receiver that responds with another status than 2xx", () => {
  /** Advances to each moment, and counts the postbacks received until then. */
  async function countsAt(gateway: Gateway, receiver: Receiver, moments: readonly number[]) {
    const counts: number[] = [];
    await gateway.settled();
    for (const moment of moments) {
      gateway.clock.advance(NOON + moment - gateway.clock.now());
      await gateway.settled();
      counts.push(receiver.received.length);
    }
    return counts;
  }

  test("gets the postback again after 1, 2, 4 and 8 seconds, then no more", async () => {
    const { receiver, gateway, pix } = await startPosting({}, statuses(500));

    gateway.pay(await pix());
    const moments = [0, 999, 1000, 2999, 3000, 6999, 7000, 14_999, 15_000, 86_400_000 / 2];
    const counts = await countsAt(gateway, receiver, moments);

    expect(counts).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
    expect(gateway.deliveries[0]).toMatchObject({ status: "failed" });
    expect(gateway.deliveries[0]).not.toHaveProperty("nextAttemptAt");
    expect(gateway.deliveries[0]?.attempts.map(({ status }) => status)).toEqual([500, 500, 500, 500, 500]);
    expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1);
  });

  test("gets it as often and at the times that the options set, even in one long advance", async () => {
    const { gateway, pix } = await startPosting({ duplicates: 1, retries: 2, backoffMs: 100 }, statuses(500));
    gateway.pay(await pix());

    gateway.clock.advance(3_600_000);
    await gateway.settled();

    const times = gateway.deliveries.map(({ attempts }) => attempts.map(({ at }) => Date.parse(at) - NOON));
    expect(times).toEqual([
      [0, 100, 300],
      [0, 100, 300],
    ]);
  });

  test.each([300, 301, 400])("gets it again after %i", async (status) => {
    const { receiver, gateway, pix } = await startPosting({ retries: 0 }, (response) =>
      response.writeHead(status, { location: "/other" }).end(),
    );

    gateway.pay(await pix());
    await gateway.settled();

    expect(receiver.received.map(({ path }) => path)).toEqual(["/postbacks"]); // the redirect is not followed
    expect(gateway.deliveries[0]?.status).toBe("failed");
  });
});

describe("a receiver that does not respond", () => {
  test.each<[string, PostbackOptions]>([
    ["over the network", {}],
    ["with a fetch that ignores its signal", { fetch: never }],
  ])("has timeoutMs to respond, %s", async (_how, options) => {
    const { gateway, pix } = await startPosting({ timeoutMs: 50, retries: 0, ...options }, () => {}); // never

    gateway.pay(await pix());
    await gateway.settled();

    expect(gateway.deliveries[0]).toMatchObject({
      status: "failed",
      attempts: [{ error: "no response within 50 ms" }],
    });
  });

  test("gets the postback again after a timeout, and no more after it has responded", async () => {
    const responses = [never, async () => new Response("")];
    const { gateway, pix } = await startPosting({
      timeoutMs: 50,
      fetch: () => (responses.shift() ?? never)(),
    });

    gateway.pay(await pix());
    await gateway.settled();
    gateway.clock.advance(60_000);
    await gateway.settled();

    expect(gateway.deliveries[0]).toMatchObject({ status: "delivered" });
    expect(gateway.deliveries[0]?.attempts).toEqual([
      { at: "2026-12-04T12:00:00.000Z", error: "no response within 50 ms" },
      { at: "2026-12-04T12:00:01.000Z", status: 200, body: "" },
    ]);
  });

  test("can be unreachable, or close the connection", async () => {
    const { gateway, pix } = await startPosting({ retries: 0 }, (response) => response.destroy());

    gateway.pay(await pix({ postbackUrl: `http://127.0.0.1:${await freePort()}/` }));
    gateway.pay(await pix());
    await gateway.settled();

    expect(gateway.deliveries.map(({ attempts }) => attempts[0]?.error)).toEqual([
      "ECONNREFUSED",
      expect.stringMatching(/^(UND_ERR_SOCKET|ECONNRESET)$/),
    ]);
  });
});

describe("a response counts as soon as its status is received", () => {
  test("even if the body never follows", async () => {
    const endless = () =>
      new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode("thank")) });
    const { gateway, pix } = await startPosting({
      timeoutMs: 50,
      fetch: async () => new Response(endless()),
    });

    gateway.pay(await pix());
    await gateway.settled();

    expect(gateway.deliveries[0]).toMatchObject({
      status: "delivered",
      attempts: [{ status: 200, body: "thank" }],
    });
  });

  test("even if the body is endless: 1,000 characters are read and kept", async () => {
    let pieces = 0;
    const babble = async (stream: ReadableStreamDefaultController<Uint8Array>) => {
      pieces += 1;
      await new Promise(setImmediate);
      stream.enqueue(new TextEncoder().encode("blah ".repeat(150)));
    };
    const fetch = async () => new Response(new ReadableStream({ pull: babble }));
    const { gateway, pix } = await startPosting({ fetch });

    gateway.pay(await pix());
    await gateway.settled();

    expect(gateway.deliveries[0]?.attempts[0]?.body).toHaveLength(1000);
    expect(gateway.deliveries[0]?.status).toBe("delivered");
    expect(pieces).toBeLessThan(10);
  });
});
