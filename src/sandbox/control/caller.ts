/**
 * Why a request must not come to the control API, or `undefined` where it may: from `curl` or code, or from
 * a page of the sandbox itself. A page of another site that a developer has open must not move anything
 * here; nor one whose name was made to lead to this machine, which to the browser is its own site.
 *
 * @param baseUrl where the sandbox is reached, also through a proxy that hands on another `Host`.
 */
export function problemWithCaller(request: Request, baseUrl: string): string | undefined {
  const base = new URL(baseUrl);
  const host = request.headers.get("host") ?? base.host;
  if (!isKnownName(host, base)) return "Not by this name: only by an address, localhost or the base URL";

  const origin = request.headers.get("origin");
  if (origin === null || origin === base.origin) return undefined;
  const isOwn = URL.canParse(origin) && new URL(origin).host === host;
  return isOwn ? undefined : "Not from another site";
}

/** An address cannot be made to lead elsewhere, as a name can; nor can `localhost`. */
function isKnownName(host: string, base: URL): boolean {
  if (!URL.canParse(`http://${host}`)) return false;
  const { hostname } = new URL(`http://${host}`);
  const isAddress = /^(?:\d+\.){3}\d+$|^\[.*\]$/.test(hostname);
  return isAddress || /(?:^|\.)localhost$/.test(hostname) || hostname === base.hostname;
}
