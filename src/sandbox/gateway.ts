import type { Endpoint } from "../spec/endpoints.ts";
import { type ChangeListener, createChanges } from "./changes.ts";
import { type Clock, createClock } from "./clock.ts";
import { problemWithCredentials } from "./credentials.ts";
import { createEndpoints } from "./endpoints.ts";
import { ImpossibleMoveError } from "./errors.ts";
import { createFaults, type Faults } from "./faults/faults.ts";
import { type GatewayOptions, resolveOptions } from "./gateway-options.ts";
import { createDeliveries } from "./postbacks/deliveries.ts";
import type { PostbackDelivery } from "./postbacks/delivery.ts";
import { createRandom } from "./random.ts";
import { outcomeOf } from "./requests/outcome.ts";
import type { SandboxRequest } from "./requests/request.ts";
import { createRequestLog } from "./requests/request-log.ts";
import { methodNotAllowed, notFound, unauthorized } from "./responses.ts";
import { basePathOf, createRouter, endpointsOf, preflight, type Route, withCors } from "./router.ts";
import type { SandboxTransaction } from "./transactions/transaction.ts";
import { createTransactions } from "./transactions/transactions.ts";

/** The options of `fetch`, and the address of the client. */
export interface GatewayRequestInit extends RequestInit {
  /** IP address of the client, for the rate limit of the status endpoint. Default `127.0.0.1`. */
  readonly ip?: string;
}

/**
 * The payment service, in memory. Create one with {@link createGateway}.
 *
 * Each move returns the transaction in its new state. A move that throws changes nothing: an `UnknownIdError` for
 * an id that does not exist, an `ImpossibleMoveError` for a move that the transaction's status does not allow.
 */
export interface Gateway {
  /** URL of the service, without a trailing slash. */
  readonly baseUrl: string;
  /** The secret key, required in `Authorization` together with the public key. */
  readonly secretKey: string;
  /** The public key, required for tokenization. */
  readonly publicKey: string;
  /** Trade name of the company, shown on the checkout page. */
  readonly companyName: string;
  /** Path of the seller endpoints below `baseUrl`. */
  readonly sellersPath: string;
  /** Whether the seller endpoints require the keys. */
  readonly sellersAuth: "basic" | "none";
  /** The gateway's time, which can be advanced. */
  readonly clock: Clock;
  /** Makes the next calls fail in a chosen way. */
  readonly faults: Faults;
  /** All transactions, including refused ones, oldest first. A copy, which does not change. */
  readonly transactions: readonly SandboxTransaction[];
  /** All postbacks with their attempts, oldest first. A copy, which does not change. */
  readonly deliveries: readonly PostbackDelivery[];
  /**
   * The last 1,000 requests and their responses, oldest first, including those that were refused. A copy, which
   * does not change. Keys, card tokens and card data are redacted.
   */
  readonly requests: readonly SandboxRequest[];
  /**
   * Responds to a request like the service. Rejects like `fetch` if a fault breaks the connection or the signal
   * is aborted. It does not use `this`, so it can be passed wherever a `fetch` function is expected.
   */
  readonly fetch: (request: Request | URL | string, init?: GatewayRequestInit) => Promise<Response>;
  /**
   * The transactions of a reference that charged the customer or still may: those that are `pending`,
   * `processing`, `approved`, `refunded` or `chargedback`, but not those that are `refused`, `expired` or
   * `cancelled`. Oldest first.
   */
  chargesFor(externalRef: string): readonly SandboxTransaction[];
  /** Pays a pending or processing transaction: `approved`. */
  pay(id: number): SandboxTransaction;
  /** Lets a pending pix expire: `expired`. The clock does the same at `pix.expirationDate`. */
  expire(id: number): SandboxTransaction;
  /**
   * Refunds a payment: `refunded` when everything is refunded. A partial refund leaves it `approved` and sends no
   * postback, because the status does not change.
   *
   * @param amount cents; default everything that has not been refunded yet.
   * @throws {UnknownIdError} and {@link ImpossibleMoveError}, see {@link Gateway}.
   * @throws {RangeError} when `amount` is not a whole number, 1 or more.
   */
  refund(id: number, amount?: number): SandboxTransaction;
  /** The cardholder disputes an approved card payment: `chargedback`. */
  chargeback(id: number): SandboxTransaction;
  /** Cancels a pending or processing transaction: `cancelled`. */
  cancel(id: number): SandboxTransaction;
  /**
   * Sends a postback with the current status of a transaction.
   *
   * @throws {ImpossibleMoveError} when it has no postback URL, {@link UnknownIdError} when it does not exist.
   */
  sendPostback(id: number): void;
  /**
   * Sends a postback again, with the same body, as a new delivery.
   *
   * @returns the new delivery.
   * @throws {UnknownIdError} when the delivery does not exist.
   */
  resendPostback(deliveryId: number): PostbackDelivery;
  /**
   * Resolves when no postback is being sent. It does not wait for postbacks that are scheduled for a later time,
   * because of a delay or a retry.
   */
  settled(): Promise<void>;
  /**
   * Calls a listener after every change.
   *
   * @returns a function that removes the listener.
   */
  subscribe(listener: ChangeListener): () => void;
  /** Cancels everything scheduled, such as expiries, and stops sending postbacks. Requests still get responses. */
  close(): void;
}

/** A request whose body has been read. */
interface ReceivedRequest {
  /** Its id in the log. */
  readonly id: number;
  readonly request: Request;
  readonly body: string;
  /** IP address of the client. */
  readonly ip: string;
}

/**
 * Creates the payment service of the specification, for tests and for development without an account. It runs in
 * Node and in browsers, keeps everything in memory and sends no requests except postbacks.
 *
 * @throws {TypeError} when an option is unknown or has an invalid value.
 */
export function createGateway(options: GatewayOptions = {}): Gateway {
  const settings = resolveOptions(options);
  const { baseUrl, secretKey, publicKey, company, sellersPath, sellersAuth } = settings;
  const clock = createClock(settings.now);
  const random = createRandom(settings.seed);
  const changes = createChanges();
  const faults = createFaults(() => changes.publish({ type: "faults" }));
  const firstId = random.integer(1, 899) * 1_000_000 + 1;
  const deliveries = createDeliveries(settings, clock, (delivery) =>
    changes.publish({ type: "delivery", delivery }),
  );
  const transactions = createTransactions(firstId, clock, deliveries, changes);
  const requests = createRequestLog(clock, changes);
  const handlers = createEndpoints({ ...settings, clock, random, transactions, faults });
  const paths = endpointsOf(settings)
    .map(({ path }) => basePathOf(baseUrl) + path)
    .join(", ");
  const findRoute = createRouter(basePathOf(baseUrl), settings);

  async function callEndpoint(endpoint: Endpoint, received: ReceivedRequest): Promise<Response> {
    const { id, request, body, ip } = received;
    const instead = faults.takeInstead(endpoint.name);
    if (instead) {
      requests.recordFault(id, instead.kind);
      return instead.apply(request);
    }
    const problem = problemWithCredentials(endpoint.auth, request, settings);
    if (problem !== undefined) {
      requests.update(id, { reason: problem });
      return unauthorized();
    }
    const response = await handlers[endpoint.name](body, ip);
    const outcome = outcomeOf(endpoint, response.ok, body, await response.clone().text());
    requests.update(id, outcome);
    const { transactionId } = outcome;
    const refusal = transactionId === undefined ? undefined : transactions.get(transactionId).fault;
    if (refusal !== undefined) requests.recordFault(id, refusal);
    // A fault that replaces a response is kept until a call succeeds: it is not used for a call that is refused.
    const replacement =
      response.ok && refusal === undefined ? faults.takeReplacement(endpoint.name) : undefined;
    if (!replacement) return response;
    requests.recordFault(id, replacement.kind);
    if (transactionId !== undefined) transactions.markFault(transactionId, replacement.kind);
    return replacement.apply(response, request);
  }

  async function respond(route: Route, received: ReceivedRequest): Promise<Response> {
    switch (route.kind) {
      case "endpoint": {
        const response = await callEndpoint(route.endpoint, received);
        if (!settings.retryAfter) response.headers.delete("retry-after");
        return withCors(route.endpoint, response);
      }
      case "preflight":
        return preflight();
      case "wrong_method":
        requests.update(received.id, { reason: `The method of this path is ${route.allowed.join(" or ")}.` });
        return methodNotAllowed(route.allowed);
      case "unknown_path":
        requests.update(received.id, { reason: `No endpoint has this path. The paths are ${paths}.` });
        return notFound();
    }
  }

  function move(...[id, name, amount]: Parameters<typeof transactions.move>): SandboxTransaction {
    clock.catchUp();
    return transactions.move(id, name, amount);
  }

  return {
    baseUrl,
    secretKey,
    publicKey,
    companyName: company.tradingName,
    sellersPath,
    sellersAuth,
    clock: {
      now: clock.now,
      advance(ms) {
        clock.advance(ms);
        changes.publish({ type: "clock" });
      },
    },
    faults,
    get transactions() {
      clock.catchUp();
      return transactions.list();
    },
    get deliveries() {
      clock.catchUp();
      return deliveries.list();
    },
    get requests() {
      return requests.list();
    },
    async fetch(input, { ip = "127.0.0.1", ...init } = {}) {
      const isComplete = input instanceof Request && Object.keys(init).length === 0;
      const request = isComplete ? input : new Request(input, init);
      request.signal.throwIfAborted();
      clock.catchUp();
      const route = findRoute(request);
      const id = requests.start(request, route.kind === "endpoint" ? route.endpoint.name : undefined);
      try {
        const body = await request.text();
        requests.read(id, body);
        const response = await respond(route, { id, request, body, ip });
        const text = requests.hasEndlessResponse(id) ? "" : await response.clone().text();
        request.signal.throwIfAborted();
        requests.finish(id, response.status, text);
        return response;
      } catch (error) {
        requests.abort(id);
        throw error;
      }
    },
    chargesFor(externalRef) {
      clock.catchUp();
      return transactions.chargesFor(externalRef);
    },
    pay: (id) => move(id, "pay"),
    expire: (id) => move(id, "expire"),
    refund: (id, amount) => move(id, "refund", amount),
    chargeback: (id) => move(id, "chargeback"),
    cancel: (id) => move(id, "cancel"),
    sendPostback(id) {
      clock.catchUp();
      const transaction = transactions.get(id);
      if (transaction.postBackUrl === undefined) {
        throw new ImpossibleMoveError(`Transaction ${id} has no postback URL.`);
      }
      deliveries.post(transaction);
    },
    resendPostback(deliveryId) {
      clock.catchUp();
      return deliveries.resend(deliveryId);
    },
    settled: () => deliveries.settled(),
    subscribe: (listener) => changes.subscribe(listener),
    close() {
      clock.stop();
      deliveries.stop();
    },
  };
}
