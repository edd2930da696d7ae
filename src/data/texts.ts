/**
 * Why a value cannot be an `externalRef`; `undefined` if it can. Does not check the length.
 *
 * Databases do not store every text: Node 22 reads a text from SQLite only up to a NUL, and UTF-8 cannot encode a lone
 * surrogate. Two orders would then become one.
 */
export function referenceProblem(value: unknown): string | undefined {
  if (typeof value !== "string") return "must be a string";
  if (!value.isWellFormed()) return "must not contain half of a surrogate pair";
  return /\p{Cc}/u.test(value) ? "must not contain control characters" : undefined;
}

/**
 * What a URL parser removes or writes in another way: the URL that was checked would not be the one that is used.
 * \p{Cf} are invisible characters, such as the zero-width spaces that are copied with a text.
 */
const CHANGED_BY_PARSER = /[\s\\\p{Cc}\p{Cf}\p{Cs}]/u;

/** Without white space and invisible characters around it. Takes linear time. */
function trimUrl(text: string): string {
  return /[^\s\p{Cf}](?:.*[^\s\p{Cf}])?/su.exec(text)?.[0] ?? "";
}

/**
 * White space and invisible characters around the URL are ignored; inside, they are refused, as are control characters
 * and backslashes.
 *
 * `URL.canParse` is newer than some browsers that buyers use.
 */
export function parseUrl(value: unknown): URL | undefined {
  try {
    const text = typeof value === "string" ? trimUrl(value) : "";
    return CHANGED_BY_PARSER.test(text) ? undefined : new URL(text);
  } catch {
    return undefined;
  }
}

/** What {@link toWebUrl} requires. */
export const WEB_URL_RULE =
  "must be an absolute http or https URL without spaces, invisible characters or backslashes";

/**
 * An absolute URL of http or https, without the white space and invisible characters around it, and otherwise as it was
 * written; `undefined` if it is not one. For servers: `URL.canParse` is faster than {@link parseUrl}.
 */
export function toWebUrl(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const url = trimUrl(value);
  const isWebUrl = /^https?:\/\/[^/]/i.test(url) && !CHANGED_BY_PARSER.test(url) && URL.canParse(url);
  return isWebUrl ? url : undefined;
}

/** Whether the host of a URL is this machine, so that nothing is sent over the network. */
export function isLoopbackHost(hostname: string): boolean {
  return (
    hostname === "localhost" ||
    hostname.endsWith(".localhost") ||
    hostname === "[::1]" ||
    /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname)
  );
}

/** Whether a value is a URL whose host is this machine. */
export function isLoopbackUrl(value: unknown): boolean {
  const url = parseUrl(value);
  return url !== undefined && isLoopbackHost(url.hostname);
}
