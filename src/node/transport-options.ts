import { assertConfig, knownOptions, NO_CALL } from "../errors/check-options.ts";
import { isTimeout, TIMEOUT_RULE } from "../http/request-options.ts";

/** Options of a transport for Node. */
export interface NodeTransportOptions {
  /** Connections to one host at a time; further calls wait for one. Default 256. */
  readonly maxSockets?: number | undefined;
  /**
   * Milliseconds that an unused connection is kept; less where the service announces less (`Keep-Alive: timeout`).
   * Default 4,000.
   */
  readonly idleTimeout?: number | undefined;
  /** Milliseconds that opening a connection may take, TLS and proxy included. Default 10,000. */
  readonly connectTimeout?: number | undefined;
}

/** The options, read and complete. */
export interface TransportRules {
  readonly maxSockets: number;
  readonly idleTimeout: number;
  readonly connectTimeout: number;
}

const NAMES = ["maxSockets", "idleTimeout", "connectTimeout"] as const;

/** @throws {ConfigurationError} */
export function readTransportOptions(options: NodeTransportOptions): TransportRules {
  const read = knownOptions(options, NAMES, NO_CALL);
  const { maxSockets = 256, idleTimeout = 4_000, connectTimeout = 10_000 } = read;
  assertConfig(
    Number.isSafeInteger(maxSockets) && maxSockets > 0,
    "maxSockets must be a whole number above zero.",
  );
  assertConfig(isTimeout(idleTimeout), `idleTimeout ${TIMEOUT_RULE}.`);
  assertConfig(isTimeout(connectTimeout), `connectTimeout ${TIMEOUT_RULE}.`);
  return { maxSockets, idleTimeout, connectTimeout };
}
