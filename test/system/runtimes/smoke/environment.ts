import type { PaymentsClientOptions } from "payments-sdk";

/** How a create call is sent. */
export type TransportName = "fetch" | "nodeTransport";

/** The servers that a runtime calls. They run outside the runtime, which gets this as JSON. */
export interface Addresses {
  /** A sandbox over HTTP. */
  readonly baseUrl: string;
  readonly secretKey: string;
  readonly publicKey: string;
  /** A URL on which no server listens. */
  readonly closedUrl: string;
  /** A server with a self-signed certificate. */
  readonly untrustedUrl: string;
  /** An https URL of a server that accepts connections and never responds to a TLS handshake. */
  readonly silentUrl: string;
  /** An https URL of an http server. */
  readonly plainUrl: string;
  /** Servers that read a whole create request and do not show whether it was processed. */
  readonly uncertain: Readonly<Record<TransportName, readonly UncertainServer[]>>;
}

export interface UncertainServer {
  readonly url: string;
  /** How the exchange ends. */
  readonly ending: string;
  /** Whether other requests are sent first, so that this one uses a kept connection. */
  readonly isKept: boolean;
}

export interface Environment {
  readonly service: Addresses;
  readonly client: PaymentsClientOptions;
}

/** Throws if a check fails. The test compares a returned string. */
export type Part = (environment: Environment) => Promise<unknown>;

export interface SmokeReport {
  readonly passed: readonly string[];
  /** The error of each failed part. */
  readonly failed: Readonly<Record<string, string>>;
  readonly observed: readonly string[];
}

/** Prefix of the line with the report, to find it in the output of a runtime. */
export const REPORT_MARK = "smoke report: ";

export async function runParts(
  parts: Readonly<Record<string, Part>>,
  environment: Environment,
): Promise<SmokeReport> {
  const passed: string[] = [];
  const failed: Record<string, string> = {};
  const observed: string[] = [];
  for (const [name, part] of Object.entries(parts)) {
    try {
      const result = await part(environment);
      passed.push(name);
      if (typeof result === "string") observed.push(result);
    } catch (error) {
      failed[name] = error instanceof Error ? (error.stack ?? error.message) : String(error);
    }
  }
  return { passed, failed, observed };
}

/** Not every runtime has `node:assert`. */
export function equal<Value>(actual: Value, expected: Value, description: string): void {
  if (actual !== expected)
    throw new Error(`${description}: ${String(actual)} instead of ${String(expected)}`);
}

export async function rejection(call: Promise<unknown>): Promise<unknown> {
  try {
    await call;
  } catch (error) {
    return error;
  }
  throw new Error("a call succeeded that had to fail");
}
