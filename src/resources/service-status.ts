import { type Drift, describeType, readFields, toInteger, toText } from "../data/json.ts";
import { isRecord } from "../data/own-properties.ts";
import { EnvironmentMismatchError } from "../errors/usage-errors.ts";
import type { Call } from "../http/call.ts";
import type { Account } from "../http/config.ts";
import { attachRawBody, type PaymentsPromise, toPaymentsPromise } from "../http/result.ts";
import { endpoints } from "../spec/endpoints.ts";
import {
  type COMPONENT_STATUSES,
  COMPONENTS,
  ENVIRONMENTS,
  type OpenEnum,
  type SERVICE_STATUSES,
} from "../spec/values.ts";
import type { ReadOptions } from "./query.ts";
import { noResult, type Parsed, read } from "./read-resource.ts";

/**
 * A component of the service with its own health.
 *
 * Spec: "Service status".
 *
 * @useDeclaredType
 */
export type ServiceComponent = (typeof COMPONENTS)[number];

/**
 * The service's own health. Enumerations are open: the service may add values.
 *
 * Spec: "Service status".
 */
export interface ServiceStatus {
  /** Health of the whole service: `online` or `degraded`. */
  status?: OpenEnum<(typeof SERVICE_STATUSES)[number]>;
  /** ISO 8601 time of the check. */
  timestamp?: string;
  /** Current API version. */
  version?: string;
  /** Which environment responded: `production` or `sandbox`. */
  environment?: OpenEnum<(typeof ENVIRONMENTS)[number]>;
  /** Health of each component: `online`, `degraded` or `offline`. */
  services: Partial<Record<ServiceComponent, OpenEnum<(typeof COMPONENT_STATUSES)[number]>>>;
  /** Latency of each component, in milliseconds. */
  latency: Partial<Record<ServiceComponent, number>>;
  /** The body as the service sent it. Not enumerable. */
  readonly raw: unknown;
}

/** The service's own health. */
export class StatusResource {
  readonly #account: Account;

  /** @internal */
  constructor(account: Account) {
    this.#account = account;
  }

  /**
   * Retrieves the service's health, without a key. At most 60 times per minute and 300 times per hour per IP address.
   *
   * Spec: "GET /api/v1/status"; "Limits".
   *
   * @throws {RateLimitError} on 429.
   */
  retrieve(options?: ReadOptions): PaymentsPromise<ServiceStatus> {
    return toPaymentsPromise(read(this.#account, endpoints.retrieveStatus, options, parseStatus));
  }

  /**
   * Checks which environment responds before anything is charged: for scripts and test suites.
   *
   * Spec: "Versioning", rule 3.
   *
   * @throws {EnvironmentMismatchError} if it is a different environment, or if the response does not name it.
   */
  assertEnvironment(expected: "production" | "sandbox", options?: ReadOptions): PaymentsPromise<void> {
    const isKnown = ENVIRONMENTS.some((name) => name === expected);
    const problem = isKnown ? undefined : `The environment must be one of ${ENVIRONMENTS.join(", ")}.`;
    const parse = (body: unknown, drift: Drift[], call: Call): Parsed<void> => {
      const parsed = parseStatus(body, drift);
      if (!parsed.ok) return parsed;
      const { environment } = parsed.data;
      if (environment === expected) return { ok: true, data: undefined };
      throw new EnvironmentMismatchError(expected, environment, call.context("unknown"));
    };
    return toPaymentsPromise(read(this.#account, endpoints.retrieveStatus, options, parse, problem));
  }
}

/** A field of the same type for each component. */
const perComponent = <Type>(type: Type) =>
  Object.fromEntries(COMPONENTS.map((name) => [name, type])) as Record<ServiceComponent, Type>;

const FIELDS = {
  status: toText,
  timestamp: toText,
  version: toText,
  environment: toText,
  services: perComponent(toText),
  latency: perComponent(toInteger),
};

/** Every part of the report may be missing. Spec: "Service status". */
function parseStatus(body: unknown, drift: Drift[]): Parsed<ServiceStatus> {
  if (!isRecord(body)) return noResult("", `the body is ${describeType(body)}`);
  return { ok: true, data: attachRawBody(readFields(FIELDS, body, "", drift), body) };
}
