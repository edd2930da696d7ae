// The smoke test in a process of Node, Bun or Deno: process.mjs <the service, as JSON> <whether msw works here>
import process from "node:process";
import { atMostOnce } from "./at-most-once.ts";
import { EVERYWHERE } from "./everywhere.ts";
import { ON_SERVERS } from "./on-servers.ts";
import { type Part, REPORT_MARK, runParts, type Service } from "./setting.ts";

const [given = "", withMsw = ""] = process.argv.slice(2);
const service = JSON.parse(given) as Service;
const { baseUrl, secretKey, publicKey } = service;
const once: Part = (setting) => atMostOnce(setting, "fetch");

run().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});

async function run(): Promise<void> {
  const parts = { ...EVERYWHERE, "at most once": once, ...ON_SERVERS, ...(await mswWhere(withMsw)) };
  const report = await runParts(parts, { service, client: { baseUrl, secretKey, publicKey } });
  console.log(REPORT_MARK + JSON.stringify(report));
}

/** Loaded only where it can work: msw changes the runtime when it is imported. */
async function mswWhere(asked: string): Promise<Record<string, Part>> {
  return asked === "msw" ? (await import("./behind-msw.ts")).BEHIND_MSW : {};
}
