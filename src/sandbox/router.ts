import { type Endpoint, endpoints } from "../spec/endpoints.ts";

/** Where a request belongs. */
export type Route =
  | { readonly kind: "endpoint"; readonly endpoint: ServedEndpoint }
  | { readonly kind: "preflight" }
  | { readonly kind: "wrong_method"; readonly allowed: readonly string[] }
  | { readonly kind: "unknown_path" };

export type ServedEndpoint = (typeof endpoints)[keyof typeof endpoints];

const served: readonly ServedEndpoint[] = Object.values(endpoints);

/** What stands before every path of a base URL, such as `/pay`; empty for none. */
export function basePathOf(baseUrl: string): string {
  return new URL(baseUrl).pathname.replace(/\/$/, "");
}

/** @param basePath what stands before every path, such as `/pay`; empty for none. */
export function routeOf(request: Request, basePath: string): Route {
  const { pathname } = new URL(request.url);
  const candidates = served.filter(({ path }) => pathname === `${basePath}${path}`);
  const endpoint = candidates.find(({ method }) => method === request.method);

  if (endpoint) return { kind: "endpoint", endpoint };
  if (candidates.length === 0) return { kind: "unknown_path" };
  if (request.method === "OPTIONS" && candidates.some(isForBrowsers)) return { kind: "preflight" };
  return { kind: "wrong_method", allowed: candidates.map(({ method }) => method) };
}

/** Tokenization is called from the buyer's browser; everything else needs the secret key or is open. */
function isForBrowsers({ auth }: Endpoint): boolean {
  return auth === "publicKey";
}

const CORS_HEADERS = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "POST",
  "access-control-allow-headers": "content-type",
} as const;

/** The answer to a browser that asks first. The specification does not speak of CORS. */
export function preflight(): Response {
  return new Response(null, { status: 204, headers: CORS_HEADERS });
}

/** Lets a page of any origin read what its tokenization came to, errors included. */
export function withCors(endpoint: Endpoint, response: Response): Response {
  if (isForBrowsers(endpoint)) {
    for (const [name, value] of Object.entries(CORS_HEADERS)) response.headers.set(name, value);
  }
  return response;
}
