/**
 * How an answer is taken where the specification is silent: see `other-statuses` and `request-ids` in
 * {@link assumptions}.
 *
 * Spec: "Errors" shows 200, 201, 400, 401 and 429 only.
 */

/** Statuses that say a request was not acted upon. Any other outside 200 to 299 leaves a create unknown. */
export const REJECTED_STATUSES: ReadonlySet<number> = new Set([
  301, 307, 308, 400, 401, 403, 404, 405, 411, 413, 415, 422, 429,
]);

/** Redirects that name another address; a browser hides theirs behind 0. */
export const REDIRECT_STATUSES: ReadonlySet<number> = new Set([0, 301, 302, 303, 307, 308]);

/** Statuses after which a call that charges nothing is worth another try. */
export function isRetriableStatus(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

/** Headers in which gateways name a request, the likeliest first. */
export const REQUEST_ID_HEADERS = ["x-request-id", "request-id", "x-correlation-id", "cf-ray"] as const;
