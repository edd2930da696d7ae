import type { IdempotencyStore } from "../contracts/idempotency-store.ts";
import type { SignsPostbackUrls } from "../contracts/postback-signer.ts";
import type { CreateDefaults } from "../contracts/transaction-params.ts";
import { CONNECTION_OPTION_NAMES, type ConnectionOptions } from "../http/config.ts";
import { ENVIRONMENT_VARIABLES } from "../http/credentials.ts";

/**
 * Options of a `PaymentsClient`.
 *
 * @typeParam Defaults - The type of {@link PaymentsClientOptions.defaults}.
 */
export interface PaymentsClientOptions<Defaults extends CreateDefaults = CreateDefaults>
  extends ConnectionOptions {
  /**
   * Starts with `sk_`. Default: `PAYMENTS_SECRET_KEY`. For servers only: if `window` and `document` exist, the key is
   * refused, unless {@link PaymentsClientOptions.dangerouslyAllowBrowser} is set.
   */
  secretKey?: string | undefined;
  /** Starts with `pk_`. Default: `PAYMENTS_PUBLIC_KEY`. */
  publicKey?: string | undefined;
  /** The postback URL of create calls that do not set one. Default: none. */
  postbackUrl?: string | undefined;
  /**
   * What every create call repeats: `metadata`, `traceable`, and `pix` for a pix. A call that has a field itself does not
   * use its default. TypeScript then does not require it in `createCard`; it does not see that the whole option may be
   * missing or `undefined`, and the call then fails before it is sent. Copied when the client is created. Default: none.
   *
   * ```ts
   * new PaymentsClient({ defaults: { metadata: {}, traceable: true } });
   * ```
   */
  defaults?: (Defaults & OnlyKnown<Defaults>) | undefined;
  /**
   * Signs the postback URL of every create call, so that a forged postback can be detected: a `PostbackUrlSigner` of
   * `payments-sdk/postbacks`. A create call with a postback URL then needs an `externalRef`. Default: none.
   */
  postbackSigner?: SignsPostbackUrls | undefined;
  /**
   * Creates at most one payment per `externalRef`, across processes and crashes: a store of `payments-sdk/idempotency`.
   * Each create call then needs an `externalRef`; a repeated call returns the existing transaction. Default: none.
   */
  idempotency?: IdempotencyStore | undefined;
  /** Path of the seller endpoints under the base URL. Default `/sellers`: the specification shows no prefix. */
  sellersPath?: string | undefined;
  /**
   * How calls to the seller endpoints are authenticated. Default `basic`. The specification contradicts itself:
   * "Authentication", rule 2, says Basic for all endpoints except status and tokenization; rule 6 says "not shown beyond
   * their 401 response". With `none`, these calls send no key.
   */
  sellersAuth?: "basic" | "none" | undefined;
  /** Allows the secret key in a browser, where anyone can read it. Default `false`. */
  dangerouslyAllowBrowser?: boolean | undefined;
}

/** TypeScript does not check for unknown names in what it infers a type from. */
type OnlyKnown<Defaults> = { readonly [Name in Exclude<keyof Defaults, keyof CreateDefaults>]: never };

export const CLIENT_OPTION_NAMES = [
  ...CONNECTION_OPTION_NAMES,
  "secretKey",
  "publicKey",
  "postbackUrl",
  "defaults",
  "postbackSigner",
  "idempotency",
  "sellersPath",
  "sellersAuth",
  "dangerouslyAllowBrowser",
] as const;

/** The options, with environment variables for those that are missing. */
export function withEnvironment(options: PaymentsClientOptions): PaymentsClientOptions {
  return {
    ...options,
    baseUrl: options.baseUrl || readVariable(ENVIRONMENT_VARIABLES.baseUrl),
    secretKey: options.secretKey || readVariable(ENVIRONMENT_VARIABLES.secretKey),
    publicKey: options.publicKey || readVariable(ENVIRONMENT_VARIABLES.publicKey),
  };
}

function readVariable(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  const env = process?.env ?? {};
  return Object.hasOwn(env, name) ? env[name] : undefined;
}
