import type { Command } from "commander";
import type { Gateway, PostbackDelivery, SandboxRequest } from "../sandbox.ts";
import type { Sandbox, SandboxOptions } from "../sandbox-server.ts";
import { commandLineOf, createCommand, parseWholeNumber, quoteForShell } from "./command.ts";
import { Failure, usageFailure } from "./command-failure.ts";
import type { Context } from "./context.ts";
import { bold, dim, green, Output, red, type Text, yellow } from "./output.ts";
import { displayUrl, isLoopback } from "./urls.ts";

interface Flags extends Omit<SandboxOptions, "postbacks"> {
  readonly postbackDelay?: number;
  readonly postbackRetries?: number;
  readonly postbackDuplicates?: number;
  readonly postbackReorder?: true;
  readonly quiet?: true;
  readonly json?: boolean;
}

export function sandboxCommand(context: Context): Command {
  const command = createCommand(context, {
    name: "sandbox",
    summary: "Start a local payment service with a dashboard and simulated faults.",
    details:
      "Everything is kept in memory only. One line is printed for each request and postback, except with --quiet or --json. Press Ctrl-C to stop.",
    examples: ["payments sandbox", "payments sandbox --port 4011 --seed 1 --postback-retries 0"],
  })
    .option("--port <n>", "port; 0 selects a free one (default: 4010)", parseWholeNumber)
    .option("--host <host>", "address to listen on (default: 127.0.0.1, this machine only)")
    .option("--seed <n>", "make random values the same on every start", parseWholeNumber)
    .option("--secret-key <key>", "starts with sk_ (default: sk_sandbox_secret)")
    .option("--public-key <key>", "starts with pk_ (default: pk_sandbox_public)")
    .option("--base-url <url>", "URL that clients use (default: the address it listens on)")
    .option("--pix-fields <guide|endpoint>", "required fields of a pix (default: guide)")
    .option(
      "--outside-limits <error>",
      "how an amount outside the limits fails: by_method, refused or validation (default: by_method)",
    )
    .option(
      "--pix-cancelled-as <status>",
      "status of a cancelled pix: canceled or cancelled (default: canceled)",
    )
    .option("--pix-returned-as <status>", "status after a MED: refunded or chargedback (default: refunded)")
    .option("--sellers-path <path>", "path of the sellers (default: /sellers)")
    .option("--sellers-auth <basic|none>", "whether the seller endpoints require keys (default: basic)")
    .option("--postback-delay <ms>", "delay of a postback after a change (default: 0)", parseWholeNumber)
    .option("--postback-retries <n>", "retries without a 2xx response (default: 4)", parseWholeNumber)
    .option("--postback-duplicates <n>", "extra copies of each (default: 0)", parseWholeNumber)
    .option("--postback-reorder", "send postbacks of a transaction out of order")
    .option("--quiet", "do not print requests and postbacks");

  return command.action(async ({ host = "127.0.0.1", port = 4010, quiet, json, ...options }: Flags) => {
    const output = new Output(context, json);
    if (options.baseUrl !== undefined && port === 0) {
      throw usageFailure(commandLineOf(command), "--base-url needs a fixed --port, not 0.");
    }
    const sandbox = await start(command, { ...options, host, port });
    // Before the text that tells the user to press Ctrl-C.
    const interrupted = context.untilInterrupted();
    const { baseUrl, secretKey, publicKey } = sandbox;

    output.result({ baseUrl, secretKey, publicKey, dashboard: `${baseUrl}/` }, () => {
      output.line();
      output.line(bold("The sandbox is running."), " Dashboard: ", bold(`${baseUrl}/`));
      if (options.baseUrl !== undefined) output.line(`It listens on ${host}, port ${port}.`);
      output.line();
      output.line("  export PAYMENTS_BASE_URL=", quoteForShell(baseUrl));
      output.line("  export PAYMENTS_SECRET_KEY=", quoteForShell(secretKey));
      output.line("  export PAYMENTS_PUBLIC_KEY=", quoteForShell(publicKey));
      output.line();
      output.line("Everything is kept in memory. Press Ctrl-C to stop.");
      output.line();
    });
    if (!output.isJson && !quiet) printTraffic(sandbox.gateway, output);
    if (!isLoopback(host)) {
      const risk = "Anyone who can connect can read and change everything in it.";
      output.note(yellow(`Warning: it listens on ${host}. ${risk}`));
    }

    await interrupted;
    await sandbox.close();
    if (output.isJson) return;
    if (context.stdout.isTTY) output.line(); // after the ^C that terminals print
    output.line("Stopped. Nothing was saved.");
  });
}

/** The sandbox has its own defaults, so an option is passed only if its flag is. */
async function start(command: Command, flags: Flags): Promise<Sandbox> {
  const { postbackDelay, postbackRetries, postbackDuplicates, postbackReorder, ...options } = flags;
  const postbacks = {
    ...(postbackDelay !== undefined && { delayMs: postbackDelay }),
    ...(postbackRetries !== undefined && { retries: postbackRetries }),
    ...(postbackDuplicates !== undefined && { duplicates: postbackDuplicates }),
    ...(postbackReorder && { reorder: true }),
  };
  const { startSandbox } = await import("../sandbox-server.ts");
  try {
    return await startSandbox({ ...options, postbacks });
  } catch (error) {
    throw error instanceof Error ? toFailure(command, flags, error) : error;
  }
}

function toFailure(command: Command, { port = 0, host = "" }: Flags, error: Error): Error {
  const [, option = "", problem] =
    /^(?:createGateway|startSandbox): ([\w.]+) (.*)\.$/.exec(error.message) ?? [];
  const name = option.replace(/^postbacks\.(\w+?)(Ms)?$/, "postback-$1"); // such as postbacks.delayMs
  const flag = command.options.find((known) => [known.attributeName(), known.name()].includes(name));
  if (flag) return usageFailure(commandLineOf(command), `${flag.long} ${problem}.`);
  const { code } = (error.cause ?? {}) as NodeJS.ErrnoException; // of `server.listen()`
  if (code === undefined) return error;
  if (code === "EADDRINUSE") {
    return new Failure("port_in_use", `Port ${port} is in use. Choose another with --port, or --port 0.`);
  }
  if (code === "EACCES") {
    return new Failure("port_not_allowed", `Port ${port} is not allowed. Choose one above 1023 with --port.`);
  }
  return new Failure("cannot_listen", `Cannot listen on ${host}. Is it an address of this machine?`);
}

/** Prints one line for each request that the sandbox receives, and for each attempt to send a postback. */
function printTraffic(gateway: Gateway, output: Output): void {
  const printedEarly = new Set<number>(); // requests that were printed although they are in flight

  gateway.subscribe((change) => {
    if (change.type === "delivery" && change.delivery.attempts.length > 0) {
      output.line(...postbackLine(change.delivery));
    }
    if (change.type !== "request") return;
    const { id, durationMs, fault } = change.request;
    const isInFlight = durationMs === undefined;
    if (isInFlight && fault !== "charged_then_stalled") return; // its client may wait several minutes
    if (!isInFlight && printedEarly.delete(id)) return;
    if (isInFlight) printedEarly.add(id);
    output.line(...requestLine(change.request));
  });
}

function requestLine(request: SandboxRequest): readonly Text[] {
  const { at, method, path, status, durationMs, reason, fault, transactionId } = request;
  return [
    dim(timeOf(at)),
    "  ",
    statusText(status),
    `  ${method} ${path}`,
    ...(durationMs === undefined ? [] : [dim(`  ${durationMs} ms`)]),
    ...(transactionId === undefined ? [] : [`  transaction ${transactionId}`]),
    ...(reason === undefined ? [] : [yellow(`  ${reason}`)]),
    ...(fault === undefined ? [] : [red(`  fault: ${fault}`)]),
  ];
}

function postbackLine({ url, body, attempts, nextAttemptAt }: PostbackDelivery): readonly Text[] {
  const { at = "", status, error, fault } = attempts.at(-1) ?? {};
  return [
    dim(timeOf(at)),
    "  ",
    statusText(status),
    `  postback to ${displayUrl(new URL(url))}`,
    `  transaction ${body.id} ${body.status}`,
    ...(error === undefined ? [] : [red(`  ${error}`)]),
    ...(fault === undefined ? [] : [red(`  fault: ${fault}`)]),
    ...(attempts.length === 1 ? [] : [dim(`  attempt ${attempts.length}`)]),
    ...(nextAttemptAt === undefined ? [] : [yellow(`  next at ${timeOf(nextAttemptAt)}`)]),
  ];
}

function timeOf(timestamp: string): string {
  return new Date(timestamp).toTimeString().slice(0, 8);
}

function statusText(status: number | undefined): Text {
  if (status === undefined) return red("---");
  if (status < 400) return green(String(status));
  return status < 500 ? yellow(String(status)) : red(String(status));
}
