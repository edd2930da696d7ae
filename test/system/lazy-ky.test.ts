import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { tool } from "../support/tool.ts";

const SCRIPT = fileURLToPath(new URL("support/loaded-for.ts", import.meta.url));

/** What a process of its own has loaded after some calls. */
async function loadedFor(calls: string): Promise<string[]> {
  const { code, stdout, stderr } = await tool(process.execPath, [SCRIPT, calls]);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

test.each([
  ["nothing but an import", false],
  ["a client that calls nobody", false],
  ["creates that are answered", false],
  ["creates that fail", false],
  ["reads that are not repeated", false],
  ["a tokenization that is not repeated", false],
  ["a read", true],
  ["a tokenization", true],
  ["a read over nodeTransport", true],
])("ky is loaded only for calls that may be repeated: %s, %s", async (calls, isLoaded) => {
  const loaded = await loadedFor(calls);

  expect(loaded).toContain("payments-sdk");
  expect(loaded.includes("ky")).toBe(isLoaded);
});
