import { methodNotAllowed, notFound, unauthorized } from "./answers.ts";
import { type ChangeListener, createChanges } from "./changes.ts";
import { type Clock, createClock } from "./clock.ts";
import { isAuthenticated } from "./credentials.ts";
import { createEndpoints } from "./endpoint-answers.ts";
import { createFaults, type Faults } from "./faults/faults.ts";
import { withFaults } from "./faults/with-faults.ts";
import { type GatewayOptions, resolveOptions } from "./gateway-options.ts";
import { createDeliveries } from "./postbacks/deliveries.ts";
import type { PostbackDelivery } from "./postbacks/delivery.ts";
import { createRandom } from "./random.ts";
import { basePathOf, preflight, routeOf, type ServedEndpoint, withCors } from "./router.ts";
import { ImpossibleMoveError, UnknownIdError } from "./sandbox-errors.ts";
import type { SandboxTransaction } from "./transaction.ts";
import { createTransactionLife } from "./transaction-life.ts";
import { Transactions } from "./transactions.ts";

/** What a request does not say about itself; and what `fetch` takes. */
export interface GatewayRequestInit extends RequestInit {
  /** Who calls, for the rate limit of the status endpoint. Default `127.0.0.1`. */
  readonly ip?: string;
}

/**
 * The service, in memory. Make one with {@link createGateway}.
 *
 * The moves return the transaction as it is afterwards, and change nothing when they throw: an
 * `UnknownIdError` for an id that does not exist, an `ImpossibleMoveError` for a move that makes no sense
 * for the transaction as it is.
 */
export interface Gateway {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** What `Authorization` must hold, with the public one. */
  readonly secretKey: string;
  /** What tokenization asks for. */
  readonly publicKey: string;
  /** Legal name of the company; also the merchant's name in pix codes. */
  readonly companyName: string;
  /** Moves the gateway's time. */
  readonly clock: Clock;
  /** What shall go wrong with the next calls. */
  readonly faults: Faults;
  /** Every transaction that exists, oldest first, refused ones too. A copy: later ones are not in it. */
  readonly transactions: readonly SandboxTransaction[];
  /** Every postback, oldest first, with its attempts. A copy. */
  readonly deliveries: readonly PostbackDelivery[];
  /**
   * Answers a request as the service would. Rejects like `fetch` where a fault breaks the connection, and
   * never over what a request says; it needs no `this`, so that it can stand wherever a `fetch` is asked for.
   */
  fetch(request: Request | URL | string, init?: GatewayRequestInit): Promise<Response>;
  /**
   * The transactions that took money for a reference, or still may: those that are `pending`,
   * `processing`, `approved`, `refunded` or `chargedback`. Left out are those that cost nobody anything:
   * `refused`, `expired` and `cancelled`. Oldest first.
   */
  chargesFor(externalRef: string): readonly SandboxTransaction[];
  /** A pending pix or a processing card is paid: `approved`. */
  pay(id: number): SandboxTransaction;
  /** A pending pix was not paid in time: `expired`. The clock does the same at `pix.expirationDate`. */
  expire(id: number): SandboxTransaction;
  /**
   * Gives back what was paid: `refunded` once nothing is left. A part leaves it `approved`, and posts
   * nothing, because the status did not change.
   *
   * @param amount cents; default all that is left.
   * @throws {UnknownIdError} and {@link ImpossibleMoveError}, see {@link Gateway}.
   * @throws {RangeError} when `amount` is not a whole number of one or more.
   */
  refund(id: number, amount?: number): SandboxTransaction;
  /** The holder of an approved card disputes it: `chargedback`. */
  chargeback(id: number): SandboxTransaction;
  /** A pending pix or a processing card is given up: `cancelled`. */
  cancel(id: number): SandboxTransaction;
  /**
   * Posts the present status of a transaction, though nothing changed.
   *
   * @throws {ImpossibleMoveError} when it has no postback URL, {@link UnknownIdError} when it does not exist.
   */
  sendPostback(id: number): void;
  /**
   * Delivers a postback again, with the body that it had.
   *
   * @returns the new delivery.
   * @throws {UnknownIdError} when there is no such delivery.
   */
  resendPostback(deliveryId: number): PostbackDelivery;
  /**
   * Resolves when no postback is on its way. One that waits for the clock, for its delay or its next
   * attempt, is not waited for.
   */
  settled(): Promise<void>;
  /**
   * Calls a listener after everything that changes.
   *
   * @returns what ends that.
   */
  subscribe(listener: ChangeListener): () => void;
  /** Ends what happens by itself: nothing falls due any more, and no postback is sent. It answers on. */
  close(): void;
}

/**
 * The payment service as the specification describes it, for tests and for work without an account. Runs
 * in Node and in browsers, keeps everything in memory and calls nobody but the receivers of postbacks.
 *
 * @throws {TypeError} when an option is not what its documentation says.
 */
export function createGateway(options: GatewayOptions = {}): Gateway {
  const settings = resolveOptions(options);
  const { baseUrl, secretKey, publicKey, company } = settings;
  const clock = createClock(settings.now);
  const random = createRandom(settings.seed);
  const changes = createChanges();
  const faults = createFaults(() => changes.tell({ type: "faults" }));
  const transactions = new Transactions(random.integer(1, 899) * 1_000_000 + 1, (transaction) =>
    changes.tell({ type: "transaction", transaction }),
  );
  const deliveries = createDeliveries(settings.postbacks, clock, (delivery) =>
    changes.tell({ type: "delivery", delivery }),
  );
  const life = createTransactionLife(transactions, clock, deliveries, changes);
  const answers = createEndpoints({ ...settings, clock, random, transactions, life });
  const basePath = basePathOf(baseUrl);

  function dispatch(endpoint: ServedEndpoint, request: Request, ip: string): Promise<Response> {
    return withFaults(faults, endpoint.name, request, () => {
      if (!isAuthenticated(endpoint.auth, request, settings)) return unauthorized();
      return answers[endpoint.name](request, ip);
    });
  }

  async function answer(request: Request, ip: string): Promise<Response> {
    const route = routeOf(request, basePath);
    switch (route.kind) {
      case "endpoint":
        return withCors(route.endpoint, await dispatch(route.endpoint, request, ip));
      case "preflight":
        return preflight();
      case "wrong_method":
        return methodNotAllowed(route.allowed);
      case "unknown_path":
        return notFound();
    }
  }

  function move(...[id, name, amount]: Parameters<typeof life.move>): SandboxTransaction {
    clock.catchUp();
    return life.move(id, name, amount);
  }

  return {
    baseUrl,
    secretKey,
    publicKey,
    companyName: company.tradingName,
    clock: {
      now: clock.now,
      advance(ms) {
        clock.advance(ms);
        changes.tell({ type: "clock" });
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
    async fetch(input, { ip = "127.0.0.1", ...init } = {}) {
      const isWhole = input instanceof Request && Object.keys(init).length === 0;
      const request = isWhole ? input : new Request(input, init);
      request.signal.throwIfAborted();
      clock.catchUp();
      const response = await answer(request, ip);
      request.signal.throwIfAborted();
      return response;
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
      if (transaction === undefined) throw new UnknownIdError(`There is no transaction ${id}.`);
      if (transaction.postBackUrl === undefined) {
        throw new ImpossibleMoveError(`Transaction ${id}: it has no postback URL.`);
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
