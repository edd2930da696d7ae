import type { ClaimedOrder, IdempotencyStore } from "../../contracts/idempotency-store.ts";
import type { SignsPostbackUrls } from "../../contracts/postback-signer.ts";
import type { CardTransaction, PixTransaction, Transaction } from "../../contracts/transaction.ts";
import type {
  CardParamsWith,
  CreateDefaults,
  CreatePixParams,
  CreateTransactionParams,
} from "../../contracts/transaction-params.ts";
import { PixRefusedError } from "../../errors/refusal-errors.ts";
import { Call } from "../../http/call.ts";
import { type Account, authorize } from "../../http/credentials.ts";
import { emitTo } from "../../http/events.ts";
import { REQUEST_OPTION_NAMES, type RequestOptions } from "../../http/request-options.ts";
import { type PaymentsPromise, toPaymentsPromise, type WithResponse } from "../../http/result.ts";
import { sendOnce } from "../../http/send-once.ts";
import type { Deadline } from "../../http/timers.ts";
import { MEMORY_WARNING } from "../../idempotency/store.ts";
import { endpoints } from "../../spec/endpoints.ts";
import type { PaymentMethod } from "../../spec/values.ts";
import { checkEarlierCalls } from "./idempotent/check-earlier-calls.ts";
import { claimOrder, leaseTooShort, renewIfSlow } from "./idempotent/claim-order.ts";
import { assertNotReportedPaid, recordCreated, recordFailure } from "./idempotent/record-outcome.ts";
import { replay } from "./idempotent/stored-transaction.ts";
import { parseTransactionResponse } from "./parse-response.ts";
import { type ReadyRequest, toTransactionRequest } from "./request.ts";
import { signPostbackUrl } from "./sign-postback-url.ts";
import { warnAboutRequest } from "./warnings.ts";

/** Options of a create call. */
export interface CreateOptions extends RequestOptions {
  /** Fields that the SDK does not know yet, sent unchanged. They cannot replace known fields. */
  extraBody?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Milliseconds to wait while another call sends the same `externalRef`, before an `OutcomePendingError` is thrown. It
   * is thrown immediately if the earlier call ended without a known outcome, because waiting does not help. For clients
   * with `idempotency`. Default 0.
   */
  wait?: number | undefined;
  /**
   * Creates a pix again if its response was lost, for clients with `idempotency`: no one can pay a code that no one has
   * seen. It applies if the earlier attempt for the same `externalRef` and terms was a pix that is `unresolved`, or that
   * was created without its code. The earlier one is remembered: a signed postback of either settles the order, and if
   * the customer pays both, a `warning` event reports it. A card payment is never replaced. Default `false`.
   *
   * ```ts
   * const { pix } = await payments.transactions.createPix(order, { replaceLost: true });
   * ```
   */
  replaceLost?: boolean | undefined;
}

const OPTION_NAMES = [...REQUEST_OPTION_NAMES, "extraBody", "wait", "replaceLost"] as const;

/** What the create calls of a client share. @internal */
export interface TransactionSettings {
  readonly account: Account;
  readonly postbackUrl: string | undefined;
  readonly defaults: CreateDefaults;
  readonly signer: SignsPostbackUrls | undefined;
  readonly store: IdempotencyStore | undefined;
}

/**
 * Creates payments. A request is sent once: the SDK never retries it, and the `outcome` of every error states whether the
 * customer was charged.
 *
 * @typeParam Defaults - The defaults of the client: what they contain is optional in `createCard`.
 */
export class TransactionsResource<Defaults extends CreateDefaults = CreateDefaults> {
  readonly #settings: TransactionSettings;

  /** @internal */
  constructor(settings: TransactionSettings) {
    this.#settings = settings;
  }

  /**
   * Creates a payment; `paymentMethod` selects how it is paid.
   *
   * A declined card is a result, not an error: the service responds with 201, so check `status`, or use
   * `assertNotRefused`.
   *
   * ```ts
   * const transaction = await payments.transactions.create({ paymentMethod: "pix", ...order });
   * ```
   *
   * Spec: "POST /api/v1/transactions".
   *
   * @throws {InvalidRequestError} `not_sent`: the parameters are not valid; `issues` lists all problems.
   * @throws {CardTokenExpiredError} `not_sent`: the card token is older than five minutes, by the clocks that its message names.
   * @throws {ConfigurationError} `not_sent`: a key, the base URL or the global `fetch` is missing.
   * @throws {ValidationError} `rejected`: 400 or 422.
   * @throws {AuthenticationError} `rejected`: 401.
   * @throws {NotFoundError} `rejected`: 404.
   * @throws {RateLimitError} `rejected`: 429.
   * @throws {RedirectError} `rejected` on 301, 307 and 308, otherwise `unknown`.
   * @throws {ApiError} `rejected` on 403, 405, 411, 413 and 415, otherwise `unknown`; `created` if an id could be read.
   * @throws {ServerError} `unknown`: 5xx or 408. Each error with a status is `created`, with `transactionId`, if its body
   *   contains the transaction, and `unknown` if its body is incomplete or shows that a transaction may exist.
   * @throws {TimeoutError} `not_sent` if this is proven, otherwise `unknown`: no response in time. A 2xx whose JSON is
   *   whole is a result, even if its connection fails or the time ends before the end of the body.
   * @throws {ConnectionError} `not_sent` if this is proven, otherwise `unknown`.
   * @throws {AbortedError} `not_sent` if this is proven, otherwise `unknown`.
   * @throws {PixRefusedError} `rejected`: the pix is refused, expired or cancelled, and has neither code nor picture.
   * @throws {UnexpectedResponseError} `created` if an id could be read, otherwise `unknown`; also for a response that
   *   was cut off, for one to another order, and with `idempotency` for a pix that another call has replaced meanwhile.
   * @throws {IdempotencyConflictError} `not_sent`: with `idempotency`, the reference belongs to a payment with another
   *   amount, method or number of installments.
   * @throws {OutcomePendingError} `unknown`: with `idempotency`, the outcome of an earlier attempt is not known yet.
   * @throws {IdempotencyStoreError} `not_sent`: the store failed; `created`: it did not record the pix `transactionId`.
   */
  create(
    params: CreatePixParams & { paymentMethod: "pix" },
    options?: CreateOptions,
  ): PaymentsPromise<PixTransaction>;
  create(
    params: CardParamsWith<Defaults> & { paymentMethod: "credit_card" },
    options?: CreateOptions,
  ): PaymentsPromise<CardTransaction>;
  create(params: CreateTransactionParams, options?: CreateOptions): PaymentsPromise<Transaction>;
  create(params: object, options?: CreateOptions): PaymentsPromise<Transaction> {
    return toPaymentsPromise(this.#create(params, undefined, options));
  }

  /**
   * Creates a pix. Show `pix.qrcodeText` and `pix.qrcode` to the buyer, then wait for the postback.
   *
   * ```ts
   * const { id, pix } = await payments.transactions.createPix({
   *   amount: 1990, // cents
   *   customer, // with `phone`
   *   items: [{ title: "Camiseta", unitPrice: 1990, quantity: 1, tangible: true }],
   *   externalRef: "order-17",
   *   postbackUrl: "https://shop.example.com/postbacks",
   *   ip: "203.0.113.7", // of the buyer
   *   metadata: { cart: 42 },
   *   traceable: true,
   *   pix: { expiresInDays: 1 },
   * });
   * ```
   *
   * Spec: "POST /api/v1/transactions", rule 2.
   *
   * @throws {PaymentsError} those of {@link TransactionsResource.create}; if the response has no code, and
   *   no one knows whether it can be paid, the `UnexpectedResponseError` contains the transaction.
   */
  createPix(params: CreatePixParams, options?: CreateOptions): PaymentsPromise<PixTransaction> {
    return toPaymentsPromise(this.#create<PixTransaction>(params, "pix", options));
  }

  /**
   * Creates a card payment. A declined card is a result: check `status`.
   *
   * ```ts
   * const payment = await payments.transactions.createCard(order);
   * if (payment.status === "refused") askForAnotherCard();
   * ```
   *
   * Spec: "POST /api/v1/transactions", rule 1.
   *
   * @throws {PaymentsError} those of {@link TransactionsResource.create}.
   */
  createCard(params: CardParamsWith<Defaults>, options?: CreateOptions): PaymentsPromise<CardTransaction> {
    return toPaymentsPromise(this.#create<CardTransaction>(params, "credit_card", options));
  }

  /** Every create call goes through here, from its parameters to its result. */
  async #create<Payment extends Transaction>(
    params: unknown,
    method: PaymentMethod | undefined,
    options: CreateOptions | undefined,
  ): Promise<WithResponse<Payment>> {
    const { account, postbackUrl, defaults, signer, store } = this.#settings;
    const call = new Call(account.config, endpoints.createTransaction, options, OPTION_NAMES);
    try {
      const settings = {
        postbackUrl,
        defaults,
        hasSigner: signer !== undefined,
        hasStore: store !== undefined,
      };
      const unsigned = toTransactionRequest(call, params, method, settings);
      const ready = signer === undefined ? unsigned : await signPostbackUrl(call, unsigned, signer);
      const { request } = ready;
      if (account.config.onEvent !== undefined) warnAboutRequest(call, request);
      const authorization = authorize(call, account);
      call.hide([
        request.postbackUrl,
        request.paymentMethod === "credit_card" ? request.card.hash : undefined,
      ]);
      const created =
        store === undefined
          ? await send(call, ready, authorization)
          : await sendOncePerReference(call, ready, authorization, store);
      return created as WithResponse<Payment>;
    } catch (error) {
      const failure = await call.toFailure(error);
      if (store !== undefined) await checkEarlierCalls(call, store, failure);
      throw call.report(failure);
    }
  }
}

async function send(
  call: Call,
  { request, body }: ReadyRequest,
  authorization: string | undefined,
): Promise<WithResponse<Transaction>> {
  const response = await sendOnce(call, { query: undefined, authorization, body });
  return call.result(parseTransactionResponse(call, response, request), response);
}

/** Claims the reference in the store, sends the request and records the outcome; or returns an earlier transaction. */
async function sendOncePerReference(
  call: Call,
  ready: ReadyRequest,
  authorization: string | undefined,
  store: IdempotencyStore,
): Promise<WithResponse<Transaction>> {
  warnAboutStore(store, call);
  const { request } = ready;
  const installments = request.paymentMethod === "credit_card" ? { installments: request.installments } : {};
  // With a store, the reference is required.
  const { externalRef = "", amount, paymentMethod } = request;
  const order = { externalRef, amount, paymentMethod, owner: crypto.randomUUID(), ...installments };
  const claim = await claimOrder(call, store, order);
  if (claim.state === "created") return replay(call, claim);
  try {
    const created = await sendClaimed(call, ready, authorization, store, order, claim.lease);
    await recordCreated(call, store, order, created.data);
    return created;
  } finally {
    warnAboutStore(store, call); // some stores have a warning only after they were used
  }
}

/** Sends the request of a claimed order. If this fails, the store records it. */
async function sendClaimed(
  call: Call,
  ready: ReadyRequest,
  authorization: string | undefined,
  store: IdempotencyStore,
  order: ClaimedOrder,
  lease: Deadline,
): Promise<WithResponse<Transaction>> {
  try {
    call.progress.sendBefore = await renewIfSlow(call, store, order, lease);
    if (ready.expired !== undefined) throw ready.expired;
    return await send(call, ready, authorization);
  } catch (error) {
    const failure = await call.toFailure(call.progress.isTooLate ? leaseTooShort(call) : error);
    const recorded = await recordFailure(call, store, order, failure);
    if (failure instanceof PixRefusedError) await assertNotReportedPaid(call, store, failure);
    await checkEarlierCalls(call, store, failure, recorded);
    throw failure;
  }
}

const warned = new WeakSet<object>();

/** Represents all stores in memory: tests create hundreds of them, and one warning per process is enough. */
const MEMORY_STORES = {};

/** Reports the risk of a store, once for each store. */
function warnAboutStore(store: IdempotencyStore, { config: { onEvent } }: Call): void {
  let message: string | undefined;
  try {
    message = store.warning;
  } catch {
    return; // a custom store, whose claim most likely fails, too
  }
  const key = message === MEMORY_WARNING ? MEMORY_STORES : store;
  if (message === undefined || warned.has(key)) return;
  warned.add(key);
  const endpoint = endpoints.createTransaction.name;
  if (onEvent !== undefined) emitTo(onEvent, { type: "warning", endpoint, field: "idempotency", message });
  // biome-ignore lint/suspicious/noConsole: without a listener, nothing else reports that payments are not protected
  else console.warn(`payments-sdk: the idempotency store ${message}.`);
}
