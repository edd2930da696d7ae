import { cpSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { build } from "esbuild";
import { expect, onTestFinished } from "vitest";
import { run } from "../../support/running.ts";
import { REPORT_MARK, type SmokeReport } from "../runtimes/smoke/environment.ts";

/** Parts that work on every runtime. `idempotency` is `memoryStore`. */
const EVERYWHERE = ["payments-sdk", "browser", "postbacks", "idempotency", "sandbox"];

/** Parts that have to pass in a page, and in a Worker, which also sends real create requests. */
export const IN_A_PAGE = [...EVERYWHERE, "no sqliteStore"];
export const WITHOUT_NODE = [...IN_A_PAGE, "at most once"];

/** Parts that work on runtimes with Node's modules. */
export const WITH_NODE = [...EVERYWHERE, "at most once", "node", "sqliteStore", "sandbox/server"];

/** Also the parts for which Node's own `fetch` is needed. */
export const ON_NODE = [...WITH_NODE, "no TLS session", "msw"];

/** The outcome that a runtime reports for create requests that were not sent. */
export const proves = (transport: string, outcome: "not_sent" | "unknown") =>
  `with ${transport} a refused connection is ${outcome}, a wrong certificate ${outcome}`;

interface BundleOptions {
  readonly format: "esm" | "cjs" | "iife";
  /** Export conditions, with which packages are bundled too. Without them, the runtime loads packages. */
  readonly conditions?: readonly string[];
}

/** Bundles code that imports the smoke test, in a project with the package. */
export async function bundle(project: string, code: string, options: BundleOptions): Promise<string> {
  const { format, conditions } = options;
  cpSync(join(import.meta.dirname, "../runtimes/smoke"), join(project, "smoke"), { recursive: true });
  const platform = conditions
    ? { platform: "neutral" as const, mainFields: ["module", "main"], conditions: [...conditions] }
    : { platform: "node" as const, packages: "external" as const };
  const { outputFiles } = await build({
    ...platform,
    stdin: { contents: code, resolveDir: project },
    format,
    bundle: true,
    target: "es2022",
    // In CommonJS, `require` is tested instead.
    supported: { "dynamic-import": format !== "cjs" },
    write: false,
    logLevel: "silent",
  });
  return outputFiles[0]?.text ?? "";
}

/** Runs a command, and reads the report from its output. */
export async function runSmokeTest(
  command: string,
  args: readonly string[],
  folder: string,
): Promise<SmokeReport> {
  const running = run(command, args, folder);
  onTestFinished(running.kill);
  const code = await running.ended;
  const output = stripVTControlCharacters(running.stdout() + running.stderr());
  expect(code, output).toBe(0);
  const line = output.split("\n").find((one) => one.includes(REPORT_MARK)) ?? "";
  return JSON.parse(line.slice(line.indexOf(REPORT_MARK) + REPORT_MARK.length));
}

/** Checks that every part ran, passed and returned the expected strings. */
export function expectPassed(
  report: SmokeReport,
  parts: readonly string[],
  observed: readonly string[],
): void {
  expect(report.failed).toEqual({});
  expect([...report.passed].sort()).toEqual([...parts].sort());
  expect(report.observed).toEqual(observed);
}
