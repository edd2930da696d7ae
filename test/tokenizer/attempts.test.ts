import { getEventListeners } from "node:events";
import { CardTokenizer, type PaymentsEvent } from "payments-sdk";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { aCard, failureOf, PUBLIC_KEY } from "../support/merchant.ts";
import { timersLeftBy } from "../support/timers-left.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A tokenizer with scripted responses, which records the time of each call on the test's clock. */
function createTokenizer(responses: readonly (() => Promise<Response>)[], options: object = {}) {
  const startedAt = performance.now();
  const calledAtMs: number[] = [];
  const events: PaymentsEvent[] = [];
  const fetch = () => {
    calledAtMs.push(performance.now() - startedAt);
    return (responses[calledAtMs.length - 1] ?? responses.at(-1) ?? stalled)();
  };
  const tokenizer = new CardTokenizer({
    baseUrl: "https://pay.example",
    publicKey: PUBLIC_KEY,
    fetch,
    onEvent: (event) => events.push(event),
    ...options,
  });
  return { tokenizer, calledAtMs, events, elapsedMs: () => settledAt - startedAt };
}

/** Not the end of all timers: another test may have left one behind. */
let settledAt = Number.NaN;

const stalled = () => new Promise<Response>(() => undefined);
const broken = () => Promise.reject(new TypeError("Failed to fetch"));
const failing = (headers = {}) => Promise.resolve(new Response("", { status: 503, headers }));
const token = () => Promise.resolve(new Response("tok_1"));

async function finished<Value>(promise: PromiseLike<Value>): Promise<Value> {
  settledAt = Number.NaN;
  const settled = Promise.resolve(promise).finally(() => {
    settledAt = performance.now();
  });
  settled.catch(() => undefined);
  while (Number.isNaN(settledAt)) await vi.advanceTimersToNextTimerAsync();
  return settled;
}

describe("the timeout applies to all attempts together", () => {
  test("it is 30 seconds by default", async () => {
    const { tokenizer, elapsedMs } = createTokenizer([stalled]);

    const error = await finished(failureOf(tokenizer.tokenize(aCard())));

    expect(error).toMatchObject({ code: "timed_out", timeoutMs: 30_000 });
    expect(elapsedMs()).toBe(30_000);
  });

  test.each([
    [0, [0]],
    [2, [0, 5_000, 7_500]],
  ])(
    "with %i retries, each attempt gets half of the remaining time, and the last one all of it",
    async (maxRetries, startTimes) => {
      const options = { timeout: 10_000, maxRetries };
      const { tokenizer, calledAtMs, elapsedMs } = createTokenizer([stalled], options);

      const error = await finished(failureOf(tokenizer.tokenize(aCard())));

      expect(error).toMatchObject({ code: "timed_out", timeoutMs: 10_000 });
      expect(calledAtMs).toEqual(startTimes);
      expect(elapsedMs()).toBe(10_000);
    },
  );

  test.each<[string, readonly (() => Promise<Response>)[], number]>([
    ["the timeout", [() => failing({ "retry-after": "11" })], 0],
    ["the rest of the timeout", [stalled, () => failing({ "retry-after": "6" })], 5_000],
  ])("if the delay would exceed %s, the failure is thrown at once", async (_what, responses, ms) => {
    const { tokenizer, calledAtMs, elapsedMs } = createTokenizer(responses, { timeout: 10_000 });

    const error = await finished(failureOf(tokenizer.tokenize(aCard())));

    expect(error).toMatchObject({ code: "server_error", status: 503 });
    expect([calledAtMs.length, elapsedMs()]).toEqual([responses.length, ms]);
  });
});

describe("a failed first attempt is retried", () => {
  test.each([
    ["a stalled attempt", stalled],
    ["a broken connection", broken],
    ["an error response", failing],
  ])("%s", async (_what, first) => {
    const { tokenizer, calledAtMs, events } = createTokenizer([first, token]);

    const created = await finished(tokenizer.tokenize(aCard()));

    expect(created.value).toBe("tok_1");
    expect(calledAtMs).toHaveLength(2);
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["request", "retry", "request", "response"]),
    );
  });
});

describe("an abort ends", () => {
  test.each([
    ["an attempt", stalled, 100, 1],
    ["the delay before the next attempt", () => failing({ "retry-after": "5" }), 1_000, 1],
    [
      "the attempt after a delay",
      () => (calls++ === 0 ? failing({ "retry-after": "1" }) : stalled()),
      2_000,
      2,
    ],
  ])("%s, and no other attempt follows", async (_what, response, abortAfterMs, attempts) => {
    calls = 0;
    const controller = new AbortController();
    setTimeout(() => controller.abort(), abortAfterMs);
    const { tokenizer, calledAtMs } = createTokenizer([response]);

    const timersLeft = timersLeftBy(async () => {
      const error = await failureOf(tokenizer.tokenize(aCard(), { signal: controller.signal }));
      expect(error).toMatchObject({ code: "aborted" });
    });
    await vi.advanceTimersByTimeAsync(abortAfterMs);

    expect(await timersLeft).toBe(0);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(calledAtMs).toHaveLength(attempts);
  });
});

let calls = 0;

test("no timer and no listener stays behind", async () => {
  const { signal } = new AbortController();
  const { tokenizer } = createTokenizer([broken, () => failing(), token]);

  const timersLeft = await finished(timersLeftBy(() => tokenizer.tokenize(aCard(), { signal })));

  expect(timersLeft).toBe(0);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});
