import type { TransportFailure } from "./carrier.ts";
import { asItSays, factsOf } from "./failure-facts.ts";
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

/** What a rejected `fetch` tells, from the codes of its causes. */
export function explainFailure(error: unknown, redactor: Redactor): TransportFailure {
  const facts = factsOf(error, redactor);
  const { codes, cause } = facts;
  for (const { code, syscall } of codes) {
    if (CERTIFICATE.test(code)) {
      return { detail: `the certificate was not accepted (${code})`, provenUnsent: true, cause };
    }
    const known = Object.hasOwn(BEFORE_SENDING, code) ? BEFORE_SENDING[code] : undefined;
    if (known !== undefined && (!CONNECT_ONLY.has(code) || syscall === "connect")) {
      return { detail: `${known} (${code})`, provenUnsent: true, cause };
    }
  }
  // The platform refuses ports of other protocols by itself, and has no code for it.
  if (facts.deepestMessage === "bad port") {
    return { detail: "the port of `baseUrl` is one that fetch refuses", provenUnsent: true, cause };
  }
  return asItSays(facts);
}
