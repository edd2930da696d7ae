/// <reference lib="esnext.disposable" preserve="true" />
import type { CloseOptions, CloseResult } from "../contracts/close.ts";
import type { IdempotencyStore } from "../contracts/idempotency-store.ts";
import type { SignsPostbackUrls } from "../contracts/postback-signer.ts";
import type { CreateDefaults } from "../contracts/transaction-params.ts";
import { hasMethods } from "../data/own-properties.ts";
import { Redactor } from "../data/redactor.ts";
import { ServerRedactor } from "../data/server-redactor.ts";
import { toWebUrl, WEB_URL_RULE } from "../data/web-url.ts";
import { knownOptions } from "../errors/check-options.ts";
import { sanitizeError } from "../errors/sanitize-error.ts";
import type { Platform, RequestOptions } from "../http/call.ts";
import { OpenCalls, readCloseTimeout } from "../http/closing.ts";
import {
  type Account,
  assertOption,
  CONNECTION_OPTION_NAMES,
  type ConnectionOptions,
  createAccount,
  ENVIRONMENT_VARIABLES,
  NOT_SENT,
  PUBLIC_KEY_REFUSED,
  readPublicKey,
  readSecretKey,
  toConfig,
} from "../http/config.ts";
import type { EventListener } from "../http/events.ts";
import { explainFailure } from "../http/explain-failure.ts";
import { type PaymentsPromise, toPaymentsPromise } from "../http/result.ts";
import { CardTokensResource } from "../resources/card-tokens.ts";
import { CompanyResource } from "../resources/company.ts";
import { type RequestParams, requestEndpoint } from "../resources/raw-request.ts";
import { SellersResource } from "../resources/sellers.ts";
import { StatusResource } from "../resources/service-status.ts";
import { TransactionsResource } from "../resources/transactions/create.ts";
import { readDefaults } from "../resources/transactions/create-request.ts";
import { type EndpointName, SELLERS_PATH } from "../spec/endpoints.ts";

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

/**
 * A client of the payment service, for servers.
 *
 * ```ts
 * const payments = new PaymentsClient({ baseUrl, secretKey: "sk_...", publicKey: "pk_..." });
 * const transaction = await payments.transactions.createPix(order);
 * ```
 *
 * A create call is sent once and never retried; reads and tokenization are retried up to `maxRetries` times.
 * A missing key is reported by the first call that needs it, so you can build an application without its secrets.
 *
 * @typeParam Defaults - The type of the option `defaults`; inferred.
 */
export class PaymentsClient<Defaults extends CreateDefaults = CreateDefaults> {
  /** Creates payments: pix and credit card. */
  readonly transactions: TransactionsResource<Defaults>;
  /** Converts card data to tokens. On a server, this extends your PCI DSS scope. */
  readonly cardTokens: CardTokensResource;
  /** The configuration of the calling company. */
  readonly company: CompanyResource;
  /** The service's own health. */
  readonly status: StatusResource;
  /** Sellers and their revenue. */
  readonly sellers: SellersResource;
  readonly #account: Account;
  readonly #sellersPath: string;
  readonly #calls = new OpenCalls();
  #closing: Promise<CloseResult> | undefined;

  /** @throws {ConfigurationError} on an option that cannot work, such as swapped keys. */
  constructor(options: PaymentsClientOptions<Defaults> = {}) {
    const settings = withEnvironment(knownOptions(options, CLIENT_OPTION_NAMES, NOT_SENT));
    const secretKey = readSecretKey(settings.secretKey);
    assertSettings(settings);
    const { onEvent, ...common } = toConfig(settings, serverPlatform);
    const config = { ...common, onEvent: onEvent && withFailureReport(onEvent), calls: this.#calls };
    const account = createAccount(config, secretKey, readPublicKey(settings.publicKey));
    const { postbackSigner: signer, idempotency: store } = settings;
    const postbackUrl = settings.postbackUrl || undefined;
    const defaults = readDefaults(settings.defaults);
    this.transactions = new TransactionsResource({ account, postbackUrl, defaults, signer, store });
    this.cardTokens = new CardTokensResource(account);
    this.company = new CompanyResource(account);
    this.status = new StatusResource(account);
    this.sellers = new SellersResource(account, settings.sellersPath, settings.sellersAuth);
    this.#account = account;
    this.#sellersPath = settings.sellersPath ?? SELLERS_PATH;
    const dispose = async () => void (await this.close());
    if (Symbol.asyncDispose) Object.defineProperty(this, Symbol.asyncDispose, { value: dispose });
  }

  /**
   * Calls an endpoint that the SDK does not know. The idempotency store is not used, so a second call may charge twice.
   *
   * By default, every request except GET and HEAD counts as one that may charge: it is sent once, and its errors have an
   * `outcome`, like those of a create call. With `charges: false`, it is retried like a read, and the outcome is
   * `not_applicable`.
   *
   * ```ts
   * const found = await payments.request({ method: "GET", path: "/api/v1/transactions/4021" });
   * await payments.request({ method: "POST", path: "/api/v1/refunds", body: { id: 4021 } });
   * ```
   *
   * Spec: none; "Endpoints" shows six, and these have methods of their own.
   *
   * @returns the JSON of the response, or its text, which is empty for HEAD and 204. Not validated. A whole number above
   *   2^53 - 1, which JavaScript would round, is a string.
   * @throws {InvalidRequestError} `not_sent`: the parameters are not valid; `issues` lists all problems.
   * @throws {PaymentsError} those of {@link TransactionsResource.create} for a response that is an error, without a usable
   *   body, or missing. A response is `created` only if an error shows a transaction.
   */
  request(params: RequestParams, options?: RequestOptions): PaymentsPromise<unknown> {
    return toPaymentsPromise(requestEndpoint(this.#account, this.#sellersPath, params, options));
  }

  /**
   * For the end of the process. From now on, calls fail with an `AbortedError`, a create call with the outcome `not_sent`.
   * Resolves when those in flight have ended and their outcome is recorded in the store. After `timeout`, they are aborted, so
   * that the outcome of those that were sent is recorded as unknown; 5 seconds later at the latest, it resolves anyway.
   *
   * It closes neither the store nor the connections of a custom `fetch`: close them afterwards. Repeated calls return the
   * result of the first.
   *
   * ```ts
   * process.once("SIGTERM", async () => {
   *   server.close(); // and wait for it, as docs/shutdown.md shows: a request in flight may still create a payment
   *   console.log("closed", await Promise.all([payments.close(), postbacks.close()]));
   *   store.close();
   *   process.exit();
   * });
   * ```
   *
   * @throws {ConfigurationError} on an invalid option.
   */
  async close(options?: CloseOptions): Promise<CloseResult> {
    const timeoutMs = readCloseTimeout(options);
    this.#closing ??= this.#calls.close(timeoutMs);
    return this.#closing;
  }

  /** The same, for `await using`. Missing in runtimes that do not know it. */
  declare readonly [Symbol.asyncDispose]: () => Promise<void>;
}

const serverPlatform: Platform = {
  // Loading ky also loads the platform's fetch, which is half of the start-up time. A create call does not need ky.
  sendWithRetries: async (call, request) =>
    (await import("../http/send-with-ky.ts")).sendWithKy(call, request),
  explainFailure,
  Redactor: ServerRedactor,
  describeUnauthorized({ auth, name }) {
    if (auth === "publicKey") return PUBLIC_KEY_REFUSED;
    if (auth === "basic") return KEYS_REFUSED;
    const option = KEYS_OPTIONS[name];
    return `${NO_KEYS_SENT}${option === undefined ? "" : `, or set \`${option}\` to "basic"`}.`;
  },
};

const KEYS_REFUSED =
  "The service refused the keys (401). The secret key (sk_) is the user name and the public key (pk_) the password of " +
  "Basic authentication: check that secretKey and publicKey are not mixed up and that both belong to the account at this base URL.";

const NO_KEYS_SENT = "This call sends no key, yet the response is 401: check the base URL";

/** The option with which a call that sends no key sends the keys. */
const KEYS_OPTIONS: { readonly [Name in EndpointName]?: string } = {
  "sellers.list": "sellersAuth",
  "sellers.revenue": "sellersAuth",
  request: "auth",
};

/** Checks the options that no other file reads. */
function assertSettings(settings: PaymentsClientOptions): void {
  const { secretKey, dangerouslyAllowBrowser, idempotency: store, postbackUrl, postbackSigner } = settings;
  const isInBrowser = "window" in globalThis && "document" in globalThis;
  assertOption(!isInBrowser || !secretKey || dangerouslyAllowBrowser === true, SECRET_KEY_IN_BROWSER);
  const isStore = hasMethods(store, ["claim", "renew", "recordOutcome"]);
  assertOption(store === undefined || isStore, "idempotency must be a store, such as sqliteStore(path).");
  const isSigner = postbackSigner === undefined || hasMethods(postbackSigner, ["sign"]);
  assertOption(isSigner, "postbackSigner must be a PostbackUrlSigner.");
  assertOption(!postbackUrl || toWebUrl(postbackUrl) !== undefined, `postbackUrl ${WEB_URL_RULE}.`);
}

const SECRET_KEY_IN_BROWSER =
  "A secret key in a browser can be read by anyone and gives full access to the account. Use CardTokenizer " +
  "with the public key here and PaymentsClient on a server, or set dangerouslyAllowBrowser.";

/** TypeScript does not check for unknown names in what it infers a type from. */
type OnlyKnown<Defaults> = { readonly [Name in Exclude<keyof Defaults, keyof CreateDefaults>]: never };

const CLIENT_OPTION_NAMES = [
  ...CONNECTION_OPTION_NAMES,
  ...["secretKey", "publicKey", "postbackUrl", "defaults", "postbackSigner"],
  ...["idempotency", "sellersPath", "sellersAuth", "dangerouslyAllowBrowser"],
];

/** The options, with environment variables for those that are missing. */
function withEnvironment(options: PaymentsClientOptions): PaymentsClientOptions {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  const settings = { ...options };
  for (const option of ["baseUrl", "secretKey", "publicKey"] as const) {
    const name = ENVIRONMENT_VARIABLES[option];
    const env = process?.env ?? {};
    settings[option] ||= Object.hasOwn(env, name) ? env[name] : undefined;
  }
  return settings;
}

/** Reports the first failure of a listener: a logger that throws for each error would otherwise not be noticed. */
function withFailureReport(listener: EventListener): EventListener {
  let isReported = false;
  return async (event) => {
    try {
      await listener(event);
    } catch (error) {
      if (isReported) return;
      isReported = true;
      // Without its message, which may contain what the listener had: a key, a card.
      const name = /^\w{1,50}$/.exec(String(sanitizeError(error, new Redactor([]))?.name)) ?? "an error";
      // biome-ignore lint/suspicious/noConsole: the listener is what reports everything else, and it failed
      console.error(
        `payments-sdk: onEvent threw ${name} for an event of type ${event.type}. Later failures are not reported.`,
      );
    }
  };
}
