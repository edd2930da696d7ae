import type { EndpointName } from "../spec/endpoints.ts";
import { json, tooManyRequests } from "./answers.ts";
import { answerCreateCardToken } from "./card-token-endpoint.ts";
import { createCardTokens } from "./card-tokens.ts";
import type { Clock } from "./clock.ts";
import type { GatewaySettings } from "./gateway-options.ts";
import type { Random } from "./random.ts";
import { createSellers } from "./sellers.ts";
import { createStatusRateLimit, serviceStatus } from "./service-status.ts";
import { answerCreateTransaction } from "./transaction-endpoint.ts";
import type { TransactionLife } from "./transaction-life.ts";
import type { Transactions } from "./transactions.ts";
import { createTurns } from "./turns.ts";

/** @param ip who calls. */
type EndpointAnswer = (request: Request, ip: string) => Response | Promise<Response>;

export interface EndpointsContext extends GatewaySettings {
  readonly clock: Clock;
  readonly random: Random;
  readonly transactions: Transactions;
  readonly life: TransactionLife;
}

/** What each endpoint answers to a caller who may call it. */
export function createEndpoints(context: EndpointsContext): Record<EndpointName, EndpointAnswer> {
  const { company, clock, random, transactions, environment } = context;
  const cardTokens = createCardTokens(clock, random, context.publicKey);
  const sellers = createSellers(context.sellers, clock, () => transactions.list());
  const rateLimit = createStatusRateLimit(clock);
  const creation = { ...context, cardTokens, turns: createTurns() };

  return {
    "transactions.create": (request) => answerCreateTransaction(request, creation),
    "cardTokens.create": (request) => answerCreateCardToken(request, cardTokens),
    "company.retrieve": () => json({ success: true, data: company }),
    "status.retrieve": (_request, ip) => {
      const seconds = rateLimit.secondsToWait(ip);
      return seconds > 0 ? tooManyRequests(seconds) : json(serviceStatus(environment, clock, random));
    },
    "sellers.list": () => json(sellers.list()),
    "sellers.revenue": () => json(sellers.revenue()),
  };
}
