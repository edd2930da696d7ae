export const DAY_IN_MS = 24 * 60 * 60_000;

/**
 * Milliseconds since 1970 of an ISO 8601 time; `NaN` if it is not one. JavaScript reads a time without a zone as local: it
 * is UTC.
 */
export function toTime(date: string): number {
  return Date.parse(/T[^Z+-]+$/i.test(date) ? `${date}Z` : date);
}
