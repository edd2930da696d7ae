import type { Command } from "commander";
import type { Sandbox, SandboxOptions } from "../sandbox-server.ts";
import { commandLineOf, createCommand, wholeNumber } from "./command.ts";
import type { Context } from "./context.ts";
import { cannotListen, usageFailure } from "./failure.ts";
import { bold, createOutput, yellow } from "./output.ts";
import { printTraffic } from "./sandbox-log.ts";
import { quoteForShell } from "./shell.ts";
import { isLoopback } from "./urls.ts";

interface Flags {
  readonly port?: number;
  readonly host?: string;
  readonly seed?: number;
  readonly secretKey?: string;
  readonly publicKey?: string;
  readonly baseUrl?: string;
  readonly pixFields?: "guide" | "endpoint";
  readonly outsideLimits?: "by_method" | "refused" | "validation";
  readonly pixCancelledAs?: "canceled" | "cancelled";
  readonly echo?: "all" | "documented";
  readonly envelopeStatus?: 201 | 1;
  readonly sellersPath?: string;
  readonly sellersAuth?: "basic" | "none";
  readonly postbackDelay?: number;
  readonly postbackRetries?: number;
  readonly postbackDuplicates?: number;
  readonly postbackReorder?: true;
  readonly quiet?: true;
  readonly json?: true;
}

type StartFlags = Flags & Required<Pick<Flags, "port" | "host">>;

/** `payments sandbox`. */
export function sandboxCommand(context: Context): Command {
  const command = createCommand(context, {
    name: "sandbox",
    summary: "Start a local payment service with a dashboard and simulated faults.",
    details:
      "Everything is kept in memory only. One line is printed for each request and postback, except with --quiet or\n" +
      "--json. Press Ctrl-C to stop.",
    examples: ["payments sandbox", "payments sandbox --port 4011 --seed 1 --postback-retries 0"],
  })
    .option("--port <number>", "port to listen on; 0 selects a free one (default: 4010)", wholeNumber)
    .option("--host <address>", "address to listen on (default: 127.0.0.1, this machine only)")
    .option("--seed <number>", "make random values the same on every start", wholeNumber)
    .option("--secret-key <key>", "starts with sk_ (default: sk_sandbox_secret)")
    .option("--public-key <key>", "starts with pk_ (default: pk_sandbox_public)")
    .option("--base-url <url>", "URL that clients use (default: the address it listens on)")
    .option("--pix-fields <guide|endpoint>", "required fields of a pix (default: guide)")
    .option(
      "--outside-limits <by_method|refused|validation>",
      "how an amount outside the limits fails (default: by_method)",
    )
    .option("--pix-cancelled-as <canceled|cancelled>", "status of a cancelled pix (default: canceled)")
    .option("--echo <all|documented>", "request fields that a created transaction returns (default: all)")
    .option(
      "--envelope-status <201|1>",
      "`status` in the body of a create response (default: 201)",
      wholeNumber,
    )
    .option("--sellers-path <path>", "path of the seller endpoints (default: /sellers)")
    .option("--sellers-auth <basic|none>", "whether the seller endpoints require keys (default: basic)")
    .option("--postback-delay <ms>", "delay of a postback after the change (default: 0)", wholeNumber)
    .option("--postback-retries <number>", "retries of a postback without a 2xx (default: 4)", wholeNumber)
    .option("--postback-duplicates <number>", "additional copies of each postback (default: 0)", wholeNumber)
    .option("--postback-reorder", "send the postbacks of a transaction out of order")
    .option("--quiet", "do not print requests and postbacks");

  return command.action(async ({ port = 4010, host = "127.0.0.1", ...others }: Flags) => {
    const flags = { port, host, ...others };
    const output = createOutput(context, flags.json);
    if (flags.baseUrl !== undefined && port === 0) {
      throw usageFailure(commandLineOf(command), "--base-url needs a fixed --port, not 0.");
    }
    const sandbox = await start(command, flags);
    // Before the text that tells the user to press Ctrl-C.
    const interrupted = context.untilInterrupted();
    const { baseUrl, secretKey, publicKey } = sandbox;

    output.result({ baseUrl, secretKey, publicKey, dashboard: `${baseUrl}/` }, () => {
      output.line();
      output.line(bold("The sandbox is running."), " Dashboard: ", bold(`${baseUrl}/`));
      if (flags.baseUrl !== undefined) output.line(`It listens on ${host}, port ${port}.`);
      output.line();
      output.line("  export PAYMENTS_BASE_URL=", quoteForShell(baseUrl));
      output.line("  export PAYMENTS_SECRET_KEY=", quoteForShell(secretKey));
      output.line("  export PAYMENTS_PUBLIC_KEY=", quoteForShell(publicKey));
      output.line();
      output.line("Everything is kept in memory only. Press Ctrl-C to stop.");
      output.line();
    });
    if (!output.isJson && !flags.quiet) printTraffic(sandbox.gateway, output);
    if (!isLoopback(host)) {
      const risk = "Anyone who can connect can read and change everything in it.";
      output.note(yellow(`Warning: it listens on ${host}. ${risk}`));
    }

    await interrupted;
    await sandbox.close();
    if (!output.isJson) {
      if (context.stdout.isTTY) output.line(); // after the ^C that terminals print
      output.line("Stopped. Nothing was saved.");
    }
  });
}

async function start(command: Command, flags: StartFlags): Promise<Sandbox> {
  const { startSandbox } = await import("../sandbox-server.ts");
  try {
    return await startSandbox(toOptions(flags));
  } catch (error) {
    throw error instanceof Error ? toFailure(command, flags, error) : error;
  }
}

/** Only the options that were given: the sandbox has its own defaults. */
function toOptions(flags: Flags): SandboxOptions {
  const {
    json: _json,
    quiet: _quiet,
    postbackDelay,
    postbackRetries,
    postbackDuplicates,
    postbackReorder,
    ...options
  } = flags;
  const postbacks = {
    ...(postbackDelay !== undefined && { delayMs: postbackDelay }),
    ...(postbackRetries !== undefined && { retries: postbackRetries }),
    ...(postbackDuplicates !== undefined && { duplicates: postbackDuplicates }),
    ...(postbackReorder !== undefined && { reorder: postbackReorder }),
  };
  return { ...options, ...(Object.keys(postbacks).length > 0 && { postbacks }) };
}

/** The flags that have another name than their option. */
const FLAG_OF_OPTION: Readonly<Record<string, string>> = {
  "postbacks.delayMs": "postbackDelay",
  "postbacks.retries": "postbackRetries",
  "postbacks.duplicates": "postbackDuplicates",
};

function toFailure(command: Command, { port, host }: StartFlags, error: Error): Error {
  const [, option = "", problem] =
    /^(?:createGateway|startSandbox): ([\w.]+) (.*)\.$/.exec(error.message) ?? [];
  const name = FLAG_OF_OPTION[option] ?? option;
  const flag = command.options.find((known) => known.attributeName() === name);
  if (flag) return usageFailure(commandLineOf(command), `${flag.long} ${problem}.`);

  return cannotListen(error.cause, host, port) ?? error;
}
