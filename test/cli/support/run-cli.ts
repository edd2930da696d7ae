import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { onTestFinished } from "vitest";
import type { Context } from "../../../src/cli/context.ts";
import { main } from "../../../src/cli/main.ts";
import { aGate } from "../../support/http-server.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** Starts `payments` in this process: without settings, in an empty folder and outside of a terminal. */
export function startCli(argv: readonly string[], overrides: Partial<Context> = {}) {
  const interrupted = aGate();
  onTestFinished(interrupted.open);
  const stdout: string[] = [];
  const stderr: string[] = [];
  const exitCode = main({
    argv,
    env: {},
    cwd: temporaryFolder(),
    stdin: new PassThrough(),
    stdout: { write: (text) => stdout.push(text) },
    stderr: { write: (text) => stderr.push(text) },
    version: "1.2.3",
    untilInterrupted: () => interrupted.passed,
    ...overrides,
  });
  /** `interrupt` presses Ctrl-C. */
  const interrupt = interrupted.open;
  return { exitCode, stdout: () => stdout.join(""), stderr: () => stderr.join(""), interrupt };
}

/** A folder with a driver of Redis whose `connect` runs this code, with `client` and `fail`. */
export function folderWithDriver(connect: string): string {
  const cwd = temporaryFolder();
  const folder = join(cwd, "node_modules/redis");
  mkdirSync(folder, { recursive: true });
  const source = `const { EventEmitter } = require("node:events");
    exports.createClient = () => {
      const client = new EventEmitter();
      const connect = async () => { ${connect} };
      const [sendCommand, destroy] = [async () => "", () => {}];
      const SCAN = async () => ({ cursor: "0", keys: [] });
      const EVAL = async (script) => (script.includes("SMEMBERS") ? [] : "[]");
      return Object.assign(client, { connect, sendCommand, destroy, EVAL, SCAN });
    };`;
  writeFileSync(join(folder, "index.js"), source);
  return cwd;
}

/** Runs `payments` until it ends. */
export async function runCli(argv: readonly string[], overrides: Partial<Context> = {}) {
  const run = startCli(argv, overrides);
  return { exitCode: await run.exitCode, stdout: run.stdout(), stderr: run.stderr() };
}

/** A terminal whose user gives these answers, one to each question. */
export function answerQuestions(...answers: readonly string[]) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const questions: string[] = [];
  const write = (text: string) => {
    if (!/\[y\/N\] $/.test(text)) return;
    questions.push(text);
    stdin.write(`${answers[questions.length - 1] ?? ""}\n`);
  };
  return { stdin, stderr: { write }, questions };
}
