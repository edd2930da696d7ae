import { expect, test } from "vitest";
import { json, startServer } from "../support/http-server.ts";
import { aCardData, envelope } from "../support/service-answers.ts";
import { tool } from "../support/tool.ts";

/** A young generation in which nothing is collected: what the heap has grown by is what was allocated. */
const ALLOCATION_OPTIONS = ["--expose-gc", "--min-semi-space-size=256", "--max-semi-space-size=256"];

/** What costs on every machine alike. Speeds are measured by `npm run bench`. */
async function counted(file: string, args: readonly string[], options: readonly string[] = []) {
  const { code, stdout, stderr } = await tool("node", [...options, `test/system/counts/${file}.ts`, ...args]);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

test("a call makes no object of fetch's that it has no use for, and copies none", async () => {
  const { baseUrl } = await startServer(json(200, envelope(aCardData())));

  const counts = await counted("objects", [baseUrl]);

  // What is repeated goes by ky, which makes a request of its own, and a copy of it for the next attempt.
  const byKy = { Request: 1, clone: 1, Response: 1, Headers: 2 };
  expect(counts).toEqual({
    "create over fetch": {},
    "read over fetch": byKy,
    "read that is not repeated over fetch": {},
    "create over node": {},
    "read over node": byKy,
    "read that is not repeated over node": {},
  });
});

test.each([
  ["the platform's fetch", "fetch", 90_000, 104_000],
  ["nodeTransport", "nodeTransport", 42_000, 56_000],
])("a create over %s, in %s, allocates %d to %d bytes of the heap", async (_over, transport, least, most) => {
  const { baseUrl } = await startServer(json(201, envelope(aCardData())));

  const bytes = await counted("allocations", [transport, baseUrl], ALLOCATION_OPTIONS);

  expect(bytes).toBeGreaterThan(least);
  expect(bytes).toBeLessThan(most);
});

test.each([
  ["payments-sdk", { own: 18, jose: 5 }],
  ["payments-sdk/browser", { own: 15, jose: 5 }],
  ["payments-sdk/postbacks", { own: 14, jose: 12 }],
  ["payments-sdk/idempotency", { own: 13, jose: 0 }],
  ["payments-sdk/node", { own: 9, jose: 0 }],
])("to import %s loads no more files than %j, no others, and not Node's fetch", async (entry, most) => {
  const { files, loadsFetch } = (await counted("modules", [entry])) as {
    files: string[];
    loadsFetch: boolean;
  };

  const own = files.filter((file) => file.startsWith("dist/"));
  const jose = files.filter((file) => file.startsWith("node_modules/jose/"));
  expect(own.length).toBeGreaterThan(0);
  expect(own.length).toBeLessThanOrEqual(most.own);
  expect(jose.length).toBeLessThanOrEqual(most.jose);
  expect(files.length).toBe(own.length + jose.length);
  expect(loadsFetch).toBe(false);
});
