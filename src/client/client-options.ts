import { CONNECTION_OPTION_NAMES, type ConnectionOptions } from "../http/connection.ts";
import type { IdempotencyStore } from "../idempotency/contract.ts";
import type { SignsPostbackUrls } from "../postbacks/signer-contract.ts";

/** Options of a `PaymentsClient`. */
export interface PaymentsClientOptions extends ConnectionOptions {
  /**
   * Starts with `sk_`. Default: `PAYMENTS_SECRET_KEY`. Belongs on a server: where `window` and `document`
   * exist it is refused, unless {@link PaymentsClientOptions.dangerouslyAllowBrowser}.
   */
  secretKey?: string | undefined;
  /** Starts with `pk_`. Default: `PAYMENTS_PUBLIC_KEY`. */
  publicKey?: string | undefined;
  /** Where status changes are posted to, for creates that do not say. Default: none. */
  postbackUrl?: string | undefined;
  /**
   * Signs the postback URL of every create, so that a postback can be told from a forged one: a
   * `PostbackUrlSigner` of `payments-sdk/postbacks`. A create with a postback URL then needs an `externalRef`.
   * Default: none.
   */
  postbackSigner?: SignsPostbackUrls | undefined;
  /**
   * Makes creation at-most-once per `externalRef`, across processes and crashes: a store of `payments-sdk/idempotency`.
   * Each create then needs an `externalRef`; one that is repeated gives the transaction that there is. Default: none.
   */
  idempotency?: IdempotencyStore | undefined;
  /** Path of the sellers under the base URL. Default `/sellers`: the specification does not show its prefix. */
  sellersPath?: string | undefined;
  /** How the sellers are authenticated. Default `basic`: the specification shows only a 401. */
  sellersAuth?: "basic" | "none" | undefined;
  /** Allows the secret key in a browser, where everybody can read it. Default `false`. */
  dangerouslyAllowBrowser?: boolean | undefined;
}

export const CLIENT_OPTION_NAMES = [
  ...CONNECTION_OPTION_NAMES,
  "secretKey",
  "publicKey",
  "postbackUrl",
  "postbackSigner",
  "idempotency",
  "sellersPath",
  "sellersAuth",
  "dangerouslyAllowBrowser",
] as const;

/** What the environment says where the options are silent. */
export const ENVIRONMENT = {
  baseUrl: "PAYMENTS_BASE_URL",
  secretKey: "PAYMENTS_SECRET_KEY",
  publicKey: "PAYMENTS_PUBLIC_KEY",
} as const;

/** The options with what the environment adds to them. */
export function withEnvironment(options: PaymentsClientOptions): PaymentsClientOptions {
  return {
    ...options,
    baseUrl: options.baseUrl || fromEnvironment(ENVIRONMENT.baseUrl),
    secretKey: options.secretKey || fromEnvironment(ENVIRONMENT.secretKey),
    publicKey: options.publicKey || fromEnvironment(ENVIRONMENT.publicKey),
  };
}

function fromEnvironment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  const env = process?.env ?? {};
  return Object.hasOwn(env, name) ? env[name] : undefined;
}
