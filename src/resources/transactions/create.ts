import type { SignsPostbackUrls } from "../../contracts/postback-signer.ts";
import type {
  CardTransaction,
  PixTransaction,
  RefusedCardTransaction,
  Transaction,
} from "../../contracts/transaction.ts";
import type {
  CardParamsWith,
  CreateDefaults,
  CreatePixParams,
  CreateTransactionParams,
} from "../../contracts/transaction-params.ts";
import { toWebUrl } from "../../data/web-url.ts";
import { CardRefusedError } from "../../errors/api-errors.ts";
import { isPaymentsError } from "../../errors/is-payments-error.ts";
import { sanitizeError } from "../../errors/sanitize-error.ts";
import { ConfigurationError, InvalidRequestError } from "../../errors/usage-errors.ts";
import { Call, REQUEST_OPTION_NAMES, type RequestOptions } from "../../http/call.ts";
import { authorize } from "../../http/config.ts";
import type { RawResponse } from "../../http/response.ts";
import { type PaymentsPromise, toPaymentsPromise, type WithResponse } from "../../http/result.ts";
import { sendOnce } from "../../http/send.ts";
import { withTimeout } from "../../http/timers.ts";
import { runCall } from "../../http/trace.ts";
import { endpoints } from "../../spec/endpoints.ts";
import type { PaymentMethod } from "../../spec/values.ts";
import {
  type CopiedParams,
  copyParams,
  type ReadyRequest,
  type TransactionSettings,
  toTransactionRequest,
} from "./create-request.ts";
import { claimOrder, type OwnClaim, renewIfSlow, replay, startHeartbeat } from "./idempotent/claim-order.ts";
import { recordCreated, recordFailure } from "./idempotent/record-outcome.ts";
import { leaseTooShort } from "./idempotent/store-errors.ts";
import { parseTransactionResponse } from "./parse-response.ts";
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
   * was created without its code. The store keeps the earlier pix: a signed postback of either pix is recorded, and if the
   * customer pays both, a `warning` event reports it. A card payment is never replaced. Default `false`.
   *
   * ```ts
   * const { pix } = await payments.transactions.createPix(order, { replaceLost: true });
   * ```
   */
  replaceLost?: boolean | undefined;
}

const OPTION_NAMES = [...REQUEST_OPTION_NAMES, "extraBody", "wait", "replaceLost"] as const;

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
   *   was cut off, for a response that belongs to another order, and with `idempotency` for a pix that another call has replaced meanwhile.
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
    return toPaymentsPromise(create(this.#settings, params, undefined, options));
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
    return toPaymentsPromise(create<PixTransaction>(this.#settings, params, "pix", options));
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
    return toPaymentsPromise(create<CardTransaction>(this.#settings, params, "credit_card", options));
  }
}

/** Every create call goes through here, from its parameters to its result. */
async function create<Payment extends Transaction>(
  settings: TransactionSettings,
  params: unknown,
  method: PaymentMethod | undefined,
  options: CreateOptions | undefined,
): Promise<WithResponse<Payment>> {
  const call = new Call(settings.account.config, endpoints.createTransaction, options, OPTION_NAMES);
  const copied = copyParams(call, params); // its reference is known when the call starts
  return await runCall(call, () => send<Payment>(call, settings, copied, method));
}

async function send<Payment extends Transaction>(
  call: Call,
  settings: TransactionSettings,
  copied: CopiedParams,
  method: PaymentMethod | undefined,
): Promise<WithResponse<Payment>> {
  const { account, signer, store } = settings;
  let claim: OwnClaim | undefined;
  try {
    call.hide(account.secrets);
    const unsigned = toTransactionRequest(call, copied, method, settings);
    const ready = signer === undefined ? unsigned : await signPostbackUrl(call, unsigned, signer);
    const { request, wire, expiredToken } = ready;
    if (account.config.onEvent !== undefined) {
      const { paymentMethod, amount } = request;
      call.facts = { paymentMethod, amount };
      warnAboutRequest(call, request);
    }
    const authorization = authorize(call, account);
    if (store !== undefined) {
      const claimed = await claimOrder(call, store, request);
      if (claimed.state === "created") return replay(call, claimed) as WithResponse<Payment>;
      claim = claimed; // if it cannot be renewed, its end is recorded
      claim = await renewIfSlow(call, claim);
      call.progress.sendBefore = claim.sendBefore;
    }
    if (expiredToken !== undefined) throw expiredToken;
    const body = JSON.stringify(wire);
    const heartbeat = claim && startHeartbeat(call, claim);
    let response: RawResponse;
    try {
      response = await sendOnce(call, { query: undefined, authorization, body });
    } finally {
      clearInterval(heartbeat);
    }
    const transaction = parseTransactionResponse(call, response, request);
    const endedClaim = claim;
    claim = undefined; // the attempt ends here, also if it cannot be recorded
    if (endedClaim !== undefined) await recordCreated(call, endedClaim, transaction);
    const { id: transactionId, status } = transaction;
    return call.result(transaction as Payment, response, { transactionId, status });
  } catch (error) {
    // A `fetch` may have wrapped what was thrown because the lease was too short.
    const failure = await call.toFailure(call.progress.isTooLate ? leaseTooShort(call) : error);
    throw store === undefined ? failure : await recordFailure(call, store, claim, failure);
  }
}

/** Signs the postback URL of a request that has one. Limited by the timeout of the call. */
async function signPostbackUrl(
  call: Call,
  ready: ReadyRequest,
  signer: SignsPostbackUrls,
): Promise<ReadyRequest> {
  const { postbackUrl: url, externalRef, amount, paymentMethod } = ready.request;
  if (url === undefined || externalRef === undefined) return ready;
  const { timeout: ms, signal } = call.options;
  call.throwIfAborted();
  try {
    const limit = { ms, createError: () => new Error(`sign() took longer than ${ms} ms`), signal };
    const order = { externalRef, amount, paymentMethod };
    const signed: unknown = await withTimeout(limit, async () => signer.sign(url, order));
    const postbackUrl = toWebUrl(signed);
    if (postbackUrl === undefined) throw new TypeError("sign() did not return a URL");
    call.hide([postbackUrl]);
    const request = { ...ready.request, postbackUrl };
    return { ...ready, request, wire: { ...ready.wire, postbackUrl } };
  } catch (error) {
    call.throwIfAborted();
    const context = call.context("not_sent");
    if (isPaymentsError(error) && error.code === "invalid_request") {
      // The signed URL is too long. Copies, because the error may belong to another call and contain its data.
      const issues = Array.from(error.issues ?? [], (issue) => ({
        field: call.redactor.text(String(issue?.field)),
        message: call.redactor.text(String(issue?.message)),
      }));
      throw new InvalidRequestError(issues, context);
    }
    const cause = sanitizeError(error, call.redactor);
    throw new ConfigurationError("postbackSigner could not sign the postback URL.", { ...context, cause });
  }
}

/**
 * Throws if the card was declined, for code that prefers an exception to checking `status`.
 *
 * ```ts
 * const payment = await payments.transactions.createCard(order);
 * assertNotRefused(payment);
 * ```
 *
 * Passing does not mean paid: `pending` and `processing` pass too.
 *
 * @throws {CardRefusedError} if the card was declined.
 */
export function assertNotRefused<Payment extends Transaction>(
  transaction: Payment,
): asserts transaction is Exclude<Payment, RefusedCardTransaction> {
  if (transaction.paymentMethod !== "credit_card" || transaction.status !== "refused") return;
  throw new CardRefusedError(transaction, {
    outcome: "created",
    endpoint: endpoints.createTransaction.name,
    externalRef: transaction.externalId,
  });
}
