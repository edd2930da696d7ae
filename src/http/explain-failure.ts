import type { Redactor } from "../data/redactor.ts";
import { asItSays, factsOf } from "./failure-facts.ts";
import type { TransportFailure } from "./platform.ts";

/** What codes of Node mean. They explain a failure and prove nothing: see {@link RequestProgress}. */
const MEANINGS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused",
  ENOTFOUND: "the host name was not found",
  EAI_AGAIN: "the host name could not be looked up",
  ERR_SSL_WRONG_VERSION_NUMBER:
    "the answer to the TLS handshake was not TLS, so `baseUrl` may have to be http",
  UND_ERR_CONNECT_TIMEOUT: "connecting took too long",
  UND_ERR_INVALID_ARG: "the request cannot be sent like this",
};

/** Codes that also occur in the middle of a connection, and then mean something else. */
const MEANINGS_OF_CONNECT: Readonly<Record<string, string>> = {
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
  ETIMEDOUT: "connecting took too long",
};

/** Codes of a certificate that was not accepted. */
const CERTIFICATE =
  /^(?:CERT_|ERR_TLS_CERT_|DEPTH_ZERO_SELF_SIGNED_CERT$|SELF_SIGNED_CERT_|UNABLE_TO_(?:GET_ISSUER|VERIFY_LEAF)|HOSTNAME_MISMATCH$)/;

/** Explains a rejected `fetch` by the codes of its causes. */
export function explainFailure(error: unknown, redactor: Redactor): TransportFailure {
  const facts = factsOf(error, redactor);
  const { codes, cause } = facts;
  for (const { code, syscall } of codes) {
    const meaning = meaningOf(code, syscall === "connect");
    if (meaning !== undefined) return { detail: `${meaning} (${code})`, cause };
  }
  // The platform refuses ports of other protocols by itself, and has no code for it.
  if (facts.deepestMessage === "bad port") {
    return { detail: "the port of `baseUrl` is one that fetch refuses", cause };
  }
  return asItSays(facts);
}

function meaningOf(code: string, isConnect: boolean): string | undefined {
  if (CERTIFICATE.test(code)) return "the certificate was not accepted";
  if (Object.hasOwn(MEANINGS, code)) return MEANINGS[code];
  return isConnect && Object.hasOwn(MEANINGS_OF_CONNECT, code) ? MEANINGS_OF_CONNECT[code] : undefined;
}
