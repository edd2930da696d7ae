import type { PaymentsClientOptions } from "payments-sdk";

/** What sends a create request. */
export type Way = "fetch" | "nodeTransport";

/** What a runtime talks to. It runs outside of the runtime, and its addresses travel as JSON. */
export interface Addresses {
  /** A sandbox over HTTP. */
  readonly baseUrl: string;
  readonly secretKey: string;
  readonly publicKey: string;
  /** Where no server listens. */
  readonly closedUrl: string;
  /** A server with a certificate that nobody signed. */
  readonly untrustedUrl: string;
  /** An https URL of a server that accepts connections and never answers a TLS handshake. */
  readonly silentUrl: string;
  /** An https URL of a server that speaks http. */
  readonly plainUrl: string;
  /** Servers that read a whole create request and leave it in doubt. */
  readonly doubtful: Readonly<Record<Way, readonly Doubtful[]>>;
}

export interface Doubtful {
  readonly url: string;
  /** What becomes of the request in doubt. */
  readonly what: string;
  /** Whether other requests are sent before it, so that it goes over a kept connection. */
  readonly isKept: boolean;
}

export interface Setting {
  readonly service: Addresses;
  readonly client: PaymentsClientOptions;
}

/** Throws if something is not as it should be; a text it returns is compared by the test. */
export type Part = (setting: Setting) => Promise<unknown>;

export interface SmokeReport {
  readonly passed: readonly string[];
  /** What was not as it should be, by part. */
  readonly failed: Readonly<Record<string, string>>;
  readonly seen: readonly string[];
}

/** Stands before the line with the report, among everything else that a runtime prints. */
export const REPORT_MARK = "smoke report: ";

export async function runParts(
  parts: Readonly<Record<string, Part>>,
  setting: Setting,
): Promise<SmokeReport> {
  const passed: string[] = [];
  const failed: Record<string, string> = {};
  const seen: string[] = [];
  for (const [name, part] of Object.entries(parts)) {
    try {
      const what = await part(setting);
      passed.push(name);
      if (typeof what === "string") seen.push(what);
    } catch (error) {
      failed[name] = error instanceof Error ? (error.stack ?? error.message) : String(error);
    }
  }
  return { passed, failed, seen };
}

/** Not every runtime has `node:assert`. */
export function equal<Value>(actual: Value, expected: Value, what: string): void {
  if (actual !== expected) throw new Error(`${what}: ${String(actual)} instead of ${String(expected)}`);
}

export async function rejection(call: Promise<unknown>): Promise<unknown> {
  try {
    await call;
  } catch (error) {
    return error;
  }
  throw new Error("a call succeeded that should not");
}
