import { STATUS_RATE_LIMIT } from "../spec/limits.ts";
import { COMPONENTS } from "../spec/values.ts";
import { type Clock, toTimestamp } from "./clock.ts";
import type { GatewaySettings } from "./gateway-options.ts";
import type { Random } from "./random.ts";

/** The specification has no overall `offline`, so the service is `degraded` as soon as a component is not online. */
export function serviceStatus(
  { environment, services }: Pick<GatewaySettings, "environment" | "services">,
  clock: Clock,
  random: Random,
) {
  return {
    status: Object.values(services).every((health) => health === "online") ? "online" : "degraded",
    timestamp: toTimestamp(clock.now()),
    version: "v1", // of the paths. Spec: "Versioning", rule 2, which shows no value
    environment,
    services,
    latency: Object.fromEntries(COMPONENTS.map((component) => [component, random.integer(2, 60)])),
  };
}

const HOUR_MS = 3_600_000;

const WINDOWS = [
  { milliseconds: 60_000, requests: STATUS_RATE_LIMIT.perMinute },
  { milliseconds: HOUR_MS, requests: STATUS_RATE_LIMIT.perHour },
];

/**
 * Counts the requests of each IP address in sliding windows. A refused request is not counted, so that waiting
 * for `Retry-After` is enough.
 */
export function createStatusRateLimit(clock: Clock) {
  const allowed = new Map<string, readonly number[]>();

  return {
    /** If the request is allowed, counts it and returns 0; otherwise returns the whole seconds until the next one is. */
    secondsToWait(ip: string): number {
      const now = clock.now();
      const times = (allowed.get(ip) ?? []).filter((time) => now - time < HOUR_MS);
      const wait = Math.max(...WINDOWS.map((window) => msToWait(times, window, now)));
      allowed.set(ip, wait > 0 ? times : [...times, now]);
      return Math.ceil(wait / 1000);
    },
  };
}

function msToWait(times: readonly number[], window: (typeof WINDOWS)[number], now: number): number {
  const oldest = times.at(-window.requests);
  return oldest === undefined ? 0 : Math.max(0, oldest + window.milliseconds - now);
}
