/** A URL without what may be a secret in it: a user, a password, a query. */
export function addressOf(url: string): string {
  if (!URL.canParse(url)) return "not a URL";
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`.replace(/\/+$/, "");
}
