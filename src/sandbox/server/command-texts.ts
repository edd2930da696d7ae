import { FLAGS, type Flag } from "./read-flags.ts";
import type { Sandbox, SandboxOptions } from "./start-sandbox.ts";

/** The output of `--help`. */
export function helpText(): string {
  const rows = FLAGS.map((flag): Row => [formatFlag(flag), flag.meaning]);
  return `Usage: payments-sandbox [flags]

A local payment service with its own state, a dashboard, and faults on request.

${alignRows(rows)}
Everything is kept in memory only. Press Ctrl-C to stop.
`;
}

/** The output after a start. */
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

${alignRows(rows)}
Everything is kept in memory only. Press Ctrl-C to stop.
`;
}

/** A warning if other machines can connect. */
export function warningText(options: SandboxOptions): string | undefined {
  const host = hostOf(options);
  if (/^(localhost|127\.\d+\.\d+\.\d+|::1)$/i.test(host)) return undefined;
  return `Warning: it listens on ${host}. Anyone who can connect can read and change everything in it.`;
}

function hostOf({ host = "127.0.0.1" }: SandboxOptions): string {
  return host;
}

function formatFlag({ name, short, value }: Flag): string {
  return `${short ? `-${short}, ` : ""}--${name}${value ? ` ${value}` : ""}`;
}

type Row = readonly [name: string, text: string];

function alignRows(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}\n`).join("");
}
