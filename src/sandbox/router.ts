import { type Endpoint, endpoints, SELLERS_PATH } from "../spec/endpoints.ts";
import type { GatewaySettings } from "./gateway-options.ts";

/** Which endpoint, if any, handles a request. */
export type Route =
  | { readonly kind: "endpoint"; readonly endpoint: Endpoint }
  | { readonly kind: "preflight" }
  | { readonly kind: "wrong_method"; readonly allowed: readonly string[] }
  | { readonly kind: "unknown_path" };

type SellerSettings = Pick<GatewaySettings, "sellersPath" | "sellersAuth">;

/** Every endpoint as a gateway serves it. */
export function endpointsOf({ sellersPath, sellersAuth }: SellerSettings): readonly Endpoint[] {
  return Object.values(endpoints).map((endpoint) => ({
    ...endpoint,
    path: toServedPath(endpoint.path, sellersPath),
    auth: endpoint.path.startsWith(SELLERS_PATH) ? sellersAuth : endpoint.auth,
  }));
}

/** The path at which a gateway serves an endpoint. */
export function toServedPath(path: string, sellersPath: string): string {
  return path.startsWith(SELLERS_PATH) ? `${sellersPath}${path.slice(SELLERS_PATH.length)}` : path;
}

/** The path of a base URL, such as `/pay`; empty if it has none. */
export function basePathOf(baseUrl: string): string {
  return new URL(baseUrl).pathname.replace(/\/$/, "");
}

/** @param basePath see {@link basePathOf}. */
export function createRouter(basePath: string, sellers: SellerSettings): (request: Request) => Route {
  const served = endpointsOf(sellers);

  return (request) => {
    const { pathname } = new URL(request.url);
    const candidates = served.filter(({ path }) => pathname === `${basePath}${path}`);
    const endpoint = candidates.find(({ method }) => method === request.method);

    if (endpoint) return { kind: "endpoint", endpoint };
    if (candidates.length === 0) return { kind: "unknown_path" };
    if (request.method === "OPTIONS" && candidates.some(isForBrowsers)) return { kind: "preflight" };
    return { kind: "wrong_method", allowed: candidates.map(({ method }) => method) };
  };
}

/** Only tokenization is called from the customer's browser. */
function isForBrowsers({ auth }: Endpoint): boolean {
  return auth === "publicKey";
}

const CORS_HEADERS = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "POST",
  "access-control-allow-headers": "content-type",
} as const;

/** The response to a CORS preflight request. The specification does not mention CORS. */
export function preflight(): Response {
  return new Response(null, { status: 204, headers: CORS_HEADERS });
}

/** Lets a page of any origin read the response of a tokenization, errors included. */
export function withCors(endpoint: Endpoint, response: Response): Response {
  if (isForBrowsers(endpoint)) {
    for (const [name, value] of Object.entries(CORS_HEADERS)) response.headers.set(name, value);
  }
  return response;
}
