import { chance } from "../../test/system/support/chance.ts";
import type { DatabaseAddress } from "../crash/databases.ts";

/** Milliseconds that a create call waits for the service. Its lease ends 30 seconds after that. */
export const TIMEOUT_MS = 3_000;

/** In each minute of the run the service fails for some seconds. */
const FAULTS_FROM_MS = 30_000;
const FAULTS_UNTIL_MS = 45_000;

export function isInFaults(startedAt: number, now = Date.now()): boolean {
  const ofMinute = (now - startedAt) % 60_000;
  return ofMinute >= FAULTS_FROM_MS && ofMinute < FAULTS_UNTIL_MS;
}

/**
 * How an order goes on whose response was lost. `replaced`: the customer gets a new code, and no one pays the lost one.
 * Otherwise nobody replaces it: the service reports later that it was paid, or that it has expired.
 */
export function fateOf(externalRef: string): "replaced" | "paid" | "expired" {
  const share = chance(0, "fate", externalRef);
  if (share < 1 / 2) return "replaced";
  return share < 3 / 4 ? "paid" : "expired";
}

/** Where the shops reach the service. */
export interface ServiceAddress {
  readonly baseUrl: string;
  readonly secretKey: string;
  readonly publicKey: string;
}

/** The one argument of a shop, as JSON. */
export interface ShopSettings {
  /** Distinguishes the processes of a run. */
  readonly life: number;
  readonly transport: "fetch" | "nodeTransport";
  readonly database: DatabaseAddress;
  readonly retentionDays: number;
  readonly service: ServiceAddress;
  /** The file to which only this process appends. */
  readonly journal: string;
  /** Create calls per second. */
  readonly rate: number;
  /** Of the run, in milliseconds since 1970. */
  readonly startedAt: number;
  /** Orders that an earlier process left without a result: their customers press again. */
  readonly open: readonly string[];
}

/** What a shop can be asked to do. */
export type ShopTask = "start" | "figures" | "finish orders" | "finish postbacks";

/** What happened in a shop since it was last asked. */
export interface ShopFigures {
  /** Milliseconds of each create call that succeeded, without those in the service. */
  readonly create: readonly number[];
  /** The same while the service fails. */
  readonly createInFaults: readonly number[];
  /** Milliseconds of each delivery of a postback. */
  readonly postbacks: readonly number[];
  readonly orders: number;
  /** Orders whose call began late. */
  readonly late: number;
  /** Calls by outcome, and events of the handler by type. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Bytes in use after a garbage collection. */
  readonly heap: number;
  readonly rss: number;
  /** Open connections, files and requests, without timers. */
  readonly handles: number;
}

/** The one argument of the service, as JSON. */
export interface ServiceSettings {
  readonly journal: string;
  readonly rate: number;
  readonly startedAt: number;
}

/** What the service can be asked to do: begin, deliver postbacks to these shops, or settle everything. */
export type ServiceTask = "start" | "settle" | { readonly shops: readonly string[] };
