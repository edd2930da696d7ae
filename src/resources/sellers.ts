import type { PaymentsClientOptions } from "../client/client-options.ts";
import { ConfigurationError } from "../errors/configuration-error.ts";
import type { Reading } from "../http/call.ts";
import { emitTo } from "../http/events.ts";
import type { RequestOptions } from "../http/request-options.ts";
import type { PaymentsPromise } from "../http/result.ts";
import { endpoints, SELLERS_PATH } from "../spec/endpoints.ts";
import { SELLERS_PER_PAGE } from "../spec/limits.ts";
import type { Account } from "./account.ts";
import { fetchResource, type Read } from "./fetch-resource.ts";
import { readSellerRevenues, readSellers } from "./read-sellers.ts";
import type { Seller, SellerRevenue } from "./seller-shape.ts";

/** Sellers and what they earned. */
export class SellersResource {
  readonly #account: Account;
  readonly #list: Read<Seller[]>;
  readonly #revenue: Read<SellerRevenue[]>;

  /** @internal */
  constructor(account: Account, options: Pick<PaymentsClientOptions, "sellersPath" | "sellersAuth">) {
    const path = readPath(options.sellersPath ?? SELLERS_PATH);
    const auth = options.sellersAuth ?? "basic";
    if (auth !== "basic" && auth !== "none")
      throw new ConfigurationError('sellersAuth must be "basic" or "none".');
    this.#account = account;
    this.#list = {
      endpoint: endpoints.listSellers,
      read: (body, deviate) => this.#watched(readSellers(body, deviate)),
      path,
      auth,
    };
    this.#revenue = {
      endpoint: endpoints.retrieveSellerRevenue,
      read: readSellerRevenues,
      path: `${path}/revenue`,
      auth,
    };
  }

  /**
   * The sellers, newest first. The service gives one page of at most 100 and has no way to ask for the
   * next: at exactly 100 a `warning` event says that there may be more.
   *
   * Spec: "GET /sellers".
   *
   * @throws {AuthenticationError} on 401.
   * @throws {NotFoundError} where they live elsewhere: see `sellersPath`.
   */
  list(options?: RequestOptions): PaymentsPromise<Seller[]> {
    return fetchResource(this.#account, this.#list, options);
  }

  /**
   * What each seller earned, in reais with decimals: `toCents` makes cents of it.
   *
   * Spec: "GET /sellers/revenue".
   *
   * @throws {AuthenticationError} on 401.
   * @throws {NotFoundError} where they live elsewhere: see `sellersPath`.
   */
  revenue(options?: RequestOptions): PaymentsPromise<SellerRevenue[]> {
    return fetchResource(this.#account, this.#revenue, options);
  }

  #watched(reading: Reading<Seller[]>): Reading<Seller[]> {
    if (reading.ok && reading.data.length === SELLERS_PER_PAGE) {
      emitTo(this.#account.connection.onEvent, {
        type: "warning",
        endpoint: endpoints.listSellers.name,
        field: "length",
        message: `is ${SELLERS_PER_PAGE}, the page's limit: there may be sellers that the service does not show`,
      });
    }
    return reading;
  }
}

function readPath(path: unknown): string {
  if (typeof path === "string" && /^\/[\w\-./~%]+$/.test(path)) return path.replace(/\/+$/, "");
  throw new ConfigurationError(
    "sellersPath must be a path that starts with a slash, such as /api/v1/sellers.",
  );
}
