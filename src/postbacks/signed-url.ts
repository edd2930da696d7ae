/** Name of the query parameter that holds the signature: short, and unlikely to be the merchant's own. */
const PARAMETER = "pbsig";

interface UrlParts {
  readonly path: string;
  readonly query: string | undefined;
  readonly fragment: string;
}

/** The parts as they stand: what a URL parser gives back is not always what was put in. */
function partsOf(url: string): UrlParts {
  const [, path = "", query, fragment = ""] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(url) ?? [];
  return { path, query, fragment };
}

function isSignature(pair: string): boolean {
  return new URLSearchParams(pair).has(PARAMETER);
}

/** The URL with a signature at the end of its query, in the place of one that it may have had. */
export function withSignature(url: string, signature: string): string {
  const { path, query = "", fragment } = partsOf(url);
  const own = query.split("&").filter((pair) => pair !== "" && !isSignature(pair));
  return `${path}?${[...own, `${PARAMETER}=${signature}`].join("&")}${fragment}`;
}

/** Every signature in the query of a URL, or of its path and query. */
export function signaturesIn(url: string): string[] {
  return new URLSearchParams(partsOf(url).query ?? "").getAll(PARAMETER);
}
