import type { PostbackOptions } from "../postbacks/postback-options.ts";
import type { SandboxOptions } from "./start-sandbox.ts";

/** A flag of the command `payments-sandbox`. */
export interface Flag {
  /** After two dashes. */
  readonly name: string;
  /** After one dash. */
  readonly short?: string;
  /** What stands for its value in the help. A flag without it takes none. */
  readonly value?: string;
  readonly meaning: string;
  /** The option that it sets, whose own rules judge the value. */
  readonly option?: keyof SandboxOptions | `postbacks.${keyof PostbackOptions}`;
  readonly isNumber?: boolean;
}

export const FLAGS: readonly Flag[] = [
  {
    name: "port",
    value: "<number>",
    meaning: "0 takes a free one (default: 4010)",
    option: "port",
    isNumber: true,
  },
  {
    name: "host",
    value: "<address>",
    meaning: "where to listen (default: 127.0.0.1, this machine only)",
    option: "host",
  },
  {
    name: "seed",
    value: "<number>",
    meaning: "makes everything random the same each time",
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
    meaning: "by what URL others reach it (default: where it listens)",
    option: "baseUrl",
  },
  {
    name: "pix-fields",
    value: "<guide|endpoint>",
    meaning: "which fields a pix must have (default: guide)",
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
    meaning: "from a change to its postback (default: 0)",
    option: "postbacks.delayMs",
    isNumber: true,
  },
  {
    name: "postback-retries",
    value: "<number>",
    meaning: "how often one without a 2xx comes again (default: 4)",
    option: "postbacks.retries",
    isNumber: true,
  },
  {
    name: "postback-duplicates",
    value: "<number>",
    meaning: "how many more times each one comes (default: 0)",
    option: "postbacks.duplicates",
    isNumber: true,
  },
  {
    name: "postback-reorder",
    meaning: "each one comes after the next of its transaction",
    option: "postbacks.reorder",
  },
  { name: "help", short: "h", meaning: "print this and end" },
  { name: "version", short: "v", meaning: "print the version and end" },
];
