import type { Gateway, PostbackOptions } from "payments-sdk/sandbox";
import { describe, expect, test } from "vitest";
import { freePort } from "../../support/free-port.ts";
import { NOON, postingTo } from "../support/posting.ts";
import { aReceiver, type Receiver, statuses } from "../support/receiver.ts";

describe("a receiver that does not say 2xx", () => {
  /** A body that stays open after its first words. */
  function endless(text: string): ReadableStream<Uint8Array> {
    return new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode(text)) });
  }

  /** Advances until a moment of a list, and counts what came by then. */
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

  test("gets it again after 1, 2, 4 and 8 seconds, then no more", async () => {
    const receiver = await aReceiver(statuses(500));
    const { gateway, pix } = postingTo(receiver);

    gateway.pay(await pix());
    const counts = await countsAt(gateway, receiver, [0, 999, 1000, 2999, 3000, 6999, 7000, 14_999, 15_000]);
    gateway.clock.advance(86_400_000 / 2);
    await gateway.settled();

    expect(counts).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5]);
    expect(receiver.received).toHaveLength(5);
    expect(gateway.deliveries[0]).toMatchObject({ status: "failed" });
    expect(gateway.deliveries[0]).not.toHaveProperty("nextAttemptAt");
    expect(gateway.deliveries[0]?.attempts.map(({ status }) => status)).toEqual([500, 500, 500, 500, 500]);
    expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1);
  });

  test("gets it so often in one long advance, too, each time at its own time", async () => {
    const receiver = await aReceiver(statuses(500));
    const { gateway, pix } = postingTo(receiver, { duplicates: 1 });
    gateway.pay(await pix());

    gateway.clock.advance(3_600_000);
    await gateway.settled();

    const times = gateway.deliveries.map(({ attempts }) => attempts.map(({ at }) => Date.parse(at) - NOON));
    expect(times).toEqual([
      [0, 1000, 3000, 7000, 15_000],
      [0, 1000, 3000, 7000, 15_000],
    ]);
  });

  test("gets it no more once it did", async () => {
    const receiver = await aReceiver(statuses(503, 404, 204));
    const { gateway, pix } = postingTo(receiver);

    gateway.pay(await pix());
    await countsAt(gateway, receiver, [1000, 3000, 60_000]);

    expect(gateway.deliveries[0]?.attempts.map(({ status }) => status)).toEqual([503, 404, 204]);
    expect(gateway.deliveries[0]?.status).toBe("delivered");
  });

  test.each([300, 301, 307, 400, 401, 500])("%i is none", async (status) => {
    const receiver = await aReceiver((response) => response.writeHead(status, { location: "/other" }).end());
    const { gateway, pix } = postingTo(receiver, { retries: 0 });

    gateway.pay(await pix());
    await gateway.settled();

    expect(receiver.received.map(({ path }) => path)).toEqual(["/postbacks"]); // no redirect is followed
    expect(gateway.deliveries[0]?.status).toBe("failed");
  });

  test("has as many retries and as much time between them as the options say", async () => {
    const receiver = await aReceiver(statuses(500));
    const { gateway, pix } = postingTo(receiver, { retries: 2, backoffMs: 100 });

    gateway.pay(await pix());
    const counts = await countsAt(gateway, receiver, [0, 100, 299, 300, 10_000]);

    expect(counts).toEqual([1, 2, 2, 3, 3]);
  });

  test.each<[string, PostbackOptions]>([
    ["however it is sent", {}],
    ["though its fetch knows no signal", { fetch: () => new Promise(() => {}) }],
  ])("has so much time to answer, %s", async (_how, options) => {
    const receiver = await aReceiver(() => {}); // never
    const { gateway, pix } = postingTo(receiver, { timeoutMs: 50, retries: 0, ...options });

    gateway.pay(await pix());
    await gateway.settled();

    expect(gateway.deliveries[0]?.attempts).toMatchObject([{ error: "no answer within 50 ms" }]);
    expect(gateway.deliveries[0]?.status).toBe("failed");
  });

  test("gets it again when it is too late, and when it hangs up", async () => {
    const receiver = await aReceiver((response, nth) => {
      if (nth === 1) response.destroy();
      if (nth === 2) response.end();
    });
    const { gateway, pix } = postingTo(receiver, { timeoutMs: 300 });

    gateway.pay(await pix());
    const counts = await countsAt(gateway, receiver, [0, 999, 1000, 2999, 3000]);

    expect(counts).toEqual([1, 1, 2, 2, 3]);
    expect(gateway.deliveries[0]?.attempts).toEqual([
      { at: "2026-12-04T12:00:00.000Z", error: "no answer within 300 ms" },
      { at: "2026-12-04T12:00:01.000Z", error: expect.stringMatching(/^(UND_ERR_SOCKET|ECONNRESET)$/) },
      { at: "2026-12-04T12:00:03.000Z", status: 200, body: "" },
    ]);
  });

  test("has answered once its status came, even if the rest breaks off", async () => {
    const receiver = await aReceiver((response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("thank", () => response.destroy());
    });
    const { gateway, pix } = postingTo(receiver);

    gateway.pay(await pix());
    await gateway.settled();

    expect(gateway.deliveries[0]).toMatchObject({ status: "delivered", attempts: [{ status: 200 }] });
  });

  test.each<[string, PostbackOptions]>([
    ["however it is sent", {}],
    ["though its fetch knows no signal", { fetch: async () => new Response(endless("thank")) }],
  ])("has answered once its status came, even if the rest never comes, %s", async (_how, options) => {
    const receiver = await aReceiver((response) => response.writeHead(200).write("thank"));
    const { gateway, pix } = postingTo(receiver, { timeoutMs: 300, ...options });

    gateway.pay(await pix());
    await gateway.settled();

    expect(gateway.deliveries[0]).toMatchObject({
      status: "delivered",
      attempts: [{ status: 200, body: "thank" }],
    });
  });

  test("is not listened to for ever", async () => {
    const receiver = await aReceiver((response) => {
      const babble = () => response.write("blah ".repeat(1000), babble);
      babble();
    });
    const { gateway, pix } = postingTo(receiver);

    gateway.pay(await pix());
    await gateway.settled();

    expect(gateway.deliveries[0]?.attempts[0]?.body).toHaveLength(1000);
    expect(gateway.deliveries[0]?.status).toBe("delivered");
  });

  test("may not be there at all", async () => {
    const port = await freePort();
    const { gateway, pix } = postingTo(await aReceiver(), { retries: 0 });

    gateway.pay(await pix({ postbackUrl: `http://127.0.0.1:${port}/` }));
    await gateway.settled();

    expect(gateway.deliveries[0]?.attempts).toEqual([
      { at: "2026-12-04T12:00:00.000Z", error: "ECONNREFUSED" },
    ]);
  });

  test("may have a name that leads nowhere", async () => {
    const cause = Object.assign(new Error("getaddrinfo ENOTFOUND nobody.invalid"), { code: "ENOTFOUND" });
    const fetch = () => Promise.reject(new TypeError("fetch failed", { cause }));
    const { gateway, pix } = postingTo(await aReceiver(), { fetch, retries: 0 });

    gateway.pay(await pix());
    await gateway.settled();

    expect(gateway.deliveries[0]?.attempts[0]?.error).toBe("ENOTFOUND");
  });
});
