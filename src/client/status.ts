import type { Deviate, Reading } from "../core/call.ts";
import type { CallScope } from "../core/call-scope.ts";
import { ConfigurationError } from "../core/errors/configuration-error.ts";
import { EnvironmentMismatchError } from "../core/errors/environment-mismatch-error.ts";
import type { PaymentsPromise } from "../core/payments-promise.ts";
import { readServiceStatus } from "../core/read-service-status.ts";
import type { RequestOptions } from "../core/request-options.ts";
import type { ServiceStatus } from "../schemas/service-status.ts";
import { endpoints } from "../spec/endpoints.ts";
import { ENVIRONMENTS } from "../spec/values.ts";
import type { Account } from "./account.ts";
import { fetchResource } from "./fetch-resource.ts";

const endpoint = endpoints.retrieveStatus;
const retrieve = { endpoint, read: readServiceStatus };

/** The service's own health. */
export class StatusResource {
  readonly #account: Account;

  /** @internal */
  constructor(account: Account) {
    this.#account = account;
  }

  /**
   * The service's health, asked without a key. At most 60 times a minute and 300 times an hour per IP.
   *
   * Spec: "GET /api/v1/status"; "Limits".
   *
   * @throws {RateLimitError} on 429.
   */
  retrieve(options?: RequestOptions): PaymentsPromise<ServiceStatus> {
    return fetchResource(this.#account, retrieve, options);
  }

  /**
   * Makes sure which environment answers, before anything is charged there: for scripts and test suites.
   *
   * Spec: "Versioning", rule 3.
   *
   * @throws {EnvironmentMismatchError} where it is another one, or does not say.
   */
  assertEnvironment(expected: "production" | "sandbox", options?: RequestOptions): PaymentsPromise<void> {
    const read = (body: unknown, deviate: Deviate, scope: CallScope): Reading<void> => {
      const reading = readServiceStatus(body, deviate);
      if (!reading.ok) return reading;
      const { environment } = reading.data;
      if (environment !== expected) {
        throw new EnvironmentMismatchError(expected, environment, scope.context("unknown"));
      }
      return { ok: true, data: undefined };
    };
    return fetchResource(
      this.#account,
      { endpoint, read, check: (scope) => checkEnvironment(expected, scope) },
      options,
    );
  }
}

function checkEnvironment(expected: unknown, scope: CallScope): void {
  if (ENVIRONMENTS.some((name) => name === expected)) return;
  throw new ConfigurationError(
    `The environment must be one of ${ENVIRONMENTS.join(", ")}.`,
    scope.context("not_sent"),
  );
}
