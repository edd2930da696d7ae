import type { ConnectionFailure } from "../errors/connection-errors.ts";
import type { Call, FailureReason, HttpRequest } from "../http/call.ts";
import { repeatFailure } from "../http/explain-failure.ts";
import type { RawResponse } from "../http/response.ts";
import { emitResponse, planRetry, prepareRequest, sendAttempt } from "../http/send.ts";
import { pause, TimeoutReached, withTimeoutSignal } from "../http/timers.ts";

/**
 * Sends a request from a page and retries it. The buyer is waiting, so the time limit applies to all attempts and
 * delays together. An attempt that may be retried gets half of the remaining time, so that an unresponsive connection
 * leaves time for another attempt.
 *
 * Without ky, which would use up more than half of the size limit for a page.
 */
export async function sendFromPage(call: Call, httpRequest: HttpRequest): Promise<RawResponse> {
  const request = prepareRequest(call, httpRequest);
  const { timeout, signal } = call.options;
  const endsAt = performance.now() + timeout;
  for (let attempt = 1; ; attempt += 1) {
    const startedAt = performance.now();
    const leftMs = endsAt - startedAt;
    const ms = attempt > call.config.maxRetries ? leftMs : leftMs / 2;
    let response: RawResponse | undefined;
    let failure: unknown;
    try {
      response = await withTimeoutSignal({ ms, signal }, (limit) =>
        sendAttempt(call, request, attempt, limit),
      );
      emitResponse(call, response, attempt, startedAt);
      if (response.isOk) return response;
    } catch (error) {
      failure = error;
    }
    const isImmediate = failure instanceof TimeoutReached; // the attempt took long enough
    const longestDelayMs = endsAt - performance.now();
    const delayMs = planRetry(call, { attempt, response, isImmediate, longestDelayMs });
    if (delayMs !== undefined) await pause(delayMs, signal);
    else if (response !== undefined) return response;
    else throw failure;
  }
}

type PageFailure = Exclude<ConnectionFailure, "network">;

const DETAILS: Readonly<Record<PageFailure, string>> = {
  offline: "the browser is offline",
  content_security_policy:
    "the page's Content-Security-Policy forbids it; add the origin of `baseUrl` to its connect-src",
  cors:
    "the page may not read the response (CORS): either the service does not allow the page's origin, or " +
    "a proxy in front of it responded instead",
};

/** Maximum duration of the probe, because the buyer is waiting. */
const MAX_PROBE_MS = 2_000;

/**
 * Explains a rejected `fetch` in a page. A browser reports every failure as "Failed to fetch", so this checks whether the
 * browser is online and then sends a `no-cors` request to the same address. That request contains neither card nor key,
 * and is sent only if no attempt is left.
 */
export async function explainFailureInPage(call: Call, error: unknown): Promise<FailureReason> {
  const failure = repeatFailure(error, call.redactor);
  const { config, endpoint, options, progress } = call;
  // A server and a custom `fetch` have no browser rules. If headers were received, no rule forbids the call: the
  // connection broke off later.
  if (config.fetch !== undefined || progress.headersReceived || !isBrowser()) return failure;
  const ms = Math.min(MAX_PROBE_MS, options.timeout - call.elapsedMs);
  const reason = await findReason(`${config.baseUrl}${endpoint.path}`, options.signal, ms);
  return reason === undefined ? failure : { ...failure, reason, detail: DETAILS[reason] };
}

/** Whether this is a page or one of its workers. No other runtime has both. */
function isBrowser(): boolean {
  return "onLine" in (globalThis.navigator ?? {}) && typeof globalThis.addEventListener === "function";
}

async function findReason(url: string, signal: AbortSignal | undefined, ms: number) {
  if (!navigator.onLine) return "offline";
  const violations = watchViolations(new URL(url).origin);
  try {
    // Resolves for any response, even one that the page may not read.
    await withTimeoutSignal({ ms, signal }, (limit) =>
      fetch(url, { method: "HEAD", mode: "no-cors", credentials: "omit", cache: "no-store", signal: limit }),
    );
    return "cors";
  } catch {
    return (await violations.hasAny()) ? "content_security_policy" : undefined;
  } finally {
    violations.stop();
  }
}

/** How long a browser may take to report a violation. */
const REPORT_MS = 50;

/** Watches for violations by requests to one origin: requests to other origins may be blocked at the same time. */
function watchViolations(origin: string) {
  let seen = false;
  const watch = ({ disposition, effectiveDirective, blockedURI }: SecurityPolicyViolationEvent) => {
    const isOrigin = `${blockedURI}/`.startsWith(`${origin}/`);
    seen ||= isOrigin && disposition === "enforce" && effectiveDirective === "connect-src";
  };
  globalThis.addEventListener("securitypolicyviolation", watch);
  return {
    hasAny: async () => {
      if (!seen) await new Promise((resolve) => setTimeout(resolve, REPORT_MS));
      return seen;
    },
    stop: () => globalThis.removeEventListener("securitypolicyviolation", watch),
  };
}
