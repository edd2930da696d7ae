import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../support/tool.ts";
import { succeed } from "./support/consumer.ts";

/** What a process of its own loads. */
async function loadedFor(what: string): Promise<{ packages: string[]; loadsFetch: boolean }> {
  const script = join(import.meta.dirname, "support/loads.ts");
  return JSON.parse(await succeed(process.execPath, [script, what], root));
}

test.each([
  ["payments-sdk", ["jose"]],
  ["payments-sdk/browser", ["jose"]],
  ["payments-sdk/postbacks", ["jose"]],
  ["payments-sdk/idempotency", []],
  ["payments-sdk/node", []],
])("to import %s loads no package but %j, and not Node's fetch", async (entry, packages) => {
  expect(await loadedFor(entry)).toEqual({ packages, loadsFetch: false });
});

test.each([
  ["a client that calls nobody", false],
  ["create calls that are answered", false],
  ["create calls that fail", false],
  ["reads without retries", false],
  ["a tokenization without retries", false],
  ["a read", true],
  ["a tokenization", true],
])("ky is loaded only for calls that may be retried: %s, %s", async (calls, isLoaded) => {
  const { packages } = await loadedFor(calls);

  expect(packages).toEqual(isLoaded ? ["jose", "ky"] : ["jose"]);
});
