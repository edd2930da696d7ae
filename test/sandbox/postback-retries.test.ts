import type { PostbackOptions } from "payments-sdk/sandbox";
import { describe, expect, test } from "vitest";
import { freePort } from "../support/running.ts";
import { startPosting, statuses } from "./support/postback-receiver.ts";
import { NOON } from "./support/wire.ts";

const never = () => new Promise<Response>(() => {});

describe("a receiver that responds with another status than 2xx", () => {
  test.each<[PostbackOptions, number[][]]>([
    [{}, [[0, 1_000, 3_000, 7_000, 15_000]]],
    [
      { duplicates: 1, retries: 2, backoffMs: 100 },
      [
        [0, 100, 300],
        [0, 100, 300],
      ],
    ],
  ])("with %j gets the postback again after the milliseconds %j, then no more", async (options, expected) => {
    const { receiver, gateway, pix } = await startPosting(options, statuses(500, 400, 300, 301));
    gateway.pay(await pix());

    gateway.clock.advance(86_400_000 / 2);
    await gateway.settled();

    const times = gateway.deliveries.map(({ attempts }) => attempts.map(({ at }) => Date.parse(at) - NOON));
    expect(times).toEqual(expected);
    expect(receiver.received).toHaveLength(expected.flat().length);
    expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1);
    expect(gateway.deliveries[0]).toMatchObject({ status: "failed" });
    expect(gateway.deliveries[0]).not.toHaveProperty("nextAttemptAt");
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

describe("the fault shop_500", () => {
  test.each<[PostbackOptions, string, (number | undefined)[], number]>([
    [{}, "delivered", [500, 200], 1],
    [{ retries: 0 }, "failed", [500], 0], // lost
  ])(
    "counts once as a 500 of a shop that does not get the postback, with %j",
    async (options, status, answers, received) => {
      const { receiver, gateway, pix } = await startPosting(options);
      gateway.faults.add({ on: "postbacks", kind: "shop_500" });

      gateway.pay(await pix());
      await gateway.settled();
      gateway.clock.advance(86_400_000 / 2);
      await gateway.settled();
      const [delivery] = gateway.deliveries;
      gateway.pay(await pix({ externalRef: "order-2" }));
      await gateway.settled();

      expect(delivery?.status).toBe(status);
      expect(delivery?.attempts.map((attempt) => attempt.status)).toEqual(answers);
      expect(delivery?.attempts.map(({ fault }) => fault)).toEqual(
        answers.map((answer) => (answer === 500 ? "shop_500" : undefined)),
      );
      expect(receiver.received).toHaveLength(received + 1);
      expect(gateway.deliveries[1]?.status).toBe("delivered");
      expect(gateway.faults.armed).toEqual([]);
    },
  );
});

describe("a response counts as soon as its status is received", () => {
  test("even if the body never follows", async () => {
    const fetch = async () =>
      new Response(new ReadableStream({ start: (stream) => stream.enqueue(Buffer.from("thank")) }));
    const { gateway, pix } = await startPosting({ timeoutMs: 50, fetch });

    gateway.pay(await pix());
    await gateway.settled();

    const attempts = [{ status: 200, body: "thank" }];
    expect(gateway.deliveries).toMatchObject([{ status: "delivered", attempts }]);
  });

  test("even if the body is endless: 1,000 characters are read and kept", async () => {
    let pieces = 0;
    const babble = async (stream: ReadableStreamDefaultController<Uint8Array>) => {
      pieces += 1;
      await new Promise(setImmediate);
      stream.enqueue(Buffer.from("blah ".repeat(150)));
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
