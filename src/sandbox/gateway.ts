import type { EndpointName } from "../spec/endpoints.ts";
import { json, methodNotAllowed, notFound, tooManyRequests, unauthorized } from "./answers.ts";
import { answerCreateCardToken } from "./card-token-endpoint.ts";
import { createCardTokens } from "./card-tokens.ts";
import { type Clock, createClock } from "./clock.ts";
import { isAuthenticated } from "./credentials.ts";
import { type GatewayOptions, type GatewaySettings, resolveOptions } from "./gateway-options.ts";
import { createRandom, type Random } from "./random.ts";
import { preflight, routeOf, type ServedEndpoint, withCors } from "./router.ts";
import { createSellers } from "./sellers.ts";
import { createStatusRateLimit, serviceStatus } from "./service-status.ts";
import type { SandboxTransaction } from "./transaction.ts";
import { answerCreateTransaction } from "./transaction-endpoint.ts";
import { Transactions } from "./transactions.ts";

/** What a request does not say about itself; and, for a URL, what `fetch` takes. */
export interface GatewayRequestInit extends RequestInit {
  /** Who calls, for the rate limit of the status endpoint. Default `127.0.0.1`. */
  readonly ip?: string;
}

/** The service, in memory. Make one with {@link createGateway}. */
export interface Gateway {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly secretKey: string;
  readonly publicKey: string;
  /** Moves the gateway's time. */
  readonly clock: Clock;
  /** Every transaction that exists, oldest first, refused ones too. A copy: later ones are not in it. */
  readonly transactions: readonly SandboxTransaction[];
  /**
   * Answers a request as the service would. Never rejects over what a request says; it needs no `this`, so
   * that it can stand wherever a `fetch` is asked for.
   */
  fetch(request: Request | URL | string, init?: GatewayRequestInit): Promise<Response>;
  /**
   * The transactions that took money for a reference, or still may: those that are `pending`,
   * `processing`, `approved`, `refunded` or `chargedback`, and any of which something was paid. Left out are
   * those that cost nobody anything: `refused`, and `expired` or `cancelled` without payment. Oldest first.
   */
  chargesFor(externalRef: string): readonly SandboxTransaction[];
}

/**
 * The payment service as the specification describes it, for tests and for work without an account. Runs
 * in Node and in browsers, keeps everything in memory and calls nobody.
 *
 * @throws {TypeError} when an option is not what its documentation says.
 */
export function createGateway(options: GatewayOptions = {}): Gateway {
  const settings = resolveOptions(options);
  const { baseUrl, secretKey, publicKey } = settings;
  const clock = createClock(settings.now);
  const random = createRandom(settings.seed);
  const transactions = new Transactions(random.integer(1, 899) * 1_000_000 + 1);
  const answers = createAnswers(settings, clock, random, transactions);
  const basePath = new URL(baseUrl).pathname.replace(/\/$/, "");

  /** One endpoint's answer: the place for whatever has to come between a call and its effect. */
  async function dispatch(endpoint: ServedEndpoint, request: Request, ip: string): Promise<Response> {
    if (!isAuthenticated(endpoint.auth, request, settings)) return unauthorized();
    return answers[endpoint.name](request, ip);
  }

  return {
    baseUrl,
    secretKey,
    publicKey,
    clock,
    get transactions() {
      return transactions.list();
    },
    async fetch(input, init = {}) {
      const request = typeof input === "string" || input instanceof URL ? new Request(input, init) : input;
      const route = routeOf(request, basePath);
      switch (route.kind) {
        case "endpoint":
          return withCors(route.endpoint, await dispatch(route.endpoint, request, init.ip ?? "127.0.0.1"));
        case "preflight":
          return preflight();
        case "wrong_method":
          return methodNotAllowed(route.allowed);
        case "unknown_path":
          return notFound();
      }
    },
    chargesFor: (externalRef) => transactions.chargesFor(externalRef),
  };
}

type Answer = (request: Request, ip: string) => Response | Promise<Response>;

function createAnswers(
  settings: GatewaySettings,
  clock: Clock,
  random: Random,
  transactions: Transactions,
): Record<EndpointName, Answer> {
  const { company } = settings;
  const cardTokens = createCardTokens(clock, random, settings.publicKey);
  const sellers = createSellers(settings.sellers, clock, () => transactions.list());
  const rateLimit = createStatusRateLimit(clock);
  const creation = { ...settings, clock, random, cardTokens, transactions };

  return {
    "transactions.create": (request) => answerCreateTransaction(request, creation),
    "cardTokens.create": (request) => answerCreateCardToken(request, cardTokens),
    "company.retrieve": () => json({ success: true, data: company }),
    "status.retrieve": (_request, ip) => {
      const seconds = rateLimit.secondsToWait(ip);
      return seconds > 0
        ? tooManyRequests(seconds)
        : json(serviceStatus(settings.environment, clock, random));
    },
    "sellers.list": () => json(sellers.list()),
    "sellers.revenue": () => json(sellers.revenue()),
  };
}
