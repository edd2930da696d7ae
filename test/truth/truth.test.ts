import { expect, test } from "vitest";
import { runScenarios } from "./run-scenarios.ts";

/** `TRUTH_SEED` repeats the run that printed this seed; `TRUTH_CALLS` sets the number of calls. */
const seed = Number(process.env["TRUTH_SEED"] ?? Math.floor(Math.random() * 2 ** 32));
const calls = Number(process.env["TRUTH_CALLS"] ?? 1_000);

const REPORTS_SHOWN = 5;

test.each([
  ["HTTP/1.1", calls],
  ["HTTP/2", calls * 0.3],
] as const)("over %s, a call never claims more about the charge than is true", async (protocol, calls) => {
  const { reports, endings, seconds, ...truth } = await runScenarios({ seed, calls, protocol });

  console.log(
    `truth: ${protocol}, seed ${seed}, ${truth.calls} calls, ${seconds.toFixed(1)} s, ${JSON.stringify(endings)}`,
  );
  expect(`${reports.length} violations\n${reports.slice(0, REPORTS_SHOWN).join("\n\n")}`).toBe(
    "0 violations\n",
  );
  // An SDK that reports everything as unknown is safe but useless: each outcome has to occur.
  for (const outcome of ["result", "not_sent", "rejected", "created", "unknown"]) {
    expect(endings[outcome], outcome).toBeGreaterThan(calls / 100);
  }
});
