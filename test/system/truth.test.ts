import { expect, test } from "vitest";
import { runScenarios } from "../truth/run-scenarios.ts";

test("a call never claims more about the charge than is true, in thousands of random scenarios", async () => {
  const seed = Math.floor(Math.random() * 2 ** 32);

  const { reports } = await runScenarios({ seed, calls: 2_000 });

  expect(`${reports.length} violations\n${reports.slice(0, 5).join("\n\n")}`).toBe("0 violations\n");
}, 240_000);
