import type { PaymentsEvent } from "payments-sdk";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { retryAfterMs } from "../../src/http/retries.ts";
import { aCard, aPix, eventsOf, failureOf, merchantAt, tokenizerAt } from "../support/merchant.ts";

describe("Retry-After", () => {
  const NOW = Date.parse("2026-11-20T12:00:00Z");
  /** The longest timer: setTimeout fires at once for a longer one. */
  const LONGEST = 2_147_483_647;

  test.each([
    ["0.2", 200],
    ["Fri, 20 Nov 2026 12:00:05 GMT", 5_000],
    ["Fri, 20 Nov 2026 11:59:55 GMT", 0],
    ["Friday, 20-Nov-26 12:00:05 GMT", 5_000], // an obsolete date format of HTTP
    ["1e3", undefined],
    ["2026", 2_026_000], // seconds, although it looks like a year
    ["", undefined],
    ["2147484", LONGEST],
    ["9".repeat(400), LONGEST],
    [`${"9".repeat(400)}.5`, LONGEST],
    ["Fri, 20 Nov 9999 12:00:05 GMT", LONGEST],
    ["-1", undefined],
    [".5", undefined],
    ["try 5", undefined], // Date.parse makes a day in May 2001 of it
    ["after 2030", undefined],
  ])("%j is %s ms", (value, milliseconds) => {
    expect(retryAfterMs(new Headers({ "retry-after": value }), NOW)).toBe(milliseconds);
  });
});

describe("a rate-limited create call", () => {
  const UNKNOWN = "Wait a minute, or an hour at the hourly limit,";

  test.each<[string | undefined, number | undefined, string]>([
    [undefined, undefined, UNKNOWN],
    ["soon", undefined, UNKNOWN],
    ["-1", undefined, UNKNOWN],
    ["0", 0, "Wait a second before"],
    ["1", 1_000, "Wait a second before"],
    ["1.5", 1_500, "Wait 2 seconds before"],
    [" 3 ", 3_000, "Wait 3 seconds before"],
    ["3600", 3_600_000, "Wait 3600 seconds before"],
    ["9".repeat(400), 2_147_483_647, "Wait 2147484 seconds before"],
  ])("with Retry-After: %s has retryAfterMs %s", async (value, retryAfterMs, advice) => {
    const headers: HeadersInit = value === undefined ? {} : { "retry-after": value };
    const fetch = async () => new Response("{}", { status: 429, headers });
    const { payments } = merchantAt("https://pay.example", { fetch });

    const error = await failureOf(payments.transactions.createPix(aPix()));

    expect(error).toMatchObject({ code: "rate_limited", outcome: "rejected" });
    for (const shown of [error, error.toJSON()])
      expect(Reflect.get(shown, "retryAfterMs")).toBe(retryAfterMs);
    expect(error.message).toContain(advice);
  });
});

const SERVICE = "https://pay.example";

describe.each<[string, (options: object) => PromiseLike<unknown>]>([
  ["a read", (options) => merchantAt(SERVICE, options).payments.status.retrieve()],
  ["a tokenization in a page", (options) => tokenizerAt(SERVICE, options).tokenize(aCard())],
])("the delays of %s", (_what, call) => {
  const PATIENT = { timeout: 600_000, maxRetries: 5 };

  test.each<[number, string | undefined, object, number, number[]]>([
    [503, undefined, PATIENT, 0, [250, 500, 1_000, 2_000, 4_000]],
    [503, undefined, { ...PATIENT, maxRetries: 6 }, 1, [500, 1_000, 2_000, 4_000, 8_000, 8_000]],
    [503, "0", {}, 1, [0, 0]],
    [503, "60", { ...PATIENT, maxRetries: 1 }, 0, [60_000]],
    [503, "61", PATIENT, 0, []], // longer than a call should wait
    [429, undefined, {}, 0, [15_000]], // the default timeout of 30 seconds
    [429, "soon", {}, 0, [15_000]],
    [429, undefined, {}, 1, [18_750]],
    [429, undefined, { timeout: 23_000 }, 0, []], // with the longest wait, too little would be left for the attempt
    [429, undefined, { timeout: 60_000 }, 0, [15_000, 30_000]],
    [429, undefined, { timeout: 600_000, maxRetries: 4 }, 0, [15_000, 30_000, 60_000, 60_000]],
    [429, undefined, { timeout: 60_000, maxRetries: 0 }, 0, []],
    [429, "2", {}, 1, [2_000, 2_000]], // the service knows better
    [429, "9999999999", { timeout: 600_000 }, 1, []],
    [429, "0", {}, 1, [500, 1_000]], // but does not mean at once
  ])(
    "after status %i with Retry-After %s, %j and a random %d are %j, then the call fails",
    async (status, value, options, random, delays) => {
      vi.useFakeTimers();
      vi.spyOn(Math, "random").mockReturnValue(random);
      onTestFinished(() => void vi.useRealTimers().restoreAllMocks());
      const events: PaymentsEvent[] = [];
      const headers: HeadersInit = value === undefined ? {} : { "retry-after": value };
      const fetch = async () => new Response("", { status, headers });
      const onEvent = (event: PaymentsEvent) => events.push(event);

      let error: unknown;
      void failureOf(call({ timeout: 30_000, maxRetries: 2, fetch, onEvent, ...options })).then((failure) => {
        error = failure;
      });
      while (error === undefined) await vi.advanceTimersToNextTimerAsync(); // ky is loaded before the first timer starts

      expect(error).toMatchObject({ status });
      expect(eventsOf(events, "retry").map(({ delayMs }) => delayMs)).toEqual(delays);
    },
  );
});
