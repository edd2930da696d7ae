import type { Redactor } from "../data/redactor.ts";
import { isLoopbackUrl } from "../data/web-url.ts";
import { isPaymentsError } from "../errors/is-payments-error.ts";
import { problemOf } from "../errors/payments-error.ts";
import { type ErrorFields, readErrorFields, sanitizeError } from "../errors/sanitize-error.ts";
import type { Call, FailureReason } from "./call.ts";

/** What the error codes of Node mean. They explain a failure. They prove nothing: see `RequestProgress`. */
const MEANINGS: readonly (readonly [codes: RegExp, meaning: string, syscall?: string])[] = [
  [
    /^(?:CERT_|ERR_TLS_CERT_|DEPTH_ZERO_SELF_SIGNED_CERT$|SELF_SIGNED_CERT_|UNABLE_TO_(?:GET_ISSUER|VERIFY_LEAF)|HOSTNAME_MISMATCH$)/,
    "the certificate was not accepted",
  ],
  // Of zlib, of its Brotli decoder, whose names begin with an underscore in Node, and of its Zstandard decoder.
  [/^(?:Z_|ZSTD_|ERR__ERROR_|ERR_BROTLI_)/, "the body of the response could not be decompressed"],
  [/^ECONNREFUSED$/, "the connection was refused"],
  [/^ENOTFOUND$/, "the host name was not found"],
  [/^EAI_AGAIN$/, "the host name could not be looked up"],
  [
    /^ERR_SSL_WRONG_VERSION_NUMBER$/,
    "the response to the TLS handshake was not TLS, so `baseUrl` may have to be http",
  ],
  [/^UND_ERR_CONNECT_TIMEOUT$/, "connecting took too long"],
  [/^UND_ERR_INVALID_ARG$/, "the request cannot be sent in this form"],
  // On an open connection these mean something else.
  [/^EHOSTUNREACH$/, "the host cannot be reached", "connect"],
  [/^ENETUNREACH$/, "the network cannot be reached", "connect"],
  [/^ETIMEDOUT$/, "connecting took too long", "connect"],
];

/** An error code. The codes of Zstandard have lower-case letters. */
const CODE = /^(?:[A-Z\d_]{2,60}|ZSTD_\w{2,55})$/;

/** On this machine, only a sandbox is expected. */
const START_SANDBOX = ". Is the sandbox running? Start it with `npx payments sandbox`";

/** A longer message is a report, not a reason. */
const LONGEST_REASON = 120;

/** Explains a rejected `fetch` from the codes of its causes. */
export function explainFailure({ redactor, config }: Call, error: unknown): FailureReason {
  const failure = describeFailure(error, redactor);
  for (const { code, syscall } of codesOf(error, redactor)) {
    const known = MEANINGS.find(([codes, , only = syscall]) => codes.test(code) && only === syscall);
    if (known === undefined) continue;
    const hint = code === "ECONNREFUSED" && isLoopbackUrl(config.baseUrl) ? START_SANDBOX : "";
    return { ...failure, detail: `${known[1]} (${code})${hint}` };
  }
  // The platform itself refuses ports of other protocols, without a code.
  const isBadPort = deepestMessage(failure.cause) === "bad port";
  return isBadPort ? { ...failure, detail: "fetch refuses the port of `baseUrl`" } : failure;
}

/** Describes a failure by its own code or message. */
export function describeFailure(error: unknown, redactor: Redactor): FailureReason {
  const cause = sanitizeError(error, redactor);
  const code = codesOf(error, redactor).at(-1)?.code;
  // The error of another call states what happened to its own charge, which would be misleading here.
  const message = isPaymentsError(error) ? redactor.text(problemOf(error)) : deepestMessage(cause);
  const summary = code === undefined ? "there was no response" : "it was closed";
  const detail = code ?? message;
  return { detail: detail === "" ? summary : `${summary} (${detail})`, cause };
}

function deepestMessage(error: Error | undefined): string {
  let deepest = error;
  while (deepest?.cause instanceof Error) deepest = deepest.cause;
  return deepest?.message.slice(0, LONGEST_REASON) ?? "";
}

/** The codes of an error and its causes, from the outermost to the deepest, and what failed. */
function codesOf(error: unknown, redactor: Redactor): { code: string; syscall: unknown }[] {
  const codes: { code: string; syscall: unknown }[] = [];
  let current = isPaymentsError(error) ? undefined : error;
  for (let depth = 0; depth < 5 && typeof current === "object" && current !== null; depth += 1) {
    const fields = readErrorFields(current);
    const code = typeof fields.code === "string" ? redactor.text(fields.code) : "";
    if (CODE.test(code)) codes.push({ code, syscall: syscallOf(fields) });
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
