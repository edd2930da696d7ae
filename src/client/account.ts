import type { Connection } from "../core/connection.ts";
import { ConfigurationError } from "../core/errors/configuration-error.ts";
import type { ErrorContext } from "../core/errors/outcome.ts";
import { outcomeOf } from "../core/outcome-of.ts";
import type { AuthScheme, Endpoint } from "../spec/endpoints.ts";

/** Who calls, and how the calls get there. Shared by the resources of one client. */
export interface Account {
  readonly connection: Connection;
  readonly secretKey: string | undefined;
  readonly publicKey: string | undefined;
}

/** What a call needs in order to be authenticated, and what must not come out of it. */
export interface Credentials {
  readonly authorization?: string;
  readonly secrets: readonly (string | undefined)[];
}

/**
 * Basic authentication: the secret key is the user name, the public key the password.
 *
 * Spec: "Authentication", rule 2.
 *
 * @throws {ConfigurationError} where a key is missing.
 */
export function credentialsFor(
  account: Account,
  endpoint: Endpoint,
  externalRef?: string,
  scheme: AuthScheme = endpoint.auth,
): Credentials {
  const { secretKey, publicKey } = account;
  if (scheme !== "basic") return { secrets: [secretKey, publicKey] };
  const context: ErrorContext = {
    outcome: outcomeOf(endpoint, "not_sent"),
    endpoint: endpoint.name,
    externalRef,
  };
  if (secretKey === undefined) {
    throw new ConfigurationError(
      "There is no secret key: give `secretKey`, or set PAYMENTS_SECRET_KEY.",
      context,
    );
  }
  if (publicKey === undefined) {
    throw new ConfigurationError(
      "There is no public key: give `publicKey`, or set PAYMENTS_PUBLIC_KEY.",
      context,
    );
  }
  const pair = btoa(`${secretKey}:${publicKey}`);
  return { authorization: `Basic ${pair}`, secrets: [secretKey, publicKey, pair] };
}
