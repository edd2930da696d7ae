import { ConfigurationError } from "../errors/configuration-error.ts";
import { EnvironmentMismatchError } from "../errors/environment-mismatch-error.ts";
import type { Deviate, Reading } from "../http/call.ts";
import type { CallScope } from "../http/call-scope.ts";
import type { RequestOptions } from "../http/request-options.ts";
import type { PaymentsPromise } from "../http/result.ts";
import { endpoints } from "../spec/endpoints.ts";
import { ENVIRONMENTS } from "../spec/values.ts";
import type { Account } from "./account.ts";
import { fetchResource } from "./fetch-resource.ts";
import { readServiceStatus } from "./read-status.ts";
import type { ServiceStatus } from "./status-shape.ts";

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
