// The smoke test in a process of Node, Bun or Deno: process.mjs <addresses as JSON> [optional parts...]
import process from "node:process";
import { atMostOnce, endWithoutTlsSession } from "./at-most-once.ts";
import { type Addresses, type Part, REPORT_MARK, runParts } from "./environment.ts";
import { EVERYWHERE } from "./everywhere.ts";
import { ON_SERVERS } from "./on-servers.ts";

const [addresses = "", ...optionalParts] = process.argv.slice(2);
const service = JSON.parse(addresses) as Addresses;
const { baseUrl, secretKey, publicKey } = service;
const once: Part = (environment) => atMostOnce(environment, "fetch");
const withoutTls: Part = (environment) => endWithoutTlsSession(environment, "fetch");

run().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});

async function run(): Promise<void> {
  const parts: Record<string, Part> = { ...EVERYWHERE, "at most once": once, ...ON_SERVERS };
  if (optionalParts.includes("no TLS session")) parts["no TLS session"] = withoutTls;
  // Last: msw changes the runtime when it is imported, and works on Node only.
  if (optionalParts.includes("msw")) parts["msw"] = (await import("./behind-msw.ts")).behindMsw;
  const report = await runParts(parts, { service, client: { baseUrl, secretKey, publicKey } });
  console.log(REPORT_MARK + JSON.stringify(report));
}
