import { FLAGS, type Flag } from "./command-flags.ts";
import type { Sandbox, SandboxOptions } from "./start-sandbox.ts";

/** What `--help` prints. */
export function helpText(): string {
  const rows = FLAGS.map((flag): Row => [synopsisOf(flag), flag.meaning]);
  return `Usage: payments-sandbox [flags]

The payment service on your own machine, with its state, a dashboard, and faults on request.

${aligned(rows)}
Nothing is kept: when it ends, all of it is gone. Ctrl-C ends it.
`;
}

/** What a start prints. */
export function startText({ baseUrl, secretKey, publicKey }: Sandbox, options: SandboxOptions): string {
  const rows: Row[] = [
    ["Base URL", baseUrl],
    ["Secret key", secretKey],
    ["Public key", publicKey],
    ["Dashboard", `${baseUrl}/`],
  ];
  if (options.baseUrl !== undefined) rows.push(["Listens on", `${hostOf(options)}, port ${options.port}`]);
  return `
payments-sandbox is running.

${aligned(rows)}
Nothing is kept: when it ends, all of it is gone. Ctrl-C ends it.
`;
}

/** What is said where others can come in, too. */
export function openText(options: SandboxOptions): string | undefined {
  const host = hostOf(options);
  if (/^(localhost|127\.\d+\.\d+\.\d+|::1)$/i.test(host)) return undefined;
  return `Warning: it listens on ${host}. Whoever reaches it can read and move everything in it.`;
}

function hostOf({ host = "127.0.0.1" }: SandboxOptions): string {
  return host;
}

function synopsisOf({ name, short, value }: Flag): string {
  return `${short ? `-${short}, ` : ""}--${name}${value ? ` ${value}` : ""}`;
}

type Row = readonly [name: string, text: string];

function aligned(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}\n`).join("");
}
