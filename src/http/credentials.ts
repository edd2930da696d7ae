import { ConfigurationError } from "../errors/usage-errors.ts";
import type { Call, Config } from "./call.ts";

/** The environment variables that are read if an option is missing. */
export const ENVIRONMENT_VARIABLES = {
  baseUrl: "PAYMENTS_BASE_URL",
  secretKey: "PAYMENTS_SECRET_KEY",
  publicKey: "PAYMENTS_PUBLIC_KEY",
} as const;

/** The service and the account of one client, shared by its resources. */
export interface Account {
  readonly config: Config;
  readonly secretKey: string | undefined;
  readonly publicKey: string | undefined;
  /** Both keys as Basic authentication needs them; `undefined` if one is missing. */
  readonly basic: string | undefined;
  /** What a call with this account must not show. */
  readonly secrets: readonly (string | undefined)[];
}

/** The secret key is the user name, the public key the password. Spec: "Authentication", rule 2. */
export function createAccount(
  config: Config,
  secretKey: string | undefined,
  publicKey: string | undefined,
): Account {
  const isComplete = secretKey !== undefined && publicKey !== undefined;
  const basic = isComplete ? btoa(`${secretKey}:${publicKey}`) : undefined;
  return { config, secretKey, publicKey, basic, secrets: [secretKey, publicKey, basic] };
}

/**
 * The Authorization header of a call; `undefined` if it has none.
 *
 * @throws {ConfigurationError} if a key is missing, or if nothing can send the request.
 */
export function authorize(call: Call, account: Account): string | undefined {
  const { basic } = account;
  if (typeof (account.config.fetch ?? globalThis.fetch) !== "function") {
    throw new ConfigurationError("The global fetch is missing: set `fetch`.", call.context("not_sent"));
  }
  if (call.endpoint.auth !== "basic") return undefined;
  if (basic === undefined) throw new ConfigurationError(describeMissing(account), call.context("not_sent"));
  return `Basic ${basic}`;
}

/** Names all that is missing at once, so that an app is set up in one go. */
function describeMissing({ secretKey, publicKey, config: { baseUrl } }: Account): string {
  const settings = [
    [secretKey, "secret key", "secretKey"],
    [publicKey, "public key", "publicKey"],
    [baseUrl, "base URL", "baseUrl"],
  ] as const;
  const missing = settings.filter(([value]) => value === undefined);
  const names = missing.map(([, name]) => name).join(" and the ");
  const options = missing.map(([, , option]) => `\`${option}\``).join(", ");
  const variables = missing.map(([, , option]) => ENVIRONMENT_VARIABLES[option]).join(", ");
  return `The ${names} ${missing.length > 1 ? "are" : "is"} missing: set ${options}, or set ${variables}.`;
}
