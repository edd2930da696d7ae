// From the root of msw, which has these exports in version 2 and 3. `msw/http` is new in version 3.
import { type HttpHandler, HttpResponse, http } from "msw";
import { endpoints } from "../spec/endpoints.ts";
import { createGateway, type Gateway } from "./gateway.ts";
import { isForBrowsers, toServedPath } from "./service-endpoints.ts";

/**
 * Creates handlers for msw's `setupServer` and `setupWorker`, one for each endpoint, so that `server.use()` can
 * override each of them, and one for the preflight of a tokenization.
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

  return Object.values(endpoints).flatMap((endpoint) => {
    const url = `${gateway.baseUrl}${toServedPath(endpoint.path, gateway.sellersPath)}`;
    const handle = endpoint.method === "POST" ? http.post : http.get;
    // happy-dom sends a preflight like any other request.
    return [handle(url, respond), ...(isForBrowsers(endpoint) ? [http.options(url, respond)] : [])];
  });
}
