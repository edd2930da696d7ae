import { type Endpoint, endpoints, SELLERS_PATH, type ServiceEndpointName } from "../spec/endpoints.ts";
import { parseJson } from "./body-rules.ts";
import { createCardTokens, handleCreateCardToken } from "./cards/issued-tokens.ts";
import { createSellers } from "./sandbox-sellers.ts";
import { tooManyRequests } from "./service-responses.ts";
import { createStatusRateLimit, serviceStatus } from "./status-endpoint.ts";
import { type CreationContext, handleCreateTransaction } from "./transactions/create-transaction.ts";

/** An endpoint as a gateway serves it. */
export interface ServedEndpoint extends Endpoint {
  /** Responds to an authenticated request. @param ip address of the client. */
  readonly handle: (body: string, ip: string) => Response;
}

export function createEndpoints(context: Omit<CreationContext, "cardTokens">): readonly ServedEndpoint[] {
  const { baseUrl, sellersPath, sellersAuth, company, clock, random, transactions } = context;
  const cardTokens = createCardTokens(clock, random, context.publicKey);
  const sellers = createSellers(context.sellers, clock, () => transactions.list());
  const rateLimit = createStatusRateLimit(clock);

  const handlers: Readonly<Record<ServiceEndpointName, ServedEndpoint["handle"]>> = {
    "transactions.create": (body) => handleCreateTransaction(parseJson(body), { ...context, cardTokens }),
    "cardTokens.create": (body) => handleCreateCardToken(parseJson(body), cardTokens),
    "company.retrieve": () => Response.json({ success: true, data: company }),
    "status.retrieve": (_body, ip) => {
      const seconds = rateLimit.secondsToWait(ip);
      return seconds > 0 ? tooManyRequests(seconds) : Response.json(serviceStatus(context, clock, random));
    },
    "sellers.list": () => Response.json(sellers.list()),
    "sellers.revenue": () => Response.json(sellers.revenue()),
  };
  return Object.values(endpoints).map((endpoint) => ({
    ...endpoint,
    path: basePathOf(baseUrl) + toServedPath(endpoint.path, sellersPath),
    auth: endpoint.path.startsWith(SELLERS_PATH) ? sellersAuth : endpoint.auth,
    handle: handlers[endpoint.name],
  }));
}

/** The path at which a gateway serves an endpoint, below its base URL. */
export function toServedPath(path: string, sellersPath: string): string {
  return path.startsWith(SELLERS_PATH) ? `${sellersPath}${path.slice(SELLERS_PATH.length)}` : path;
}

/** The path of a base URL, such as `/pay`; empty if it has none. */
export function basePathOf(baseUrl: string): string {
  return new URL(baseUrl).pathname.replace(/\/$/, "");
}

/** Only tokenization is called from the customer's browser. */
export const isForBrowsers = ({ auth }: Endpoint): boolean => auth === "publicKey";

/** Lets a page of any origin read a response, errors included. The specification does not mention CORS. */
export function withCors(samePath: readonly Endpoint[], response: Response): Response {
  if (samePath.some(isForBrowsers)) {
    response.headers.set("access-control-allow-origin", "*");
    response.headers.set("access-control-allow-methods", "POST");
    response.headers.set("access-control-allow-headers", "content-type");
  }
  return response;
}
