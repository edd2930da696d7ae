import type { Gateway } from "../gateway.ts";
import { failure, methodNotAllowed, notFound } from "../responses.ts";
import { basePathOf } from "../router.ts";
import { matchRoute, toErrorResponse } from "./route.ts";
import { createRoutes } from "./routes.ts";

/** Responds to requests for the control API; returns `undefined` for all others. */
export type Control = (request: Request) => Promise<Response | undefined>;

/**
 * Creates the control API: the functions of `Gateway` over HTTP, for `curl`, other languages and the pages. It is
 * served under `{baseUrl}/sandbox/`, in JSON, without authentication. It is not part of the service.
 */
export function createControl(gateway: Gateway): Control {
  const prefix = `${basePathOf(gateway.baseUrl)}/sandbox/`;
  const routes = createRoutes(gateway);

  return async (request) => {
    const url = new URL(request.url);
    if (!url.pathname.startsWith(prefix)) return undefined;
    if (isCrossOrigin(request, gateway.baseUrl)) return failure(403, "Not allowed from another site");

    const match = matchRoute(routes, request.method, url.pathname.slice(prefix.length));
    if ("allowed" in match) return match.allowed.length > 0 ? methodNotAllowed(match.allowed) : notFound();
    try {
      const { route, params } = match;
      return await route.handle({ request, params, query: url.searchParams });
    } catch (error) {
      return toErrorResponse(error);
    }
  };
}

/**
 * Whether a request was sent by a page of another origin, which must not change anything in the sandbox of a
 * developer who has that page open. Requests from `curl` or from code have no `Origin`.
 *
 * @param baseUrl URL of the sandbox, which can be a proxy that sends a different `Host`.
 */
function isCrossOrigin({ headers }: Request, baseUrl: string): boolean {
  const origin = headers.get("origin");
  if (origin === null || origin === new URL(baseUrl).origin) return false;
  return !URL.canParse(origin) || new URL(origin).host !== headers.get("host");
}
