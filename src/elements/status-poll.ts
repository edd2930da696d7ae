// How `<payment-pix>` asks for the status of its payment. An event stream would take one of the six connections that a
// browser opens to a host, in all tabs together.

import { isRecord } from "../data/own-properties.ts";
import { withTimeout } from "../http/timers.ts";
import { TRANSACTION_STATUSES, type TransactionStatus } from "../spec/transaction-status.ts";

/** Milliseconds until the response must be there. */
const RESPONSE_MS = 10_000;

/** The longest pause after failures, in milliseconds. */
const LONGEST_PAUSE_MS = 60_000;

/** The shortest pause when the page is shown again, in milliseconds. */
const SHORTEST_PAUSE_MS = 1_000;

/** Milliseconds until the next request. Each failure in a row doubles them. */
export function pauseAfter(requests: number, failures: number): number {
  const laterMs = requests < 156 ? 5_000 : 15_000; // 8 minutes, then for as long as it takes
  return Math.min((requests < 60 ? 2_000 : laterMs) * 2 ** failures, LONGEST_PAUSE_MS);
}

/**
 * Waits until the next request is due. While the page is hidden, none is: then it waits until the page is shown.
 *
 * @returns whether the page was hidden.
 */
export function waitUntilDue(ms: number, signal: AbortSignal): Promise<boolean> {
  const ended = new AbortController();
  const begin = performance.now();
  return new Promise<boolean>((resolve) => {
    let timer: ReturnType<typeof setTimeout>;
    const wait = (pause: number, wasHidden: boolean) => {
      clearTimeout(timer);
      timer = setTimeout(() => document.hidden || resolve(wasHidden), pause);
    };
    wait(ms, false);
    ended.signal.addEventListener("abort", () => clearTimeout(timer));
    const onChange = () => document.hidden || wait(begin + SHORTEST_PAUSE_MS - performance.now(), true);
    document.addEventListener("visibilitychange", onChange, ended);
    signal.addEventListener("abort", () => resolve(false), ended);
    if (signal.aborted) resolve(false);
  }).finally(() => ended.abort());
}

export interface StatusResponse {
  /** `not_found`: the shop has no such order. `failed`: a later request may succeed. */
  readonly status: TransactionStatus | "not_found" | "failed";
  /** When the code expires, in ISO 8601; empty if it is not known. */
  readonly expiresAt: string;
  /** The clock of the shop, in milliseconds since 1970; `NaN` if it is not known. */
  readonly time: number;
}

/** Asks a status handler. Never rejects. */
export async function fetchStatus(url: string, signal: AbortSignal): Promise<StatusResponse> {
  try {
    return await withTimeout({ ms: RESPONSE_MS, signal }, async (limit) => {
      const response = await fetch(url, { credentials: "omit", cache: "no-store", signal: limit });
      const time = Date.parse(response.headers.get("date") ?? "");
      const body: unknown = response.ok && (await response.json());
      const { status, expiresAt } = isRecord(body) ? body : {};
      const known = TRANSACTION_STATUSES.find((name) => name === status);
      return {
        status: response.status === 404 ? "not_found" : (known ?? "failed"),
        expiresAt: typeof expiresAt === "string" ? expiresAt : "",
        time,
      };
    });
  } catch {
    return { status: "failed", expiresAt: "", time: Number.NaN };
  }
}
