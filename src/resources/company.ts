import type { RequestOptions } from "../http/request-options.ts";
import type { PaymentsPromise } from "../http/result.ts";
import { endpoints } from "../spec/endpoints.ts";
import type { Account } from "./account.ts";
import type { Company } from "./company-shape.ts";
import { fetchResource } from "./fetch-resource.ts";
import { readCompany } from "./read-company.ts";

const retrieve = { endpoint: endpoints.retrieveCompany, read: readCompany };

/** The calling company. */
export class CompanyResource {
  readonly #account: Account;

  /** @internal */
  constructor(account: Account) {
    this.#account = account;
  }

  /**
   * The calling company's configuration, with its limits in cents.
   *
   * Spec: "GET /api/v1/company".
   *
   * @throws {AuthenticationError} on 401.
   * @throws {UnexpectedResponseError} on an answer without a company.
   */
  retrieve(options?: RequestOptions): PaymentsPromise<Company> {
    return fetchResource(this.#account, retrieve, options);
  }
}
