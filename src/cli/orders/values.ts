import { InvalidArgumentError, Option } from "commander";
import type { OrderRecord } from "../../idempotency.ts";
import type { TransactionStatus } from "../../postbacks.ts";
import { parseDuration } from "../duration.ts";

export type KnownStatus = Exclude<TransactionStatus, "unrecognized">;

/** Objects, so that the compiler finds one that is missing. */
const STATES: Readonly<Record<OrderRecord["state"], true>> = {
  unresolved: true,
  claimed: true,
  created: true,
  free: true,
};
const STATUSES: Readonly<Record<KnownStatus, true>> = {
  pending: true,
  processing: true,
  approved: true,
  refused: true,
  cancelled: true,
  expired: true,
  refunded: true,
  chargedback: true,
};

export const stateOption = (meaning: string) =>
  new Option("--state <state>", meaning).choices(Object.keys(STATES));

export const statusOption = (meaning: string) =>
  new Option("--status <status>", meaning).choices(Object.keys(STATUSES));

/** @throws {InvalidArgumentError} */
export function readCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("It must be a whole number, 1 or more.");
  return Number(text);
}

/** @throws {InvalidArgumentError} */
export function readDuration(text: string): number {
  const ms = parseDuration(text);
  if (ms === undefined) throw new InvalidArgumentError("It must be a number and s, m, h or d, such as 15m.");
  return ms;
}

/** Kept as a text: an id may be beyond 2^53 - 1. */
export function readTransactionId(text: string): string {
  if (!/^[1-9]\d{0,39}$/.test(text)) throw new InvalidArgumentError("It must be the id, a whole number.");
  return text;
}
