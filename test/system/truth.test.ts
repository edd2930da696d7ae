import { expect, test } from "vitest";
import { runScenarios } from "../truth/run-scenarios.ts";

test.each(["HTTP/1.1", "HTTP/2"] as const)(
  "over %s, a call never claims more about the charge than is true, in thousands of random scenarios",
  async (protocol) => {
    const seed = Math.floor(Math.random() * 2 ** 32);

    const { reports } = await runScenarios({ seed, calls: 2_000, protocol });

    expect(`${reports.length} violations\n${reports.slice(0, 5).join("\n\n")}`).toBe("0 violations\n");
  },
  240_000,
);
