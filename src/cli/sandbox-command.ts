import type { Command } from "commander";
import type { Gateway, PostbackDelivery, SandboxRequest } from "../sandbox.ts";
import type { Sandbox, SandboxOptions } from "../sandbox-server.ts";
import { commandLineOf, createCommand, parseWholeNumber, quoteForShell } from "./command.ts";
import { cannotListen, usageFailure } from "./command-failure.ts";
import type { Context } from "./context.ts";
import { t } from "./language.ts";
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
    summary: t(
      "Start a local payment service with a dashboard and simulated faults.",
      "Sobe um serviço de pagamentos local, com painel e falhas simuladas.",
    ),
    details: t(
      "Everything is kept in memory only. One line is printed for each request and postback, except with --quiet or --json. Press Ctrl-C to stop.",
      "Tudo fica só na memória. Cada requisição e cada postback aparece em uma linha, exceto com --quiet ou --json. Ctrl-C para parar.",
    ),
    examples: ["payments sandbox", "payments sandbox --port 4011 --seed 1 --postback-retries 0"],
  })
    .option(
      "--port <n>",
      t("port; 0 selects a free one (default: 4010)", "porta; 0 escolhe uma livre (padrão: 4010)"),
      parseWholeNumber,
    )
    .option(
      "--host <host>",
      t(
        "address to listen on (default: 127.0.0.1, this machine only)",
        "endereço em que escuta (padrão: 127.0.0.1, só esta máquina)",
      ),
    )
    .option(
      "--seed <n>",
      t("make random values the same on every start", "gera os mesmos valores aleatórios sempre que sobe"),
      parseWholeNumber,
    )
    .option(
      t("--secret-key <key>", "--secret-key <chave>"),
      t("starts with sk_ (default: sk_sandbox_secret)", "começa com sk_ (padrão: sk_sandbox_secret)"),
    )
    .option(
      t("--public-key <key>", "--public-key <chave>"),
      t("starts with pk_ (default: pk_sandbox_public)", "começa com pk_ (padrão: pk_sandbox_public)"),
    )
    .option(
      "--base-url <url>",
      t(
        "URL that clients use (default: the address it listens on)",
        "URL que os clientes usam (padrão: o endereço em que escuta)",
      ),
    )
    .option(
      "--pix-fields <guide|endpoint>",
      t("required fields of a pix (default: guide)", "campos obrigatórios do Pix (padrão: guide)"),
    )
    .option(
      "--outside-limits <error>",
      t(
        "how an amount outside the limits fails: by_method, refused or validation (default: by_method)",
        "como falha um valor fora dos limites: by_method, refused ou validation (padrão: by_method)",
      ),
    )
    .option(
      "--pix-cancelled-as <status>",
      t(
        "status of a cancelled pix: canceled or cancelled (default: canceled)",
        "status de um Pix cancelado: canceled ou cancelled (padrão: canceled)",
      ),
    )
    .option(
      "--pix-returned-as <status>",
      t(
        "status after a MED: refunded or chargedback (default: refunded)",
        "status depois de um MED: refunded ou chargedback (padrão: refunded)",
      ),
    )
    .option(
      "--sellers-path <path>",
      t("path of the sellers (default: /sellers)", "path dos sellers (padrão: /sellers)"),
    )
    .option(
      "--sellers-auth <basic|none>",
      t(
        "whether the seller endpoints require keys (default: basic)",
        "se os endpoints de sellers exigem chaves (padrão: basic)",
      ),
    )
    .option(
      "--postback-delay <ms>",
      t("delay of a postback after a change (default: 0)", "atraso do postback após a mudança (padrão: 0)"),
      parseWholeNumber,
    )
    .option(
      "--postback-retries <n>",
      t("retries without a 2xx response (default: 4)", "novas tentativas sem resposta 2xx (padrão: 4)"),
      parseWholeNumber,
    )
    .option(
      "--postback-duplicates <n>",
      t("extra copies of each (default: 0)", "cópias a mais de cada um (padrão: 0)"),
      parseWholeNumber,
    )
    .option(
      "--postback-reorder",
      t("send postbacks of a transaction out of order", "envia postbacks de uma transação fora de ordem"),
    )
    .option("--quiet", t("do not print requests and postbacks", "não mostra requisições e postbacks"));

  return command.action(async ({ host = "127.0.0.1", port = 4010, quiet, json, ...options }: Flags) => {
    const output = new Output(context, json);
    if (options.baseUrl !== undefined && port === 0) {
      throw usageFailure(
        commandLineOf(command),
        t("--base-url needs a fixed --port, not 0.", "--base-url precisa de um --port fixo, não 0."),
      );
    }
    const sandbox = await start(command, { ...options, host, port });
    // Before the text that tells the user to press Ctrl-C.
    const interrupted = context.untilInterrupted();
    const { baseUrl, secretKey, publicKey } = sandbox;

    output.result({ baseUrl, secretKey, publicKey, dashboard: `${baseUrl}/` }, () => {
      output.line();
      output.line(
        bold(t("The sandbox is running.", "O sandbox está rodando.")),
        t(" Dashboard: ", " Painel: "),
        bold(`${baseUrl}/`),
      );
      if (options.baseUrl !== undefined)
        output.line(t(`It listens on ${host}, port ${port}.`, `Escuta em ${host}, porta ${port}.`));
      output.line();
      output.line("  export PAYMENTS_BASE_URL=", quoteForShell(baseUrl));
      output.line("  export PAYMENTS_SECRET_KEY=", quoteForShell(secretKey));
      output.line("  export PAYMENTS_PUBLIC_KEY=", quoteForShell(publicKey));
      output.line();
      output.line(
        t("Everything is kept in memory. Press Ctrl-C to stop.", "Tudo fica na memória. Ctrl-C encerra."),
      );
      output.line();
    });
    if (!output.isJson && !quiet) printTraffic(sandbox.gateway, output);
    if (!isLoopback(host)) {
      const risk = t(
        "Anyone who can connect can read and change everything in it.",
        "Quem conseguir se conectar pode ler e mudar tudo nele.",
      );
      output.note(yellow(`${t("Warning: it listens on", "Aviso: ele escuta em")} ${host}. ${risk}`));
    }

    await interrupted;
    await sandbox.close();
    if (output.isJson) return;
    if (context.stdout.isTTY) output.line(); // after the ^C that terminals print
    output.line(t("Stopped. Nothing was saved.", "Parado. Nada foi salvo."));
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
  return cannotListen(error.cause, host, port) ?? error;
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
    ...(transactionId === undefined ? [] : [`  ${t("transaction", "transação")} ${transactionId}`]),
    ...(reason === undefined ? [] : [yellow(`  ${reason}`)]),
    ...(fault === undefined ? [] : [red(`  ${t("fault", "falha")}: ${fault}`)]),
  ];
}

function postbackLine({ url, body, attempts, nextAttemptAt }: PostbackDelivery): readonly Text[] {
  const { at = "", status, error, fault } = attempts.at(-1) ?? {};
  return [
    dim(timeOf(at)),
    "  ",
    statusText(status),
    `  ${t("postback to", "postback para")} ${displayUrl(new URL(url))}`,
    `  ${t("transaction", "transação")} ${body.id} ${body.status}`,
    ...(error === undefined ? [] : [red(`  ${error}`)]),
    ...(fault === undefined ? [] : [red(`  ${t("fault", "falha")}: ${fault}`)]),
    ...(attempts.length === 1 ? [] : [dim(`  ${t("attempt", "tentativa")} ${attempts.length}`)]),
    ...(nextAttemptAt === undefined
      ? []
      : [yellow(`  ${t("next at", "próxima às")} ${timeOf(nextAttemptAt)}`)]),
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
