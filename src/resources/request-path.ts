import { endpoints } from "../spec/endpoints.ts";
import { REQUEST_PATH_MAX } from "../spec/limits.ts";

/**
 * Why a path cannot be requested; `undefined` if it can. It is judged as a proxy or the service may read it: decoded
 * more than once, in lower case, without parameters and empty segments.
 *
 * @param basePath - The path of the base URL, which can be the beginning of a known path.
 */
export function problemWithPath(path: unknown, basePath: string, sellersPath: string): string | undefined {
  if (typeof path !== "string" || !/^\/(?!\/)/.test(path))
    return "must start with one slash, such as /api/v1/refunds";
  if (path.length > REQUEST_PATH_MAX) return `must have at most ${REQUEST_PATH_MAX} characters`;
  if (!/^(?:[\w\-.~!$&'()*+,;=:@/]|%[\da-f]{2})+$/i.test(path))
    return "must have no query or fragment, and other characters must be percent-encoded";
  const decoded = decodeFully(path);
  if (decoded === undefined || /[\p{Cc}?#\\]/u.test(decoded))
    return "must not contain an encoded question mark, number sign, backslash or control character";
  const segments = toSegments(decoded);
  if (segments.some((segment) => segment === "." || segment === "..")) return "must not contain dot segments";
  const name = nameOfEndpoint(join(segments), normalize(basePath) + join(segments), sellersPath);
  return name && `is the path of ${name}: use that method`;
}

/** Decoded until nothing is encoded; `undefined` if it is not UTF-8. */
function decodeFully(path: string): string | undefined {
  let decoded = path;
  try {
    while (/%[\da-f]{2}/i.test(decoded)) decoded = decodeURIComponent(decoded);
    return decoded;
  } catch {
    return undefined;
  }
}

/** Servers that know path parameters read `/a;b=c` as `/a`, and `/..;/` as `/../`. */
function toSegments(decoded: string): string[] {
  const segments = decoded.toLowerCase().split("/");
  return segments.map((segment) => segment.replace(/;.*/s, "")).filter((segment) => segment !== "");
}

function join(segments: readonly string[]): string {
  return segments.map((segment) => `/${segment}`).join("");
}

function normalize(path: string): string {
  return join(toSegments(decodeFully(path) ?? path));
}

/** The endpoint of the specification that has this path, or whose path begins in that of the base URL; with any method. */
function nameOfEndpoint(path: string, wholePath: string, sellersPath: string): string | undefined {
  const { listSellers, retrieveSellerRevenue } = endpoints;
  const served = [
    ...Object.values(endpoints),
    { ...listSellers, path: sellersPath },
    { ...retrieveSellerRevenue, path: `${sellersPath}/revenue` },
  ];
  const found = served.find((endpoint) => {
    const known = normalize(endpoint.path);
    return known.endsWith(path) && wholePath.endsWith(known);
  });
  return found?.name;
}
