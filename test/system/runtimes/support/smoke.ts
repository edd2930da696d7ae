import { cpSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { build } from "esbuild";
import { expect, onTestFinished } from "vitest";
import { run } from "../../../support/running.ts";
import { REPORT_MARK, type SmokeReport } from "../smoke/setting.ts";

/** What works on every runtime. `idempotency` is its `memoryStore`, which needs nothing. */
const EVERYWHERE = ["payments-sdk", "browser", "postbacks", "idempotency", "sandbox"];

/** What has to pass in a page, and in a Worker, which also sends real create requests. */
export const IN_A_PAGE = [...EVERYWHERE, "no sqliteStore"];
export const WITHOUT_NODE = [...IN_A_PAGE, "at most once"];

/** What works where the modules of Node are offered. */
export const WITH_NODE = [...EVERYWHERE, "at most once", "node", "sqliteStore", "sandbox/server"];

/** What fetch can prove, and msw can intercept, on Node alone. */
export const ON_NODE = [...WITH_NODE, "no TLS session", "msw"];

/** What a runtime reports of a create request that cannot have been sent. */
export const proves = (way: string, outcome: "not_sent" | "unknown") =>
  `by ${way} a refused connection is ${outcome}, a wrong certificate ${outcome}`;

interface Bundling {
  readonly format: "esm" | "cjs" | "iife";
  /** Conditions of the exports of packages, which are bundled too. Without them packages are left to the runtime. */
  readonly conditions?: readonly string[];
}

/** Bundles code that imports the smoke program, in a project that has the package. */
export async function bundle(project: string, code: string, options: Bundling): Promise<string> {
  const { format, conditions } = options;
  cpSync(join(import.meta.dirname, "../smoke"), join(project, "smoke"), { recursive: true });
  const platform = conditions
    ? { platform: "neutral" as const, mainFields: ["module", "main"], conditions: [...conditions] }
    : { platform: "node" as const, packages: "external" as const };
  const { outputFiles } = await build({
    ...platform,
    stdin: { contents: code, resolveDir: join(project, "smoke") },
    format,
    bundle: true,
    target: "es2022",
    // In CommonJS it is `require` that is tried.
    supported: { "dynamic-import": format !== "cjs" },
    write: false,
    logLevel: "silent",
  });
  return outputFiles[0]?.text ?? "";
}

/** Runs a command to its end, and reads the report among what it printed. */
export async function reportOf(
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

/** Every part ran and passed, and saw what it should. */
export function expectPassed(report: SmokeReport, parts: readonly string[], seen: readonly string[]): void {
  expect(report.failed).toEqual({});
  expect([...report.passed].sort()).toEqual([...parts].sort());
  expect(report.seen).toEqual(seen);
}
