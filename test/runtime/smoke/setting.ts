import type { PaymentsClientOptions } from "payments-sdk";

/** What puts a create on the wire. */
export type Way = "fetch" | "nodeTransport";

/** What a runtime talks to. It is made outside of the runtime, and travels as JSON. */
export interface Service {
  /** A sandbox over HTTP. */
  readonly baseUrl: string;
  readonly secretKey: string;
  readonly publicKey: string;
  /** Where nobody listens. */
  readonly closedUrl: string;
  /** A service with a certificate that nobody signed. */
  readonly untrustedUrl: string;
  /** An https URL of a server that accepts connections and never answers a TLS handshake. */
  readonly silentUrl: string;
  /** An https URL of a server that speaks http. */
  readonly plainUrl: string;
  /** For each way to send: services that answer a create, and read another one whole but leave it in doubt. */
  readonly doubtful: Readonly<Record<Way, readonly Doubtful[]>>;
  /** Tells which connections creates came over to each of those: a list of their numbers, by address. */
  readonly arrivalsUrl: string;
}

export interface Doubtful {
  readonly url: string;
  /** What becomes of the create in doubt. */
  readonly what: string;
  /** Whether another create comes before it, so that the connection is a kept one. */
  readonly isKept: boolean;
}

/** How a part of the smoke test reaches the service. */
export interface Setting {
  readonly service: Service;
  readonly client: PaymentsClientOptions;
}

/** Says what it saw where that is worth a word; throws where something is not as it should be. */
export type Part = (setting: Setting) => Promise<string | undefined>;

export interface SmokeReport {
  readonly passed: readonly string[];
  /** What was not as it should be, by part. */
  readonly failed: Readonly<Record<string, string>>;
  readonly seen: readonly string[];
}

/** Before the line with the report, among whatever else a runtime prints. */
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
      if (what !== undefined) seen.push(what);
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
