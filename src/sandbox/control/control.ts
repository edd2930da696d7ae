import { json, methodNotAllowed, notFound } from "../answers.ts";
import type { Gateway } from "../gateway.ts";
import { basePathOf } from "../router.ts";
import { isFromAnotherSite } from "./caller.ts";
import { checkoutRoutes } from "./checkout-routes.ts";
import { failureOf } from "./control-errors.ts";
import { deliveryRoutes } from "./delivery-routes.ts";
import { eventStream } from "./event-stream.ts";
import { faultRoutes } from "./fault-routes.ts";
import { matchRoute, type Route } from "./route.ts";
import { serviceRoutes } from "./service-routes.ts";
import { transactionRoutes } from "./transaction-routes.ts";

/** Answers what is for the control API; `undefined` for all else. */
export type Control = (request: Request) => Promise<Response | undefined>;

/**
 * The control API: what `Gateway` offers to code, offered over HTTP to `curl`, to other languages and to the
 * pages. Under `{baseUrl}/sandbox/`, in JSON, without keys. It is no part of the service.
 */
export function createControl(gateway: Gateway): Control {
  const prefix = `${basePathOf(gateway.baseUrl)}/sandbox/`;
  const routes: readonly Route[] = [
    ...transactionRoutes(gateway),
    ...deliveryRoutes(gateway),
    ...faultRoutes(gateway),
    ...checkoutRoutes(gateway),
    ...serviceRoutes(gateway),
    { method: "GET", path: "events", answer: ({ request }) => eventStream(gateway, request.signal) },
  ];

  return async (request) => {
    const url = new URL(request.url);
    if (!url.pathname.startsWith(prefix)) return undefined;
    if (isFromAnotherSite(request, gateway.baseUrl)) {
      return json({ success: false, message: "Not from another site" }, 403);
    }

    const found = matchRoute(routes, request.method, url.pathname.slice(prefix.length));
    if ("allowed" in found) return found.allowed.length > 0 ? methodNotAllowed(found.allowed) : notFound();
    try {
      const { route, params } = found;
      return await route.answer({ request, params, query: url.searchParams });
    } catch (error) {
      return failureOf(error);
    }
  };
}
