import { expect, test } from "vitest";
import { runScenarios } from "../../scripts/truth/run-scenarios.ts";

const seed = Number(process.env["TRUTH_SEED"] ?? Math.floor(Math.random() * 2 ** 32));

test.each([
  ["HTTP/1.1", 3_000],
  ["HTTP/2", 1_500],
] as const)(
  "over %s, a call never claims more about the charge than is true",
  async (protocol, calls) => {
    const { summary, endings, reports } = await runScenarios({ seed, calls, protocol });

    expect(reports.slice(0, 5), summary).toEqual([]);
    // An SDK that reports everything as unknown is safe but useless: each outcome has to occur.
    for (const outcome of ["result", "not_sent", "rejected", "created", "unknown"]) {
      expect(endings[outcome], `${outcome}: ${summary}`).toBeGreaterThan(calls / 100);
    }
  },
  240_000,
);
