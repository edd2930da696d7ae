// From the root of msw, which has these exports in version 2 and 3. `msw/http` is new in version 3.
import { type HttpHandler, HttpResponse, http } from "msw";
import { endpoints } from "../spec/endpoints.ts";
import { createGateway, type Gateway } from "./gateway.ts";
import { isForBrowsers, toServedPath } from "./service-endpoints.ts";

/**
 * Creates handlers for msw's `setupServer` and `setupWorker`, one for each endpoint, so that `server.use()` can
 * override each of them.
 *
 * @param gatewayOrBaseUrl a gateway, to control its state and clock; or the base URL of a new gateway with the
 * keys `SANDBOX_SECRET_KEY` and `SANDBOX_PUBLIC_KEY`.
 */
export function handlers(gatewayOrBaseUrl: Gateway | string): HttpHandler[] {
  const gateway =
    typeof gatewayOrBaseUrl === "string" ? createGateway({ baseUrl: gatewayOrBaseUrl }) : gatewayOrBaseUrl;

  // A fault that breaks the connection rejects, which msw would convert to a 500.
  const respond = ({ request }: { readonly request: Request }) =>
    gateway.fetch(request).catch(() => HttpResponse.error());

  return Object.values(endpoints).map((endpoint) => {
    const forMethod = endpoint.method === "POST" ? http.post : http.get;
    const handle = isForBrowsers(endpoint) ? http.all : forMethod; // happy-dom sends the preflight like any request
    return handle(`${gateway.baseUrl}${toServedPath(endpoint.path, gateway.sellersPath)}`, respond);
  });
}
