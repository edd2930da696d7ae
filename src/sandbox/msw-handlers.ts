import { type HttpHandler, HttpResponse, http } from "msw/http";
import { endpoints } from "../spec/endpoints.ts";
import { createGateway, type Gateway } from "./gateway.ts";

/**
 * Handlers for msw's `setupServer` and `setupWorker`, one for each endpoint, so that `server.use()` can put
 * another in the place of any.
 *
 * @param gatewayOrBaseUrl a gateway, whose state and clock the caller then holds; or the base URL of a new
 * one with the keys `SANDBOX_SECRET_KEY` and `SANDBOX_PUBLIC_KEY`.
 */
export function handlers(gatewayOrBaseUrl: Gateway | string): HttpHandler[] {
  const gateway =
    typeof gatewayOrBaseUrl === "string" ? createGateway({ baseUrl: gatewayOrBaseUrl }) : gatewayOrBaseUrl;

  // A fault that breaks the connection rejects, and msw would make a 500 of that.
  const answer = ({ request }: { readonly request: Request }) =>
    gateway.fetch(request).catch(() => HttpResponse.error());

  return Object.values(endpoints).map(({ method, path }) => {
    const handle = method === "POST" ? http.post : http.get;
    return handle(`${gateway.baseUrl}${path}`, answer);
  });
}
