/// <reference lib="esnext.disposable" preserve="true" />
import { type ChangeListener, createChanges } from "./changes.ts";
import { problemWithCredentials } from "./check-credentials.ts";
import { type Clock, createClock } from "./clock.ts";
import { BrokenConnection, createFaults, type Faults } from "./faults/faults.ts";
import { type GatewayOptions, resolveOptions } from "./gateway-options.ts";
import { createDeliveries } from "./postbacks/deliveries.ts";
import type { PostbackDelivery } from "./postbacks/postback-delivery.ts";
import { createRandom } from "./random.ts";
import type { SandboxRequest } from "./requests/request-log.ts";
import { createRequestLog, readResponse } from "./requests/request-log.ts";
import { createEndpoints, isForBrowsers, type ServedEndpoint, withCors } from "./service-endpoints.ts";
import { failure, methodNotAllowed, notFound } from "./service-responses.ts";
import { ImpossibleMoveError, type SandboxTransaction } from "./transactions/sandbox-transaction.ts";
import { createTransactionRecords } from "./transactions/transaction-records.ts";

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
  /** Status of a pix that {@link Gateway.med} returned. */
  readonly pixReturnedAs: "refunded" | "chargedback";
  /** The gateway's time, which can be advanced. */
  readonly clock: Clock;
  /** Makes the next calls or postbacks fail in a chosen way. */
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
   * The transactions of a reference that charged the customer or still may: those that are `pending`, `processing`,
   * `approved`, `refunded` or `chargedback`, but not those that are `refused`, `expired` or `cancelled`. Oldest first.
   */
  chargesFor(externalRef: string): readonly SandboxTransaction[];
  /** Pays a pending or processing transaction: `approved`. */
  pay(id: number): SandboxTransaction;
  /** Lets a pending pix expire: `expired`. The clock does the same at `pix.expirationDate`. */
  expire(id: number): SandboxTransaction;
  /**
   * Refunds a payment: `refunded` when everything is refunded. A partial refund leaves it `approved`, and sends a postback
   * only with the option `postbacks.partialRefunds`, because the status does not change.
   *
   * @param amount cents; default everything that has not been refunded yet.
   * @throws {UnknownIdError} and {@link ImpossibleMoveError}, see {@link Gateway}.
   * @throws {RangeError} when `amount` is not a whole number, 1 or more.
   */
  refund(id: number, amount?: number): SandboxTransaction;
  /**
   * Returns an approved pix to the payer as the banks do after a fraud, through the MED of the central bank: like
   * {@link Gateway.refund}, with the status of the option `pixReturnedAs`.
   */
  med(id: number, amount?: number): SandboxTransaction;
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
  /** The same, for `using`. Missing in browsers that do not know it. */
  [Symbol.dispose](): void;
}

/**
 * Creates the payment service of the specification, for tests and for development without an account. It runs in
 * Node and in browsers, keeps everything in memory and sends no requests except postbacks.
 *
 * @throws {TypeError} when an option is unknown or has an invalid value.
 */
export function createGateway(options: GatewayOptions = {}): Gateway {
  const settings = resolveOptions(options);
  const { baseUrl, secretKey, publicKey, company, sellersPath, sellersAuth, pixReturnedAs } = settings;
  const clock = createClock(settings.now);
  const random = createRandom(settings.seed);
  const changes = createChanges();
  const faults = createFaults(() => changes.publish({ type: "faults" }));
  const firstId = random.integer(1, 899) * 1_000_000 + 1;
  const deliveries = createDeliveries(settings, clock, faults, (delivery) =>
    changes.publish({ type: "delivery", delivery }),
  );
  const transactions = createTransactionRecords(firstId, clock, deliveries, changes, settings);
  const requests = createRequestLog(clock, (request) => changes.publish({ type: "request", request }));
  const endpoints = createEndpoints({ ...settings, clock, random, transactions, faults });

  /** @param id of the request in the log. */
  async function callEndpoint(
    endpoint: ServedEndpoint,
    id: number,
    request: Request,
    body: string,
    ip: string,
  ): Promise<Response> {
    const instead = faults.take(endpoint.name, "respondInstead");
    if (instead) {
      requests.recordFault(id, instead.kind);
      return instead.apply(request);
    }
    const problem = problemWithCredentials(endpoint.auth, request, settings);
    if (problem !== undefined) {
      requests.update(id, { reason: problem });
      return failure(401, "Unauthorized"); // shown for creating a transaction; the other endpoints return the same
    }
    const response = endpoint.handle(body, ip);
    const result = readResponse(endpoint, response.ok, body, await response.clone().text());
    requests.update(id, result);
    const { transactionId } = result;
    const refusal = transactionId === undefined ? undefined : transactions.get(transactionId).fault;
    if (refusal !== undefined) requests.recordFault(id, refusal);
    // A fault that replaces a response is kept until a call succeeds: it is not used for a call that is refused.
    const replacement =
      response.ok && refusal === undefined ? faults.take(endpoint.name, "replaceResponse") : undefined;
    if (!replacement) return response;
    requests.recordFault(id, replacement.kind);
    if (transactionId !== undefined) transactions.markFault(transactionId, replacement.kind);
    return replacement.apply(response, request);
  }

  /** Responds to a request that is not for an endpoint. @param samePath the endpoints with its path. */
  function respondWithoutEndpoint(
    id: number,
    { method }: Request,
    samePath: readonly ServedEndpoint[],
  ): Response {
    if (samePath.length === 0) {
      const paths = endpoints.map(({ path }) => path).join(", ");
      requests.update(id, { reason: `No endpoint has this path. The paths are ${paths}.` });
      return notFound();
    }
    if (method === "OPTIONS" && samePath.some(isForBrowsers)) return new Response(null, { status: 204 });
    const allowed = samePath.map((endpoint) => endpoint.method);
    requests.update(id, { reason: `The method of this path is ${allowed.join(" or ")}.` });
    return methodNotAllowed(allowed);
  }

  /**
   * Responds to a request that the gateway failed to respond to, for example because the runtime lacks an API. Rejecting
   * would look like a broken connection, which only a fault and an aborted request do.
   */
  function respondToBug(id: number, { signal }: Request, error: unknown): Response {
    if (error instanceof BrokenConnection || signal.aborted) {
      requests.abort(id);
      throw error;
    }
    const reason = `The sandbox failed: ${error}`;
    // biome-ignore lint/suspicious/noConsole: the client gets a 500 without the cause
    console.error(new Error(reason, { cause: error }));
    requests.update(id, { reason });
    requests.finish(id, 500, "");
    return failure(500, reason);
  }

  function move(...[id, name, amount]: Parameters<typeof transactions.move>): SandboxTransaction {
    clock.catchUp();
    return transactions.move(id, name, amount);
  }

  const close = () => {
    clock.stop();
    deliveries.stop();
  };

  return {
    baseUrl,
    secretKey,
    publicKey,
    companyName: company.tradingName,
    sellersPath,
    sellersAuth,
    pixReturnedAs,
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
      const isRequest = typeof input === "object" && "url" in input;
      const hasInit = Object.keys(init).length > 0;
      const request = !isRequest ? new Request(input, init) : hasInit ? await withInit(input, init) : input;
      request.signal.throwIfAborted();
      clock.catchUp();
      const { pathname } = new URL(request.url);
      const samePath = endpoints.filter(({ path }) => path === pathname);
      const endpoint = samePath.find(({ method }) => method === request.method);
      const id = requests.start(request, endpoint?.name);
      try {
        const body = await request.text();
        requests.recordBody(id, body);
        const called = endpoint
          ? callEndpoint(endpoint, id, request, body, ip)
          : respondWithoutEndpoint(id, request, samePath);
        const response = withCors(samePath, await called);
        const text = requests.hasEndlessResponse(id) ? "" : await response.clone().text();
        request.signal.throwIfAborted();
        requests.finish(id, response.status, text);
        return response;
      } catch (error) {
        return withCors(samePath, respondToBug(id, request, error));
      }
    },
    chargesFor(externalRef) {
      clock.catchUp();
      return transactions.chargesFor(externalRef);
    },
    pay: (id) => move(id, "pay"),
    expire: (id) => move(id, "expire"),
    refund: (id, amount) => move(id, "refund", amount),
    med: (id, amount) => move(id, "med", amount),
    chargeback: (id) => move(id, "chargeback"),
    cancel: (id) => move(id, "cancel"),
    sendPostback(id) {
      clock.catchUp();
      const transaction = transactions.get(id);
      if (!transaction.postBackUrl) throw new ImpossibleMoveError(`Transaction ${id} has no postback URL.`);
      deliveries.post(transaction);
    },
    resendPostback(deliveryId) {
      clock.catchUp();
      return deliveries.resend(deliveryId);
    },
    settled: deliveries.settled,
    subscribe: changes.subscribe,
    close,
    ...(Symbol.dispose && { [Symbol.dispose]: close }),
  };
}

/**
 * A request with other options. `new Request(request, init)` throws if the request is of another class than the global
 * one, which `@hono/node-server` replaces.
 */
async function withInit(request: Request, init: RequestInit): Promise<Request> {
  const { url, method, headers, signal } = request;
  const body = await request.text(); // Firefox has no `request.body`
  return new Request(url, { method, headers, signal, ...(body !== "" && { body }), ...init });
}
