import type { ServiceEndpointName } from "../spec/endpoints.ts";
import { createCardTokens, handleCreateCardToken } from "./cards/card-tokens.ts";
import type { Clock } from "./clock.ts";
import type { FaultSupply } from "./faults/faults.ts";
import type { GatewaySettings } from "./gateway-options.ts";
import type { Random } from "./random.ts";
import { json, tooManyRequests } from "./responses.ts";
import { createSellers } from "./sellers.ts";
import { createStatusRateLimit, serviceStatus } from "./service-status.ts";
import { createQueue, handleCreateTransaction } from "./transactions/create-transaction.ts";
import type { Transactions } from "./transactions/transactions.ts";
import { parseJson } from "./validation.ts";

/** @param ip address of the client. */
type Handler = (body: string, ip: string) => Response | Promise<Response>;

export interface EndpointsContext extends GatewaySettings {
  readonly clock: Clock;
  readonly random: Random;
  readonly transactions: Transactions;
  readonly faults: Pick<FaultSupply, "takeRefusal">;
}

/** The handler of each endpoint, for authenticated requests. */
export function createEndpoints(context: EndpointsContext): Record<ServiceEndpointName, Handler> {
  const { company, clock, random, transactions } = context;
  const cardTokens = createCardTokens(clock, random, context.publicKey);
  const sellers = createSellers(context.sellers, clock, () => transactions.list());
  const rateLimit = createStatusRateLimit(clock);
  const creation = { ...context, cardTokens, queue: createQueue() };

  return {
    "transactions.create": (body) => handleCreateTransaction(parseJson(body), creation),
    "cardTokens.create": (body) => handleCreateCardToken(parseJson(body), cardTokens),
    "company.retrieve": () => json({ success: true, data: company }),
    "status.retrieve": (_body, ip) => {
      const seconds = rateLimit.secondsToWait(ip);
      return seconds > 0 ? tooManyRequests(seconds) : json(serviceStatus(context, clock, random));
    },
    "sellers.list": () => json(sellers.list()),
    "sellers.revenue": () => json(sellers.revenue()),
  };
}
