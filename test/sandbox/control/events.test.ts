import { connect } from "node:net";
import type { Sandbox } from "payments-sdk/sandbox/server";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { start } from "../support/running.ts";
import { aPix, merchantOf } from "../support/wire.ts";

interface Reader {
  readonly headers: Headers;
  /** Every block that came: an event, a comment, or how soon to come again. */
  readonly blocks: () => string[];
  /** The events that came, as name and data. */
  readonly events: () => [string, unknown][];
  readonly leave: () => void;
}

async function listenTo({ baseUrl }: Sandbox): Promise<Reader> {
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const response = await fetch(`${baseUrl}/sandbox/events`, { signal: leaving.signal });
  let text = "";
  void (async () => {
    for await (const piece of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
      text += piece;
    }
  })().catch(() => undefined); // that it was left is no news

  const blocks = () => text.split("\n\n").slice(0, -1);
  const events = () =>
    blocks().flatMap((block): [string, unknown][] => {
      const [, name = "", data = ""] = /^event: (\w+)\ndata: ([^\r\n]+)$/.exec(block) ?? [];
      return name === "" ? [] : [[name, JSON.parse(data)]];
    });
  return { headers: response.headers, blocks, events, leave: () => leaving.abort() };
}

/** How many are subscribed to a gateway. */
function countSubscriptions({ gateway }: Sandbox): () => number {
  const subscribe = gateway.subscribe.bind(gateway);
  let count = 0;
  vi.spyOn(gateway, "subscribe").mockImplementation((listener) => {
    const end = subscribe(listener);
    const own = { ended: false };
    count += 1;
    return () => {
      count -= own.ended ? 0 : 1;
      own.ended = true;
      end();
    };
  });
  return () => count;
}

const order = (name: string, overrides: object = {}) => [
  name,
  { status: "pending", paymentMethod: "pix", amount: 1990, externalId: "order-1", ...overrides },
];

describe("GET events", () => {
  test("tells of a creation, of each change, and of postbacks, in order", async () => {
    const sandbox = await start({ postbacks: { fetch: async () => new Response() } });
    const { gateway } = sandbox;
    const { events } = await listenTo(sandbox);
    await merchantOf(gateway).create(aPix());
    const id = gateway.transactions[0]?.id ?? 0;

    gateway.pay(id);
    await gateway.settled();
    gateway.refund(id, 490);

    const delivery = ["delivery", { transactionId: id }];
    await expect.poll(events).toMatchObject([
      order("transaction", { id }),
      order("transaction", { id, status: "approved" }),
      delivery, // on its way
      delivery, // delivered
      order("transaction", { id, status: "approved", refundedAmount: 490 }),
    ]);
  });

  test("tells what is armed after each change of it, and the time after each advance", async () => {
    const sandbox = await start();
    const { faults } = sandbox.gateway;
    const { events } = await listenTo(sandbox);

    const fault = faults.add({ on: "transactions.create", kind: "html_502", times: 2 });
    await merchantOf(sandbox.gateway).create(aPix());
    faults.clear();
    sandbox.gateway.clock.advance(1_000);

    await expect.poll(events).toEqual([
      ["faults", { armed: [fault] }],
      ["faults", { armed: [{ ...fault, times: 1 }] }],
      ["faults", { armed: [] }],
      ["clock", { now: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) }],
    ]);
  });

  test("carries any text, line breaks too", async () => {
    const sandbox = await start();
    const { events } = await listenTo(sandbox);
    const name = 'Ana\n\ndata: "{}"\r\u2028 <script> 日本 🙂';
    const pix = aPix();

    await merchantOf(sandbox.gateway).create({ ...pix, customer: { ...(pix["customer"] as object), name } });

    await vi.waitFor(() => expect(events()).toMatchObject([["transaction", { customerName: name }]]), 10_000);
  });
});

describe("readers of events", () => {
  test("who leave are let go, and the others stay until the sandbox closes", async () => {
    const sandbox = await start();
    const subscriptions = countSubscriptions(sandbox);
    const readers = [await listenTo(sandbox), await listenTo(sandbox)];
    const before = subscriptions();

    readers[0]?.leave();
    await vi.waitFor(() => expect(subscriptions()).toBe(1), 10_000);
    await merchantOf(sandbox.gateway).create(aPix());
    await vi.waitFor(() => expect(readers[1]?.events()).toHaveLength(1), 10_000);
    await sandbox.close();

    expect(before).toBe(2);
    expect(readers[0]?.events()).toEqual([]);
    await vi.waitFor(() => expect(subscriptions()).toBe(0), 10_000);
  });

  test("who do not read are cut off, and keep no event in memory", async () => {
    const sandbox = await start();
    const subscriptions = countSubscriptions(sandbox);
    const { hostname, port } = new URL(sandbox.baseUrl);
    const socket = connect(Number(port), hostname).on("error", () => {});
    onTestFinished(() => void socket.destroy());
    socket.write("GET /sandbox/events HTTP/1.1\r\nhost: localhost\r\n\r\n");
    socket.pause();
    await vi.waitFor(() => expect(subscriptions()).toBe(1), 10_000);

    for (let armed = 0; armed < 5_000 && subscriptions() > 0; armed += 1) {
      sandbox.gateway.faults.add({ on: "status.retrieve", kind: "html_502" }); // each event is longer
      if (armed % 20 === 0) await new Promise(setImmediate);
    }

    expect(subscriptions()).toBe(0);
  });
});

test("a silent stream says every 15 seconds that it is still there", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const { blocks, headers } = await listenTo(await start());
  const alive = ": heartbeat";

  vi.advanceTimersByTime(44_999);
  await expect.poll(blocks).toEqual(["retry: 1000", alive, alive]);
  vi.advanceTimersByTime(1);

  await expect.poll(blocks).toEqual(["retry: 1000", alive, alive, alive]);
  expect(headers.get("content-type")).toBe("text/event-stream");
  expect(headers.get("cache-control")).toBe("no-store");
});
