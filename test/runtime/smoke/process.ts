// The smoke test in a process of Node, Bun or Deno: process.mjs <the service, as JSON> [optional parts...]
import process from "node:process";
import { atMostOnce } from "./at-most-once.ts";
import { EVERYWHERE } from "./everywhere.ts";
import { endWithoutTlsSession } from "./no-tls-session.ts";
import { ON_SERVERS } from "./on-servers.ts";
import { type Part, REPORT_MARK, runParts, type Service } from "./setting.ts";

const [given = "", ...optionalParts] = process.argv.slice(2);
const service = JSON.parse(given) as Service;
const { baseUrl, secretKey, publicKey } = service;
const once: Part = (setting) => atMostOnce(setting, "fetch");
const withoutTls: Part = async (setting) => {
  await endWithoutTlsSession(setting, "fetch");
  return undefined;
};

run().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});

async function run(): Promise<void> {
  const parts = { ...EVERYWHERE, "at most once": once, ...ON_SERVERS, ...(await loadOptionalParts()) };
  const report = await runParts(parts, { service, client: { baseUrl, secretKey, publicKey } });
  console.log(REPORT_MARK + JSON.stringify(report));
}

/** msw is loaded only if it can work, because it changes the runtime when it is imported; so it comes last. */
async function loadOptionalParts(): Promise<Record<string, Part>> {
  return {
    ...(optionalParts.includes("no TLS session") && { "no TLS session": withoutTls }),
    ...(optionalParts.includes("msw") && (await import("./behind-msw.ts")).BEHIND_MSW),
  };
}
