/** A file of SQLite may be called anything; these are servers. */
const SERVER = /^[a-z]+:\/\//i;

/** What a store is called before people: without a user, a password, or a query. */
export function nameOfStore(location: string): string {
  const [protocol] = SERVER.exec(location) ?? [];
  if (protocol !== undefined) {
    return isReadable(location) ? addressOf(withoutUser(location)) : `${protocol}...`;
  }
  return tellsPassword(location) ? "The store" : location;
}

/** Whether it is certain where a password ends: with a slash in it, half of it would be taken for the host. */
export function isReadable(location: string): boolean {
  if (!SERVER.test(location)) return true;
  const rest = withoutUser(location);
  if (!URL.canParse(rest)) return false;
  const { pathname, search, hash } = new URL(rest);
  return !`${pathname}${search}${hash}`.includes("@");
}

/** PostgreSQL knows URLs with a user and no host: its query has the folder of a socket. */
function withoutUser(location: string): string {
  return location.replace(/^([a-z]+:\/\/)[^@/?#]*@/i, "$1");
}

/** Whether there may be a password in it: `user:password@host`, `?password=`, or `host=... password=...`. */
export function tellsPassword(location: string): boolean {
  const rest = location.replace(SERVER, "");
  return /:[^@]*@/.test(rest) || /(^|[?&\s])[^=&\s]*pass\w*\s*=/i.test(rest);
}

/** A URL without what may be a secret in it: a user, a password, a query. */
function addressOf(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`.replace(/\/+$/, "");
}
