import { cleanCause, type ErrorFacts, readError } from "./clean-cause.ts";
import type { Redactor } from "./redaction.ts";

/**
 * Codes that the platform's own transport gives only before a request leaves: nobody listens, no such
 * name, no connection in time, no route.
 */
const BEFORE_SENDING: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused",
  ENOTFOUND: "the host name was not found",
  EAI_AGAIN: "the host name could not be looked up",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
  UND_ERR_CONNECT_TIMEOUT: "connecting took too long",
  UND_ERR_INVALID_ARG: "the request cannot be sent like this",
  ETIMEDOUT: "connecting took too long",
};

/** Codes of a certificate that was not accepted, which ends the handshake before the request. */
const CERTIFICATE =
  /^(?:CERT_|ERR_TLS_CERT_|DEPTH_ZERO_SELF_SIGNED_CERT$|SELF_SIGNED_CERT_|UNABLE_TO_(?:GET_ISSUER|VERIFY_LEAF)|HOSTNAME_MISMATCH$)/;

/** Codes that may also come in the middle of a connection; only their `connect` is proof. */
const CONNECT_ONLY: ReadonlySet<string> = new Set(["EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT"]);

export interface TransportFailure {
  /** What happened, in words, without an address. */
  readonly reason: string;
  /** Whether the failure proves that the request never left. */
  readonly provenUnsent: boolean;
  /** The failure without what it may hold of the request. */
  readonly cause: Error | undefined;
}

/** What a rejected `fetch` tells, from the codes of its causes. */
export function explainFailure(error: unknown, redactor: Redactor): TransportFailure {
  const cause = cleanCause(error, redactor);
  const codes = causesOf(error, redactor);
  for (const { code, syscall } of codes) {
    if (CERTIFICATE.test(code)) {
      return { reason: `the certificate was not accepted (${code})`, provenUnsent: true, cause };
    }
    const known = Object.hasOwn(BEFORE_SENDING, code) ? BEFORE_SENDING[code] : undefined;
    if (known !== undefined && (!CONNECT_ONLY.has(code) || syscall === "connect")) {
      return { reason: `${known} (${code})`, provenUnsent: true, cause };
    }
  }
  // The platform refuses ports of other protocols by itself, and has no code for it.
  if (deepestMessage(cause) === "bad port") {
    return { reason: "the port of `baseUrl` is one that fetch refuses", provenUnsent: true, cause };
  }
  const code = codes.at(-1)?.code;
  const detail = code ?? deepestMessage(cause);
  const reason = `${code === undefined ? "no answer came" : "it broke off"}${detail === "" ? "" : ` (${detail})`}`;
  return { reason, provenUnsent: false, cause };
}

/** A longer text than this is no reason, but a report. */
const LONGEST_REASON = 120;

function deepestMessage(error: Error | undefined): string {
  let deepest = error;
  while (deepest?.cause instanceof Error) deepest = deepest.cause;
  return deepest?.message.slice(0, LONGEST_REASON) ?? "";
}

function causesOf(error: unknown, redactor: Redactor): { code: string; syscall: unknown }[] {
  const found: { code: string; syscall: unknown }[] = [];
  let current = error;
  for (let depth = 0; depth < 5 && typeof current === "object" && current !== null; depth += 1) {
    const { code, cause, ...rest } = readError(current);
    const clean = typeof code === "string" ? redactor.text(code) : "";
    if (/^[A-Z\d_]{2,60}$/.test(clean)) found.push({ code: clean, syscall: syscallOf(rest) });
    current = cause;
  }
  return found;
}

/** What failed. Node tries each address of a name, and gives the failures of all of them together. */
function syscallOf({ syscall, errors }: Pick<ErrorFacts, "syscall" | "errors">): unknown {
  if (!Array.isArray(errors) || errors.length === 0) return syscall;
  const all = new Set(errors.map((error) => readError(Object(error)).syscall));
  return all.size === 1 ? [...all][0] : undefined;
}
