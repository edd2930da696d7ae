import { knownOptions } from "../errors/check-options.ts";
import { ConfigurationError } from "../errors/configuration-error.ts";
import { openConnection } from "../http/connection.ts";
import { readPublicKey, readSecretKey } from "../http/keys.ts";
import { accountOf } from "../resources/account.ts";
import { CardTokensResource } from "../resources/card-tokens.ts";
import { CompanyResource } from "../resources/company.ts";
import { SellersResource } from "../resources/sellers.ts";
import { StatusResource } from "../resources/status.ts";
import { TransactionsResource } from "../resources/transactions/transactions.ts";
import { CLIENT_OPTION_NAMES, type PaymentsClientOptions, withEnvironment } from "./client-options.ts";
import { readPostbackSettings } from "./postback-settings.ts";
import { readIdempotency } from "./read-idempotency.ts";
import { serverCarrier } from "./server-platform.ts";

/**
 * The payment service, from a server.
 *
 * ```ts
 * const payments = new PaymentsClient({ baseUrl, secretKey: "sk_...", publicKey: "pk_..." });
 * const transaction = await payments.transactions.createPix({ amount: 1990, customer });
 * ```
 *
 * A create is put on the wire once and never repeated; reads and tokenization are tried again up to
 * `maxRetries` times. Missing keys are told at the first call that needs them, so that an application can
 * be built without its secrets.
 */
export class PaymentsClient {
  /** Take money: pix and credit card. */
  readonly transactions: TransactionsResource;
  /** Turn card data into a token. On a server this widens your PCI scope. */
  readonly cardTokens: CardTokensResource;
  /** The calling company's configuration. */
  readonly company: CompanyResource;
  /** The service's own health. */
  readonly status: StatusResource;
  /** Sellers and what they earned. */
  readonly sellers: SellersResource;

  /** @throws {ConfigurationError} on an option that cannot work, such as swapped keys. */
  constructor(options: PaymentsClientOptions = {}) {
    const settings = withEnvironment(knownOptions(options, CLIENT_OPTION_NAMES));
    const secretKey = readSecretKey(settings.secretKey);
    if (secretKey !== undefined && settings.dangerouslyAllowBrowser !== true) refuseBrowser();
    const connection = openConnection(settings, serverCarrier);
    const account = accountOf(connection, secretKey, readPublicKey(settings.publicKey));
    const store = readIdempotency(settings.idempotency);
    this.transactions = new TransactionsResource({
      account,
      postbacks: readPostbackSettings(settings),
      store,
    });
    this.cardTokens = new CardTokensResource(account);
    this.company = new CompanyResource(account);
    this.status = new StatusResource(account);
    this.sellers = new SellersResource(account, settings);
  }
}

function refuseBrowser(): void {
  if (!("window" in globalThis && "document" in globalThis)) return;
  throw new ConfigurationError(
    "A secret key in a browser can be read by everybody and gives full access to the account. Use CardTokenizer " +
      "with the public key here and PaymentsClient on a server, or say dangerouslyAllowBrowser.",
  );
}
