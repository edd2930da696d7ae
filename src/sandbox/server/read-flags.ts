/// <reference types="node" />
import { parseArgs } from "node:util";
import { nearestName } from "../../data/nearest-name.ts";
import type { PostbackOptions } from "../postbacks/postback-options.ts";
import type { SandboxOptions } from "./start-sandbox.ts";

/** Why the command `payments-sandbox` fails, as one line for its user. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  /** `usage`: the arguments are wrong. `start`: the server cannot be started on this machine. */
  readonly reason: "usage" | "start";

  constructor(reason: "usage" | "start", message: string) {
    super(message);
    this.reason = reason;
  }
}

/** A flag of the command `payments-sandbox`. */
export interface Flag {
  /** Without the two dashes. */
  readonly name: string;
  /** Short form, without the dash. */
  readonly short?: string;
  /** Placeholder of the value in the help. A flag without it accepts no value. */
  readonly value?: string;
  readonly meaning: string;
  /** The option that it sets. The option's own rules validate the value. */
  readonly option?: keyof SandboxOptions | `postbacks.${keyof PostbackOptions}`;
  readonly isNumber?: boolean;
}

export const FLAGS: readonly Flag[] = [
  {
    name: "port",
    value: "<number>",
    meaning: "0 selects a free one (default: 4010)",
    option: "port",
    isNumber: true,
  },
  {
    name: "host",
    value: "<address>",
    meaning: "address to listen on (default: 127.0.0.1, this machine only)",
    option: "host",
  },
  {
    name: "seed",
    value: "<number>",
    meaning: "makes random values the same on every start",
    option: "seed",
    isNumber: true,
  },
  {
    name: "secret-key",
    value: "<sk_...>",
    meaning: "(default: sk_sandbox_secret)",
    option: "secretKey",
  },
  {
    name: "public-key",
    value: "<pk_...>",
    meaning: "(default: pk_sandbox_public)",
    option: "publicKey",
  },
  {
    name: "base-url",
    value: "<url>",
    meaning: "URL under which clients reach it (default: the address it listens on)",
    option: "baseUrl",
  },
  {
    name: "pix-fields",
    value: "<guide|endpoint>",
    meaning: "required fields of a pix (default: guide)",
    option: "pixFields",
  },
  {
    name: "outside-limits",
    value: "<refused|validation>",
    meaning: "how a card outside the limits fails (default: refused)",
    option: "outsideLimits",
  },
  {
    name: "postback-delay",
    value: "<ms>",
    meaning: "delay of a postback after the change (default: 0)",
    option: "postbacks.delayMs",
    isNumber: true,
  },
  {
    name: "postback-retries",
    value: "<number>",
    meaning: "retries of a postback without a 2xx (default: 4)",
    option: "postbacks.retries",
    isNumber: true,
  },
  {
    name: "postback-duplicates",
    value: "<number>",
    meaning: "additional copies of each postback (default: 0)",
    option: "postbacks.duplicates",
    isNumber: true,
  },
  {
    name: "postback-reorder",
    meaning: "send each postback after the next of its transaction",
    option: "postbacks.reorder",
  },
  { name: "help", short: "h", meaning: "print this help" },
  { name: "version", short: "v", meaning: "print the version" },
];

export type Command =
  | { readonly kind: "start"; readonly options: SandboxOptions }
  | { readonly kind: "help" }
  | { readonly kind: "version" };

interface ValueToken {
  readonly value?: string | undefined;
  /** Whether the value follows an equals sign. */
  readonly inlineValue?: boolean | undefined;
}

type Setting = readonly [path: string, value: string | number | true];

const POSTBACKS = "postbacks.";
const DEFAULT_PORT = 4010;

/** @throws {CommandError} when an argument is not a known flag, or its value is missing. */
export function readFlags(args: readonly string[]): Command {
  const settings: Setting[] = [["port", DEFAULT_PORT]];
  for (const token of parseTokens(args)) {
    if (token.kind === "option-terminator") continue;
    const flag = FLAGS.find(({ name }) => token.kind === "option" && name === token.name);
    if (token.kind === "positional" || !flag) throw unknownFlag(args[token.index] ?? "");
    if (flag.option === undefined) return { kind: flag.name === "help" ? "help" : "version" };
    settings.push([flag.option, readValue(flag, token)]);
  }
  return { kind: "start", options: toOptions(settings) };
}

/** `postbacks.retries` sets `retries` in the option `postbacks`. */
function toOptions(settings: readonly Setting[]): SandboxOptions {
  const outer = settings.filter(([path]) => !path.startsWith(POSTBACKS));
  const nested = settings.filter(([path]) => path.startsWith(POSTBACKS));
  const postbacks = Object.fromEntries(nested.map(([path, value]) => [path.slice(POSTBACKS.length), value]));
  return { ...Object.fromEntries(outer), ...(nested.length > 0 && { postbacks }) };
}

/** Not strict: Node's error messages have several lines, and suggest no flag. */
function parseTokens(args: readonly string[]) {
  const options = Object.fromEntries(
    FLAGS.map(({ name, short, value }) => [
      name,
      { type: value === undefined ? ("boolean" as const) : ("string" as const), ...(short && { short }) },
    ]),
  );
  return parseArgs({ args: [...args], options, strict: false, tokens: true }).tokens;
}

function readValue({ name, value, isNumber }: Flag, token: ValueToken): string | number | true {
  const { value: text = "", inlineValue } = token;
  if (value === undefined) {
    if (token.value !== undefined) throw new CommandError("usage", `--${name} accepts no value.`);
    return true;
  }
  // `--port --host x`: the next flag is not a value.
  if (text === "" || (!inlineValue && /^-\D/.test(text))) {
    throw new CommandError("usage", `--${name} needs a value: ${value}.`);
  }
  if (!isNumber) return text;
  // `Number` alone would accept "1e3" and "0x10", too.
  return /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
}

function unknownFlag(argument: string): CommandError {
  const [flag = ""] = argument.split("="); // without the value, which may be a key
  const suggestion = suggestFlag(flag.replace(/^-+/, ""));
  const hint = suggestion === undefined || flag === `--${suggestion}` ? "" : ` Did you mean --${suggestion}?`;
  return new CommandError("usage", `${flag || '""'} is not a flag.${hint}`);
}

function suggestFlag(name: string): string | undefined {
  if (/^\d+$/.test(name)) return `port ${name}`;
  if (name.length < 2) return undefined;
  return nearestName(
    name,
    FLAGS.map((flag) => flag.name),
  );
}
