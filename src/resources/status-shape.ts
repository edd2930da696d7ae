import * as z from "zod/mini";
import { Integer } from "../data/integer.ts";
import { COMPONENTS } from "../spec/values.ts";

/**
 * A part of the service that has a health of its own.
 *
 * Spec: "Service status".
 *
 * @useDeclaredType
 */
export type ServiceComponent = (typeof COMPONENTS)[number];

/**
 * The service's own health. Enumerations are open strings: the service may add values.
 *
 * Spec: "Service status".
 */
export interface ServiceStatus {
  /** `online` or `degraded`. */
  status?: string;
  /** ISO 8601 time of the check. */
  timestamp?: string;
  /** Current API version. */
  version?: string;
  /** `production` or `sandbox`. */
  environment?: string;
  /** `online`, `degraded` or `offline` each. */
  services: Partial<Record<ServiceComponent, string>>;
  /** Milliseconds each. */
  latency: Partial<Record<ServiceComponent, number>>;
  /** The body as the service sent it. Not enumerable. */
  readonly raw: unknown;
}

const text = z.string();

/** One field of the same kind for each component. */
function perComponent<Schema extends z.ZodMiniType>(schema: Schema): Record<ServiceComponent, Schema> {
  return Object.fromEntries(COMPONENTS.map((name) => [name, schema])) as Record<ServiceComponent, Schema>;
}

/** @internal */
export const serviceStatusShape = { status: text, timestamp: text, version: text, environment: text };
/** @internal */
export const servicesShape = perComponent(text);
/** @internal */
export const latencyShape = perComponent(Integer);
