import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { retryAfterMs, retryDelayMs } from "../../src/core/retry.ts";
import { isRetriableStatus } from "../../src/spec/answers.ts";

describe("the delay before the next attempt", () => {
  test.each([
    [1, 250, 500],
    [2, 500, 1_000],
    [3, 1_000, 2_000],
    [4, 2_000, 4_000],
    [5, 4_000, 8_000],
    [6, 4_000, 8_000], // it grows no further
    [50, 4_000, 8_000],
  ])("after attempt %i is between %i and %i ms", (attempt, least, most) => {
    const random = vi.spyOn(Math, "random");
    onTestFinished(() => random.mockRestore());

    random.mockReturnValue(0);
    const shortest = retryDelayMs(attempt, undefined);
    random.mockReturnValue(1 - Number.EPSILON);
    const longest = retryDelayMs(attempt, undefined);

    expect([shortest, longest]).toEqual([least, most]);
  });

  test("differs from client to client", () => {
    const delays = new Set(Array.from({ length: 50 }, () => retryDelayMs(5, undefined)));

    expect(delays.size).toBeGreaterThan(25);
  });

  test.each([
    [0, 0],
    [1, 1],
    [60_000, 60_000],
    [60_001, undefined], // more patience than a call should have
    [3_600_000, undefined],
  ])("is what the service asks for, up to a minute: %i -> %s", (asked, delay) => {
    expect(retryDelayMs(3, asked)).toBe(delay);
  });
});

describe("Retry-After", () => {
  const NOW = Date.parse("2026-11-20T12:00:00Z");

  test.each([
    ["120", 120_000],
    ["0", 0],
    ["0.2", 200],
    ["Fri, 20 Nov 2026 12:00:05 GMT", 5_000],
    ["Fri, 20 Nov 2026 11:59:55 GMT", 0],
    ["Friday, 20-Nov-26 12:00:05 GMT", 5_000], // the older form of HTTP
    ["-1", undefined],
    ["1e3", undefined],
    ["2026", 2_026_000], // seconds, although it looks like a year
    ["2026-11-20", undefined],
    ["later", undefined],
    ["", undefined],
  ])("%j asks for %s ms", (value, milliseconds) => {
    expect(retryAfterMs(new Headers({ "retry-after": value }), NOW)).toBe(milliseconds);
  });

  test("that is missing asks for nothing", () => {
    expect(retryAfterMs(new Headers(), NOW)).toBeUndefined();
  });

  test("gives a time that is never negative, whatever it says", () => {
    const values = fc.oneof(
      fc.string(),
      fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
    );
    fc.assert(
      fc.property(values, (value) => {
        fc.pre(!/[^\t\x20-\x7e]/.test(value));

        const asked = retryAfterMs(new Headers({ "retry-after": value }), NOW);

        expect(asked === undefined || asked >= 0).toBe(true);
      }),
    );
  });
});

test.each([
  [200, false],
  [301, false],
  [400, false],
  [404, false],
  [408, true],
  [409, false],
  [429, true],
  [499, false],
  [500, true],
  [503, true],
  [599, true],
])("%i is worth another try: %s", (status, worth) => {
  expect(isRetriableStatus(status)).toBe(worth);
});
