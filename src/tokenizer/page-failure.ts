import type { ConnectionFailure } from "../errors/connection-error.ts";
import { asItSays, factsOf } from "../http/failure-facts.ts";
import type { Carrier, TransportFailure } from "../http/platform.ts";

type PageFailure = Exclude<ConnectionFailure, "network">;

const DETAILS: Readonly<Record<PageFailure, string>> = {
  offline: "the browser is offline",
  content_security_policy:
    "the page's Content-Security-Policy forbids it; add the origin of `baseUrl` to its connect-src",
  cors:
    "something answers there, but not to this page (CORS): either the service does not allow the page's origin, or " +
    "what is in front of it answered in its place",
};

/** Milliseconds that a look for the reason takes at most: a buyer is waiting. */
const LONGEST_LOOK_MS = 2_000;

/**
 * What the failure of a `fetch` means in a page. A browser says "Failed to fetch" to everything, so it is asked
 * some more: whether it is online, and what becomes of a request to the same address that reads no answer. That
 * one holds neither card nor key, and is made only where no attempt is left.
 */
export const explainInPage: Carrier["explain"] = async (
  error,
  { url, redactor, foreignFetch, isHeard, signal, leftMs },
) => {
  const failure = asItSays(factsOf(error, redactor));
  // Neither a server nor a caller's own `fetch` is under a browser's rules.
  // Where a head could be read, nothing forbids it: the rest broke off.
  if (foreignFetch || isHeard || !isBrowser()) return failure;
  const reason = await reasonOf(url, signal, leftMs);
  return reason === undefined ? failure : withReason(failure, reason);
};

/** A page or a worker of one. Other runtimes have some of this, and none both. */
function isBrowser(): boolean {
  return "onLine" in (globalThis.navigator ?? {}) && typeof globalThis.addEventListener === "function";
}

function withReason(failure: TransportFailure, reason: PageFailure): TransportFailure {
  return { ...failure, reason, detail: DETAILS[reason] };
}

async function reasonOf(
  url: string,
  signal: AbortSignal | undefined,
  leftMs: number,
): Promise<PageFailure | undefined> {
  if (!navigator.onLine) return "offline";
  const violations = watchViolations(new URL(url).origin);
  try {
    await look(url, signal, Math.min(LONGEST_LOOK_MS, leftMs));
    return "cors";
  } catch {
    return (await violations.any()) ? "content_security_policy" : undefined;
  } finally {
    violations.stop();
  }
}

/** Resolves for any answer at all, and tells nothing of it. */
async function look(url: string, signal: AbortSignal | undefined, ms: number): Promise<void> {
  const controller = new AbortController();
  const stop = () => controller.abort();
  const timer = setTimeout(stop, ms);
  signal?.addEventListener("abort", stop);
  try {
    await fetch(url, {
      method: "HEAD",
      mode: "no-cors",
      credentials: "omit",
      cache: "no-store",
      signal: controller.signal,
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}

/** Milliseconds within which a browser reports what it has just forbidden. */
const REPORT_MS = 50;

/** Violations about one origin: others are forbidden other things meanwhile. */
function watchViolations(origin: string) {
  let seen = false;
  const watch = ({ disposition, effectiveDirective, blockedURI }: SecurityPolicyViolationEvent) => {
    const about = `${blockedURI}/`.startsWith(`${origin}/`);
    seen ||= about && disposition === "enforce" && effectiveDirective === "connect-src";
  };
  globalThis.addEventListener("securitypolicyviolation", watch);
  return {
    any: async () => {
      if (!seen) await new Promise((resolve) => setTimeout(resolve, REPORT_MS));
      return seen;
    },
    stop: () => globalThis.removeEventListener("securitypolicyviolation", watch),
  };
}
