import type { Gateway } from "../gateway.ts";
import { failure, methodNotAllowed, notFound } from "../responses.ts";
import { basePathOf } from "../router.ts";
import { matchRoute, type Route, toErrorResponse } from "./route.ts";
import { createRoutes } from "./routes.ts";

/** Responds to requests for the control API; returns `undefined` for all others. */
export type Control = (request: Request) => Promise<Response | undefined>;

/**
 * Creates the control API: the functions of `Gateway` over HTTP, for `curl`, other languages and the pages. It is
 * served under `{baseUrl}/sandbox/`, in JSON, without authentication. It is not part of the service.
 *
 * @param more routes of the server, which need more than a gateway.
 */
export function createControl(gateway: Gateway, more: readonly Route[] = []): Control {
  const prefix = `${basePathOf(gateway.baseUrl)}/sandbox/`;
  const routes = [...createRoutes(gateway), ...more];

  return async (request) => {
    const url = new URL(request.url);
    if (!url.pathname.startsWith(prefix)) return undefined;
    if (isCrossOrigin(request, gateway.baseUrl)) {
      return neverStored(failure(403, "Not allowed from another site"));
    }
    return neverStored(await respond(request, url.pathname.slice(prefix.length), url.searchParams));
  };

  async function respond(request: Request, path: string, query: URLSearchParams): Promise<Response> {
    const match = matchRoute(routes, request.method, path);
    if ("allowed" in match) return match.allowed.length > 0 ? methodNotAllowed(match.allowed) : notFound();
    try {
      const { route, params } = match;
      return await route.handle({ request, params, query });
    } catch (error) {
      return toErrorResponse(error);
    }
  }
}

/** The data changes all the time, and contains keys: no cache keeps it, and no browser runs it as a script. */
function neverStored(response: Response): Response {
  response.headers.set("cache-control", "no-store");
  response.headers.set("x-content-type-options", "nosniff");
  return response;
}

/**
 * Whether a request was sent by a page of another origin, which must not change anything in the sandbox of a
 * developer who has that page open, nor read it. Requests from `curl` or from code have neither header.
 * `Sec-Fetch-Site` is the only sign of a request that needs no CORS, such as that of a script element or of an
 * event stream.
 *
 * @param baseUrl URL of the sandbox, which can be a proxy that sends a different `Host`.
 */
function isCrossOrigin({ headers }: Request, baseUrl: string): boolean {
  const site = headers.get("sec-fetch-site") ?? "none";
  if (site !== "same-origin" && site !== "none") return true;
  const origin = headers.get("origin");
  if (origin === null || origin === new URL(baseUrl).origin) return false;
  return !URL.canParse(origin) || new URL(origin).host !== headers.get("host");
}
