import { ENVIRONMENT } from "../client/client-options.ts";
import { ConfigurationError } from "../errors/configuration-error.ts";
import type { CallScope } from "../http/call-scope.ts";
import type { Connection } from "../http/connection.ts";
import type { AuthScheme } from "../spec/endpoints.ts";

/** Who calls, and how the calls get there. Shared by the resources of one client. */
export interface Account {
  readonly connection: Connection;
  readonly secretKey: string | undefined;
  readonly publicKey: string | undefined;
  /** Both keys, as Basic authentication wants them; missing where one of them is. */
  readonly basic: string | undefined;
}

/** The secret key is the user name, the public key the password. Spec: "Authentication", rule 2. */
export function accountOf(
  connection: Connection,
  secretKey: string | undefined,
  publicKey: string | undefined,
): Account {
  const isComplete = secretKey !== undefined && publicKey !== undefined;
  return {
    connection,
    secretKey,
    publicKey,
    basic: isComplete ? btoa(`${secretKey}:${publicKey}`) : undefined,
  };
}

/** What a call needs in order to be authenticated, and what must not come out of it. */
export interface Credentials {
  readonly authorization: string | undefined;
  readonly secrets: readonly (string | undefined)[];
}

/**
 * What Basic authentication needs, or nothing where a call has none.
 *
 * @throws {ConfigurationError} where a key is missing.
 */
export function credentialsFor(
  account: Account,
  scope: CallScope,
  scheme: AuthScheme = scope.endpoint.auth,
): Credentials {
  const { secretKey, publicKey, basic } = account;
  if (scheme !== "basic") return { authorization: undefined, secrets: [secretKey, publicKey] };
  if (basic !== undefined) return { authorization: `Basic ${basic}`, secrets: [secretKey, publicKey, basic] };
  throw new ConfigurationError(whatIsMissing(account), scope.context("not_sent"));
}

/** All of it at once, so that an app is set up in one go. */
function whatIsMissing({ secretKey, publicKey, connection: { baseUrl } }: Account): string {
  const settings = [
    [secretKey, "secret key", "secretKey"],
    [publicKey, "public key", "publicKey"],
    [baseUrl, "base URL", "baseUrl"],
  ] as const;
  const missing = settings.filter(([value]) => value === undefined);
  const names = missing.map(([, name]) => name).join(", no ");
  const options = missing.map(([, , option]) => `\`${option}\``).join(", ");
  const variables = missing.map(([, , option]) => ENVIRONMENT[option]).join(", ");
  return `There is no ${names}: give ${options}, or set ${variables}.`;
}
