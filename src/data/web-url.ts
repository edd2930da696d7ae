/**
 * A URL without the white space and invisible characters (\p{Cf}) around it, in linear time; `undefined` if it contains
 * what a parser removes or changes: the URL that is used would differ from the URL that was checked.
 */
function trimUrl(value: unknown): string | undefined {
  const url = typeof value === "string" ? (/[^\s\p{Cf}](?:.*[^\s\p{Cf}])?/su.exec(value)?.[0] ?? "") : "";
  return /[\s\\\p{Cc}\p{Cf}\p{Cs}]/u.test(url) ? undefined : url;
}

/** The URL in a text that {@link trimUrl} accepts. `URL.canParse` is newer than some browsers that buyers use. */
export function parseUrl(value: unknown): URL | undefined {
  try {
    return new URL(trimUrl(value) ?? "");
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
  const url = trimUrl(value) ?? "";
  return /^https?:\/\/[^/]/i.test(url) && URL.canParse(url) ? url : undefined;
}

/** Whether the host of a URL is this machine, so that nothing is sent over the network. */
export function isLoopbackHost(hostname: string): boolean {
  return /^(?:(?:.*\.)?localhost|\[::1\]|127(?:\.\d{1,3}){3})$/s.test(hostname);
}

/** Whether a value is a URL whose host is this machine. */
export function isLoopbackUrl(value: unknown): boolean {
  return isLoopbackHost(parseUrl(value)?.hostname ?? "");
}
