import { run } from "../../support/running.ts";
import { onLimit } from "../matrix/limit.ts";
import type { Row } from "../matrix/row.ts";
import { startOf } from "../matrix/start-of.ts";
import { exactly, VERSIONS } from "../versions.ts";

/** The one that this repository brings along, on which its scripts run. */
const NODE = VERSIONS.node[2];

const ENTRIES = ["payments-sandbox"] as const;

/** Starts the sandbox by its command, and asks it whether it is well. */
async function answers(command: string, args: readonly string[], folder: string): Promise<void> {
  const running = run(command, [...args, "--port", "0"], folder);
  const forget = onLimit(running.kill);
  try {
    const [, baseUrl] = await running.printed(/Base URL +(http:\S+)\n/);
    const { status } = await fetch(`${baseUrl}/api/v1/status`);
    if (status !== 200) throw new Error(`The sandbox answered ${status}.`);
  } finally {
    forget();
    running.kill();
    await running.ended;
  }
}

const npx: Row = {
  name: "npx",
  group: "commands",
  label: "npx payments-sandbox",
  version: `Node ${NODE}`,
  entries: ENTRIES,
  run: async (workshop) => {
    await startOf(process.execPath, ["--version"], NODE);
    const { folder } = await workshop.consumer();
    await answers("npx", ["payments-sandbox"], folder);
    return [];
  },
};

const bunx: Row = {
  name: "bunx",
  group: "commands",
  label: "bunx --bun payments-sandbox",
  version: `Bun ${VERSIONS.bun}`,
  entries: ENTRIES,
  run: async (workshop) => {
    const tool = await workshop.bring("bunx", [exactly("bun", VERSIONS.bun)]);
    const { folder } = await workshop.consumer();
    await answers(tool.bin("bunx"), ["--bun", "payments-sandbox"], folder);
    tool.remove();
    return [];
  },
};

export const COMMAND_ROWS: readonly Row[] = [npx, bunx];
