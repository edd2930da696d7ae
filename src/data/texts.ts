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

/** `URL.canParse` is newer than some browsers that buyers use. */
export function parseUrl(value: unknown): URL | undefined {
  try {
    return typeof value === "string" ? new URL(value) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a value is an absolute URL of http or https. For servers: `URL.canParse` is faster than {@link parseUrl}. */
export function isWebUrl(value: unknown): value is string {
  return typeof value === "string" && /^https?:\/\//i.test(value) && URL.canParse(value);
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
