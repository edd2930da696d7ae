import { connect } from "node:net";
import type { Sandbox } from "payments-sdk/sandbox/server";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { countSubscriptions, start } from "./support/running.ts";
import { aPix, merchantOf } from "./support/wire.ts";

interface Client {
  readonly headers: Headers;
  /** Every received block: an event, a comment or a retry time. */
  readonly blocks: () => string[];
  /** Name and data of every received event. */
  readonly events: () => [string, unknown][];
  readonly disconnect: () => void;
}

/** @param ignored name of the events that the test is not about. */
async function listenTo({ baseUrl }: Sandbox, ignored = "request"): Promise<Client> {
  const aborting = new AbortController();
  onTestFinished(() => aborting.abort());
  const response = await fetch(`${baseUrl}/sandbox/events`, { signal: aborting.signal });
  let text = "";
  void (async () => {
    for await (const piece of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
      text += piece;
    }
  })().catch(() => undefined); // rejects when it is aborted

  const blocks = () => text.split("\n\n").slice(0, -1);
  const events = () =>
    blocks().flatMap((block): [string, unknown][] => {
      const [, name = "", data = ""] = /^event: (\w+)\ndata: ([^\r\n]+)$/.exec(block) ?? [];
      return name === "" || name === ignored ? [] : [[name, JSON.parse(data)]];
    });
  return { headers: response.headers, blocks, events, disconnect: () => aborting.abort() };
}

const order = (name: string, overrides: object = {}) => [
  name,
  { status: "pending", paymentMethod: "pix", amount: 1990, externalId: "order-1", ...overrides },
];

describe("GET events", () => {
  test("sends what has changed, in order", async () => {
    const sandbox = await start({ postbacks: { fetch: async () => new Response() } });
    const { gateway } = sandbox;
    const { events } = await listenTo(sandbox);
    await merchantOf(gateway).create(aPix());
    const id = gateway.transactions[0]?.id ?? 0;

    gateway.pay(id);
    await gateway.settled();
    gateway.refund(id, 490);
    const fault = gateway.faults.add({ on: "transactions.create", kind: "html_502" });
    gateway.clock.advance(1_000);

    const delivery = ["delivery", { transactionId: id }];
    await expect.poll(events).toMatchObject([
      order("transaction", { id }),
      order("transaction", { id, status: "approved" }),
      delivery, // scheduled
      delivery, // delivered
      order("transaction", { id, status: "approved", refundedAmount: 490 }),
      ["faults", { armed: [fault] }],
      ["clock", { now: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) }],
    ]);
  });
});

describe("clients of the event stream", () => {
  test("are removed when they disconnect, and the others stay until the sandbox closes", async () => {
    const sandbox = await start();
    const subscriptions = countSubscriptions(sandbox);
    const clients = [await listenTo(sandbox), await listenTo(sandbox)];
    const before = subscriptions();

    clients[0]?.disconnect();
    await vi.waitFor(() => expect(subscriptions()).toBe(1), 10_000);
    await merchantOf(sandbox.gateway).create(aPix());
    await vi.waitFor(() => expect(clients[1]?.events()).toHaveLength(1), 10_000);
    await sandbox.close();

    expect(before).toBe(2);
    expect(clients[0]?.events()).toEqual([]);
    await vi.waitFor(() => expect(subscriptions()).toBe(0), 10_000);
  });

  test("are disconnected if they do not read, so that their events do not stay in memory", async () => {
    const sandbox = await start();
    const subscriptions = countSubscriptions(sandbox);
    const { hostname, port } = new URL(sandbox.baseUrl);
    const socket = connect(Number(port), hostname).on("error", () => {});
    onTestFinished(() => void socket.destroy());
    socket.write("GET /sandbox/events HTTP/1.1\r\nhost: localhost\r\n\r\n");
    socket.pause();
    await vi.waitFor(() => expect(subscriptions()).toBe(1), 10_000);

    for (let armed = 0; armed < 5_000 && subscriptions() > 0; armed += 1) {
      sandbox.gateway.faults.add({ on: "status.retrieve", kind: "html_502" }); // each event is longer than the one before
      if (armed % 20 === 0) await new Promise(setImmediate);
    }

    expect(subscriptions()).toBe(0);
  });
});

test("an idle stream sends a heartbeat every 15 seconds", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const { blocks, headers } = await listenTo(await start());
  const heartbeat = ": heartbeat";

  vi.advanceTimersByTime(44_999);
  await expect.poll(blocks).toEqual(["retry: 1000", heartbeat, heartbeat]);
  vi.advanceTimersByTime(1);

  await expect.poll(blocks).toEqual(["retry: 1000", heartbeat, heartbeat, heartbeat]);
  expect(headers.get("content-type")).toBe("text/event-stream");
  expect(headers.get("cache-control")).toBe("no-store");
});
