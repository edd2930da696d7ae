import { describe, expect, test } from "vitest";
import type { Aim, Section } from "../../bench/support/measurement.ts";
import { NO_REASON, resultsText } from "../../bench/support/results.ts";
import { median, quantile, shuffled, spreadOf } from "../../bench/support/statistics.ts";
import { figure, sectionText } from "../../bench/support/tables.ts";

const DAY = new Date("2026-11-20T12:00:00.000Z");

const anAim = (overrides: Partial<Aim> = {}): Aim => ({
  what: "CPU of a create: card",
  unit: "times",
  limit: 1.4,
  found: 1.3,
  ...overrides,
});

const aSection = (...aims: readonly Aim[]): Section => ({
  title: "A create",
  text: "Done once.",
  tables: [{ caption: "CPU", columns: ["who", "ratio"], rows: [["fetch", "1"]] }],
  aims,
});

describe("statistics", () => {
  test.each([
    [[7], 0.5, 7],
    [[3, 1, 2], 0.5, 2],
    [[4, 1, 3, 2], 0.5, 2.5],
    [[10, 9, 100], 0.5, 10], // by number, not by text
    [[1, 2, 3, 4, 5], 0, 1],
    [[1, 2, 3, 4, 5], 1, 5],
    [[1, 2, 3, 4, 5], 0.25, 2],
    [[0, 10], 0.99, 9.9],
  ])("of %j, a share of %d lies below %d", (values, share, expected) => {
    expect(quantile(values, share)).toBeCloseTo(expected, 9);
  });

  test("nothing is told of no values", () => {
    expect(() => median([])).toThrow(RangeError);
  });

  test("a spread goes from the least to the most, and leaves the values in their order", () => {
    const values = [3, 1, 2];

    const spread = spreadOf(values);

    expect(spread).toEqual({ median: 2, least: 1, most: 3 });
    expect(values).toEqual([3, 1, 2]);
  });

  test("an order of chance has every value once, and is not always the same", () => {
    const values = Array.from({ length: 20 }, (_, number) => number);

    const orders = Array.from({ length: 20 }, () => shuffled(values));

    for (const order of orders) expect(order.toSorted((one, other) => one - other)).toEqual(values);
    expect(new Set(orders.map(String)).size).toBeGreaterThan(1);
  });
});

describe("a table", () => {
  test("has its columns one below the other", () => {
    const text = sectionText(aSection());

    expect(text).toBe(`## A create

Done once.

**CPU**

| who   | ratio |
|-------|------:|
| fetch |     1 |
`);
  });

  test.each([
    [0, "0"],
    [3, "3"],
    [1.404, "1.40"],
    [12.34, "12.3"],
    [110_057.04, "110057"],
    [-0.5, "-0.50"],
  ])("shows %d as %s", (value, text) => {
    expect(figure(value)).toBe(text);
  });
});

describe("results.md", () => {
  test.each([
    ["below its limit", 1.3, "met"],
    ["at its limit", 1.4, "met"],
    ["above its limit", 1.401, "missed"],
    ["no number", Number.NaN, "missed"],
  ])("an aim whose figure is %s is told as such", (_what, found, verdict) => {
    const text = resultsText([aSection(anAim({ found }))], [], DAY);

    const row = text.split("\n").find((line) => line.startsWith("| CPU of a create: card"));
    expect(row?.split("|").at(-2)?.trim()).toBe(verdict);
  });

  test("gives the reason for aims that are missed, once, and none for those that are met", () => {
    const missed = [anAim({ found: 1.5 }), anAim({ what: "CPU of a create: pix", found: 2 })];
    const met = anAim({ what: "Start-up" });
    const reasons = [
      { about: "CPU of a create", reason: "It checks the answer." },
      { about: "Start-up", reason: "Many files." },
    ];

    const text = resultsText([aSection(...missed, met)], reasons, DAY);

    expect(text.match(/It checks the answer\./g)).toHaveLength(1);
    expect(text).not.toContain("Many files.");
    expect(text).not.toContain(NO_REASON);
  });

  test("says so where an aim is missed and nobody knows why", () => {
    const text = resultsText([aSection(anAim({ found: 2 }))], [], DAY);

    expect(text).toContain(`**Missed: CPU of a create: card.** ${NO_REASON}`);
  });
});
