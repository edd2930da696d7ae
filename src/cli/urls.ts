import { Failure } from "./command-failure.ts";

/** Reads an absolute URL. @throws {Failure} naming the option or variable that it is from. */
export function readWebUrl(from: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && (url.username !== "" || url.password !== "")) {
    throw new Failure("invalid_url", `${from} must not contain a user or a password.`);
  }
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new Failure("invalid_url", `${from} must be an absolute http or https URL.`);
}

/** Without user, password, query and fragment, which may be secret: the signature of a postback is in its query. */
export function displayUrl({ origin, pathname }: URL): string {
  return `${origin}${pathname}`.replace(/\/$/, "");
}

/** Whether the host is this machine. In a URL, an IPv6 address has brackets. */
export function isLoopback(host: string): boolean {
  return /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|::1|\[::1\])$/i.test(host);
}
