import type { Redactor } from "../data/redactor.ts";
import { isLoopbackUrl } from "../data/texts.ts";
import { isPaymentsError } from "../errors/is-payments-error.ts";
import { problemOf } from "../errors/payments-error.ts";
import { type ErrorFields, readErrorFields, sanitizeError } from "../errors/sanitize-error.ts";
import type { Call, FailureReason } from "./call.ts";

/** What the error codes of Node mean. They explain a failure. They prove nothing: see request-progress.ts. */
const MEANINGS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused",
  ENOTFOUND: "the host name was not found",
  EAI_AGAIN: "the host name could not be looked up",
  ERR_SSL_WRONG_VERSION_NUMBER:
    "the response to the TLS handshake was not TLS, so `baseUrl` may have to be http",
  UND_ERR_CONNECT_TIMEOUT: "connecting took too long",
  UND_ERR_INVALID_ARG: "the request cannot be sent in this form",
};

/** Codes that also occur on an open connection, and then mean something else. */
const MEANINGS_WHEN_CONNECTING: Readonly<Record<string, string>> = {
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
  ETIMEDOUT: "connecting took too long",
};

/** Codes of a certificate that was not accepted. */
const CERTIFICATE =
  /^(?:CERT_|ERR_TLS_CERT_|DEPTH_ZERO_SELF_SIGNED_CERT$|SELF_SIGNED_CERT_|UNABLE_TO_(?:GET_ISSUER|VERIFY_LEAF)|HOSTNAME_MISMATCH$)/;

/** Codes of zlib, of its Brotli decoder, whose names begin with an underscore in Node, and of its Zstandard decoder. */
const DECOMPRESSION = /^(?:Z_|ZSTD_|ERR__ERROR_|ERR_BROTLI_)/;

/** Those of Zstandard have lower-case letters. */
const CODE = /^(?:[A-Z\d_]{2,60}|ZSTD_\w{2,55})$/;

/** On this machine, only a sandbox is expected. */
const START_SANDBOX = ". Is the sandbox running? Start it with `npx payments sandbox`";

/** A longer message is a report, not a reason. */
const LONGEST_REASON = 120;

/** An error, or one of its causes, that has a code. */
interface CodedFailure {
  readonly code: string;
  readonly fields: ErrorFields;
}

/** Explains a rejected `fetch` from the codes of its causes. */
export function explainFailure({ redactor, config }: Call, error: unknown): FailureReason {
  const cause = sanitizeError(error, redactor);
  const codes = codesOf(error, redactor);
  for (const failure of codes) {
    const { code } = failure;
    const meaning = meaningOf(failure);
    if (meaning === undefined) continue;
    const hint = code === "ECONNREFUSED" && isLoopbackUrl(config.baseUrl) ? START_SANDBOX : "";
    return { detail: `${meaning} (${code})${hint}`, cause };
  }
  // The platform itself refuses ports of other protocols, without a code.
  if (deepestMessage(cause) === "bad port") {
    return { detail: "fetch refuses the port of `baseUrl`", cause };
  }
  return repeatFailure(error, redactor);
}

/** Describes a failure by its own code or message. */
export function repeatFailure(error: unknown, redactor: Redactor): FailureReason {
  const cause = sanitizeError(error, redactor);
  const code = codesOf(error, redactor).at(-1)?.code;
  // The error of another call states what happened to its own charge, which would be misleading here.
  const message = isPaymentsError(error) ? redactor.text(problemOf(error)) : deepestMessage(cause);
  const summary = code === undefined ? "there was no response" : "it was closed";
  const detail = code ?? message;
  return { detail: detail === "" ? summary : `${summary} (${detail})`, cause };
}

function meaningOf({ code, fields }: CodedFailure): string | undefined {
  if (CERTIFICATE.test(code)) return "the certificate was not accepted";
  if (DECOMPRESSION.test(code)) return "the body of the response could not be decompressed";
  if (Object.hasOwn(MEANINGS, code)) return MEANINGS[code];
  return syscallOf(fields) === "connect" && Object.hasOwn(MEANINGS_WHEN_CONNECTING, code)
    ? MEANINGS_WHEN_CONNECTING[code]
    : undefined;
}

function deepestMessage(error: Error | undefined): string {
  let deepest = error;
  while (deepest?.cause instanceof Error) deepest = deepest.cause;
  return deepest?.message.slice(0, LONGEST_REASON) ?? "";
}

/** From the outermost error to its deepest cause. */
function codesOf(error: unknown, redactor: Redactor): CodedFailure[] {
  if (isPaymentsError(error)) return [];
  const codes: CodedFailure[] = [];
  let current = error;
  for (let depth = 0; depth < 5 && typeof current === "object" && current !== null; depth += 1) {
    const fields = readErrorFields(current);
    const code = typeof fields.code === "string" ? redactor.text(fields.code) : "";
    if (CODE.test(code)) codes.push({ code, fields });
    current = fields.cause;
  }
  return codes;
}

/** What failed. Node tries each address of a name and reports the failures of all of them together. */
function syscallOf({ syscall, errors }: ErrorFields): unknown {
  if (!Array.isArray(errors) || errors.length === 0) return syscall;
  const all = new Set(errors.map((error) => readErrorFields(Object(error)).syscall));
  return all.size === 1 ? [...all][0] : undefined;
}
