import type { Proofs, Row } from "../matrix/row.ts";
import type { ProcessRuntime } from "../matrix/smoke-runs.ts";
import { smokeInProcess } from "../matrix/smoke-runs.ts";
import { startOf } from "../matrix/start-of.ts";
import { exactly, VERSIONS } from "../versions.ts";
import { ON_NODE, PROVES_ALL, saying, WITH_NODE } from "./entries.ts";

/** What Node has to show, imported and required. Elsewhere fetch cannot prove that a TLS session was missing. */
export const EXPECTED_ON_NODE = { entries: [...ON_NODE, "no TLS session"], seen: saying(PROVES_ALL) };

const nodeRow = (version: string, name: string): Row => ({
  name,
  group: "runtimes",
  label: "Node",
  version,
  entries: ON_NODE,
  proofs: PROVES_ALL,
  run: async (workshop) => {
    const tool = await workshop.bring(name, [exactly("node", version)]);
    const command = tool.bin("node");
    await startOf(command, ["--version"], version);
    const runtime: ProcessRuntime = { command, expected: EXPECTED_ON_NODE };
    const consumer = await workshop.consumer();
    const seen = await smokeInProcess(consumer, runtime, "esm");
    await smokeInProcess(consumer, runtime, "cjs");
    tool.remove();
    return ["by import and by require()", ...seen];
  },
});

const [node22First, node22, node24, node26] = VERSIONS.node;

const bun: Row = {
  name: "bun",
  group: "runtimes",
  label: "Bun",
  version: VERSIONS.bun,
  entries: WITH_NODE,
  proofs: PROVES_ALL,
  run: async (workshop) => {
    const tool = await workshop.bring("bun", [exactly("bun", VERSIONS.bun)]);
    const command = tool.bin("bun");
    await startOf(command, ["--version"], VERSIONS.bun);
    const expected = { entries: WITH_NODE, seen: saying(PROVES_ALL) };
    return smokeInProcess(await workshop.consumer(), { command, expected }, "esm");
  },
};

/** The permissions that the package needs there: network, keys, files of a store, and certificates for `node:https`. */
const DENO_FLAGS = ["--allow-net", "--allow-env", "--allow-read", "--allow-write", "--allow-sys"];

/** Its fetch has words for what went wrong, and no codes. */
const DENO_PROVES: Proofs = { fetch: "unknown", nodeTransport: "not_sent" };

const deno: Row = {
  name: "deno",
  group: "runtimes",
  label: "Deno",
  version: VERSIONS.deno,
  entries: WITH_NODE,
  proofs: DENO_PROVES,
  run: async (workshop) => {
    const tool = await workshop.bring("deno", [exactly("deno", VERSIONS.deno)]);
    const command = tool.bin("deno");
    await startOf(command, ["--version"], VERSIONS.deno);
    const args = ["run", "--no-prompt", "--node-modules-dir=manual", ...DENO_FLAGS];
    const expected = { entries: WITH_NODE, seen: saying(DENO_PROVES) };
    return smokeInProcess(await workshop.consumer(), { command, args, expected }, "esm");
  },
};

export const PROCESS_ROWS: readonly Row[] = [
  nodeRow(node22First, "node-22.13"),
  nodeRow(node22, "node-22"),
  nodeRow(node24, "node-24"),
  nodeRow(node26, "node-26"),
  bun,
  deno,
];
