import { memoryStore, type PaymentsStore } from "payments-sdk/idempotency";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { startRawTls } from "../../node/support/raw-server.ts";
import { failureOf, merchantAt } from "../../support/merchant.ts";
import { TRANSPORTS } from "../../support/transports.ts";
import { alteredStore, byPix, merchantWithStore } from "../support/merchant-with-store.ts";

/** The client's timeout is 5 s; the lease is 30 s longer. */
const BODY = '{"success":true,"data":{"id":4021,"pix":{"qrcodeText":"00020101"}}}';

/** A claim for the same payment by another process. */
const OTHER_CLAIM = { externalRef: "order-1", amount: 1990, paymentMethod: "pix", owner: "b" } as const;

const NOT_SENT = { code: "idempotency_store_failed", outcome: "not_sent" };

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance", "Date"] }));
afterEach(() => void vi.useRealTimers());

interface Durations {
  /** Duration of each operation in milliseconds. */
  readonly claimMs: number;
  readonly renewMs?: number;
  readonly renew?: () => Promise<boolean>;
}

async function merchantWithSlowStore({ claimMs, renewMs = 0, renew }: Durations) {
  const store = memoryStore();
  const claim = async (...args: Parameters<PaymentsStore["claim"]>) => {
    const result = await store.claim(...args);
    vi.advanceTimersByTime(claimMs);
    return result;
  };
  const renewal = vi.fn(async (...args: Parameters<PaymentsStore["renew"]>) => {
    const isHeld = renew === undefined ? await store.renew(...args) : await renew();
    vi.advanceTimersByTime(renewMs);
    return isHeld;
  });
  const send = vi.fn(async () => new Response(BODY, { status: 201 }));
  const slowStore = alteredStore({ claim, renew: renewal }, store);
  return { ...(await merchantWithStore([], { store: slowStore, fetch: send })), renewal, send, plain: store };
}

describe("a claim that took", () => {
  test.each([
    [10_000, 0],
    [20_000, 1],
    [34_000, 1],
  ])("%d ms is renewed %d times, and the payment is sent", async (claimMs, renewals) => {
    const { payments, renewal, send } = await merchantWithSlowStore({ claimMs });

    expect(await byPix(payments)).toMatchObject({ id: 4021 });

    expect(renewal.mock.calls.map(([, leaseMs]) => leaseMs)).toEqual(Array(renewals).fill(35_000));
    expect(send).toHaveBeenCalledTimes(1);
  });

  test.each<[string, Durations]>([
    ["is longer than its lease", { claimMs: 36_000 }],
    ["is lost to another process", { claimMs: 20_000, renew: async () => false }],
    ["cannot be renewed", { claimMs: 20_000, renew: () => Promise.reject(new Error("away")) }],
    ["is renewed as slowly", { claimMs: 20_000, renewMs: 31_000 }],
  ])("long, and %s, prevents the request, and the order is released", async (_what, times) => {
    const { payments, send, plain } = await merchantWithSlowStore(times);

    expect(await failureOf(byPix(payments))).toMatchObject(NOT_SENT);

    expect(send).not.toHaveBeenCalled();
    expect(await plain.claim(OTHER_CLAIM, 1_000)).toEqual({ state: "yours" });
  });

  test.each<["Date" | "performance"]>([
    ["Date"], // the other clock may stop while the machine sleeps
    ["performance"],
  ])("long according to %s alone is renewed", async (clock) => {
    vi.useRealTimers();
    vi.useFakeTimers({ toFake: [clock] });
    const { payments, renewal } = await merchantWithSlowStore({ claimMs: 20_000 });

    await byPix(payments);

    expect(renewal).toHaveBeenCalledTimes(1);
  });
});

test("a process that was paused right before sending does not send", async () => {
  const { payments, events, send, plain } = await merchantWithSlowStore({ claimMs: 0 });
  const push = events.push.bind(events);
  vi.spyOn(events, "push").mockImplementation((event) => {
    if (event.type === "request") vi.advanceTimersByTime(31_000);
    return push(event);
  });

  expect(await failureOf(byPix(payments))).toMatchObject(NOT_SENT);

  expect(send).not.toHaveBeenCalled();
  expect(await plain.claim(OTHER_CLAIM, 1_000)).toEqual({ state: "yours" });
});

test.each(TRANSPORTS)(
  "a machine that slept during a TLS handshake does not send, over $name",
  async ({ fetch }) => {
    vi.useRealTimers();
    vi.useFakeTimers({ toFake: ["Date"] });
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    const store = memoryStore();
    const { baseUrl, received } = await startRawTls(() => undefined, {
      onConnection: () => vi.setSystemTime(Date.now() + 31_000),
    });
    const { payments } = merchantAt(baseUrl, { idempotency: store, ...(fetch && { fetch }) });

    const error = await failureOf(byPix(payments));

    expect(error).toMatchObject(NOT_SENT);
    expect(received.join("")).not.toContain("order-1");
    expect(await store.claim(OTHER_CLAIM, 1_000)).toEqual({ state: "yours" });
  },
);
