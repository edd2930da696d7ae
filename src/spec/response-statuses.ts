/**
 * What a status means if the specification is silent: it shows 200, 201, 400, 401 and 429 only. See `other-statuses` in
 * docs/specification.md.
 *
 * Spec: "Errors".
 */

/** Statuses that prove a request had no effect. After any other status outside 2xx, it may have had one. */
export const REJECTED_STATUSES: ReadonlySet<number> = new Set([
  301, 307, 308, 400, 401, 403, 404, 405, 411, 413, 415, 422, 429,
]);

/** Redirects to another URL. A browser reports them as status 0. */
export const REDIRECT_STATUSES: ReadonlySet<number> = new Set([0, 301, 302, 303, 307, 308]);

/** Whether a call that charges nothing is retried after this status. */
export function isRetriableStatus(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}
