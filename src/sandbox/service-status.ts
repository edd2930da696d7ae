import { STATUS_RATE_LIMIT } from "../spec/limits.ts";
import { COMPONENTS, type ENVIRONMENTS } from "../spec/values.ts";
import { type Clock, timestamp } from "./clock.ts";
import type { Random } from "./random.ts";

/** Spec: "Versioning", rule 2. No value is shown; the version that the paths carry is the only one named. */
const VERSION = "v1";

export function serviceStatus(environment: (typeof ENVIRONMENTS)[number], clock: Clock, random: Random) {
  return {
    status: "online",
    timestamp: timestamp(clock.now()),
    version: VERSION,
    environment,
    services: Object.fromEntries(COMPONENTS.map((component) => [component, "online"])),
    latency: Object.fromEntries(COMPONENTS.map((component) => [component, random.integer(2, 60)])),
  };
}

const HOUR_MS = 3_600_000;

const WINDOWS = [
  { milliseconds: 60_000, requests: STATUS_RATE_LIMIT.perMinute },
  { milliseconds: HOUR_MS, requests: STATUS_RATE_LIMIT.perHour },
];

export interface StatusRateLimit {
  /** 0 for a request that may go on, and is counted; else whole seconds until the next may. */
  secondsToWait(ip: string): number;
}

/**
 * Counts the requests of each IP in sliding windows. A request that was refused is not counted, so that
 * waiting as long as the answer says is enough.
 */
export function createStatusRateLimit(clock: Clock): StatusRateLimit {
  const answered = new Map<string, readonly number[]>();

  return {
    secondsToWait(ip) {
      const now = clock.now();
      const times = (answered.get(ip) ?? []).filter((time) => now - time < HOUR_MS);
      const wait = Math.max(...WINDOWS.map((window) => waitFor(times, window, now)));
      answered.set(ip, wait > 0 ? times : [...times, now]);
      return Math.ceil(wait / 1000);
    },
  };
}

function waitFor(times: readonly number[], window: (typeof WINDOWS)[number], now: number): number {
  const oldestThatCounts = times.at(-window.requests);
  return oldestThatCounts === undefined ? 0 : Math.max(0, oldestThatCounts + window.milliseconds - now);
}
