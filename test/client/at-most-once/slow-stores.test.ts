import { memoryStore, type PaymentsStore } from "payments-sdk/idempotency";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { startRawTls } from "../../node/support/raw-server.ts";
import { failureOf, merchantAt } from "../../support/merchant.ts";
import { TRANSPORTS } from "../../support/transports.ts";
import { alteredStore, byPix, guarded } from "./support/guarded.ts";

/** The client's call may take 5 s, and its lease 30 s more. */
const ANSWER = '{"success":true,"data":{"id":4021,"pix":{"qrcodeText":"00020101"}}}';

/** The same payment by another process. */
const FREE = { externalRef: "order-1", amount: 1990, paymentMethod: "pix", owner: "b" } as const;

const NOT_SENT = { code: "idempotency_store_failed", outcome: "not_sent" };

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance", "Date"] }));
afterEach(() => void vi.useRealTimers());

interface Slow {
  /** Milliseconds that each operation takes. */
  readonly claimMs: number;
  readonly renewMs?: number;
  readonly renew?: () => Promise<boolean>;
}

async function slow({ claimMs, renewMs = 0, renew }: Slow) {
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
  const send = vi.fn(async () => new Response(ANSWER, { status: 201 }));
  const altered = alteredStore({ claim, renew: renewal }, store);
  return { ...(await guarded([], { store: altered, fetch: send })), renewal, send, plain: store };
}

describe("a claim that took", () => {
  test.each([
    [10_000, 0],
    [20_000, 1],
    [34_000, 1],
  ])("%d ms is renewed %d times, and the payment is sent", async (claimMs, renewals) => {
    const { payments, renewal, send } = await slow({ claimMs });

    expect(await byPix(payments)).toMatchObject({ id: 4021 });

    expect(renewal).toHaveBeenCalledTimes(renewals);
    expect(send).toHaveBeenCalledTimes(1);
  });

  test("longer than its lease: nothing is sent, and the order is given back", async () => {
    const { payments, send, plain } = await slow({ claimMs: 36_000 });

    expect(await failureOf(byPix(payments))).toMatchObject(NOT_SENT);

    expect(send).not.toHaveBeenCalled();
    expect(await plain.claim(FREE, 1_000)).toEqual({ state: "yours" });
  });

  test.each<[string, Slow]>([
    ["is another process's by then", { claimMs: 20_000, renew: async () => false }],
    ["cannot be renewed", { claimMs: 20_000, renew: () => Promise.reject(new Error("away")) }],
    ["was renewed just as slowly", { claimMs: 20_000, renewMs: 31_000 }],
  ])("long, and %s: nothing is sent", async (_what, times) => {
    const { payments, send } = await slow(times);

    expect(await failureOf(byPix(payments))).toMatchObject(NOT_SENT);

    expect(send).not.toHaveBeenCalled();
  });

  test.each<["Date" | "performance"]>([
    ["Date"], // the other clock may stand still while a machine sleeps
    ["performance"],
  ])("long by %s alone counts as long", async (clock) => {
    vi.useRealTimers();
    vi.useFakeTimers({ toFake: [clock] });
    const { payments, renewal } = await slow({ claimMs: 20_000 });

    await byPix(payments);

    expect(renewal).toHaveBeenCalledTimes(1);
  });
});

test("a process that was paused right before it sends does not send any more", async () => {
  const { payments, events, send, plain } = await slow({ claimMs: 0 });
  const push = events.push.bind(events);
  vi.spyOn(events, "push").mockImplementation((event) => {
    if (event.type === "request") vi.advanceTimersByTime(31_000);
    return push(event);
  });

  expect(await failureOf(byPix(payments))).toMatchObject(NOT_SENT);

  expect(send).not.toHaveBeenCalled();
  expect(await plain.claim(FREE, 1_000)).toEqual({ state: "yours" });
});

test.each(TRANSPORTS)(
  "a machine that slept during a TLS handshake does not send any more, over $name",
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
    expect(await store.claim(FREE, 1_000)).toEqual({ state: "yours" });
  },
);
