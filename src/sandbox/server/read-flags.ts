/// <reference types="node" />
import { parseArgs } from "node:util";
import { nearestName } from "../../data/nearest-name.ts";
import { CommandError } from "./command-error.ts";
import { FLAGS, type Flag } from "./command-flags.ts";
import type { SandboxOptions } from "./start-sandbox.ts";

export type Command =
  | { readonly kind: "start"; readonly options: SandboxOptions }
  | { readonly kind: "help" }
  | { readonly kind: "version" };

interface WithValue {
  readonly value?: string | undefined;
  /** After an equals sign. */
  readonly inlineValue?: boolean | undefined;
}

type Setting = readonly [path: string, value: string | number | true];

const POSTBACKS = "postbacks.";
const DEFAULT_PORT = 4010;

/** @throws {CommandError} when an argument is no flag of ours, or is one without its value. */
export function readFlags(args: readonly string[]): Command {
  const settings: Setting[] = [["port", DEFAULT_PORT]];
  for (const token of tokensOf(args)) {
    if (token.kind === "option-terminator") continue;
    const flag = FLAGS.find(({ name }) => token.kind === "option" && name === token.name);
    if (token.kind === "positional" || !flag) throw notAFlag(args[token.index] ?? "");
    if (flag.option === undefined) return { kind: flag.name === "help" ? "help" : "version" };
    settings.push([flag.option, readValue(flag, token)]);
  }
  return { kind: "start", options: optionsOf(settings) };
}

/** `postbacks.retries` is the option `retries` in the option `postbacks`. */
function optionsOf(settings: readonly Setting[]): SandboxOptions {
  const outer = settings.filter(([path]) => !path.startsWith(POSTBACKS));
  const inner = settings.filter(([path]) => path.startsWith(POSTBACKS));
  const postbacks = Object.fromEntries(inner.map(([path, value]) => [path.slice(POSTBACKS.length), value]));
  return { ...Object.fromEntries(outer), ...(inner.length > 0 && { postbacks }) };
}

/** Not strict: Node's own complaints have several lines, and do not say which flag was meant. */
function tokensOf(args: readonly string[]) {
  const options = Object.fromEntries(
    FLAGS.map(({ name, short, value }) => [
      name,
      { type: value === undefined ? ("boolean" as const) : ("string" as const), ...(short && { short }) },
    ]),
  );
  return parseArgs({ args: [...args], options, strict: false, tokens: true }).tokens;
}

function readValue({ name, value, isNumber }: Flag, token: WithValue): string | number | true {
  const { value: text = "", inlineValue } = token;
  if (value === undefined) {
    if (token.value !== undefined) throw new CommandError("usage", `--${name} takes no value.`);
    return true;
  }
  // `--port --host x`: what looks like the next flag is no value.
  if (text === "" || (!inlineValue && /^-\D/.test(text))) {
    throw new CommandError("usage", `--${name} needs a value: ${value}.`);
  }
  if (!isNumber) return text;
  // `Number` alone would read "1e3" and "0x10", too.
  return /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
}

function notAFlag(argument: string): CommandError {
  const [written = ""] = argument.split("="); // what follows may be a key
  const meant = meantBy(written.replace(/^-+/, ""));
  const hint = meant === undefined || written === `--${meant}` ? "" : ` Did you mean --${meant}?`;
  return new CommandError("usage", `${written || '""'} is no flag.${hint}`);
}

function meantBy(name: string): string | undefined {
  if (/^\d+$/.test(name)) return `port ${name}`;
  if (name.length < 2) return undefined;
  return nearestName(
    name,
    FLAGS.map((flag) => flag.name),
  );
}
