/**
 * Whether a request comes from a page of another site. Such a page, open in a developer's browser, must not
 * change anything here. A request of `curl` or of code has no `Origin`.
 *
 * @param baseUrl where the sandbox is reached, also through a proxy that sends another `Host`.
 */
export function isFromAnotherSite({ headers }: Request, baseUrl: string): boolean {
  const origin = headers.get("origin");
  if (origin === null || origin === new URL(baseUrl).origin) return false;
  return !URL.canParse(origin) || new URL(origin).host !== headers.get("host");
}
