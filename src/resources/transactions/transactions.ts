import { type PaymentsPromise, promiseOf, type WithResponse } from "../../http/result.ts";
import type { PaymentMethod } from "../../spec/values.ts";
import type { CreateOptions } from "./create-options.ts";
import { type CreateSettings, createTransaction } from "./create-transaction.ts";
import type { CreateCardParams, CreatePixParams, CreateTransactionParams } from "./params.ts";
import type { CardTransaction, PixTransaction, Transaction } from "./transaction.ts";

/**
 * Takes money. A create is put on the wire once: the SDK never repeats it, whatever failed, and every
 * error says by its `outcome` what became of the charge.
 */
export class TransactionsResource {
  readonly #settings: CreateSettings;

  /** @internal */
  constructor(settings: CreateSettings) {
    this.#settings = settings;
  }

  /**
   * Creates a payment; `paymentMethod` selects.
   *
   * A declined card is a result, not an error: the service answers 201, so look at `status`, or use
   * `assertNotRefused`.
   *
   * Spec: "POST /api/v1/transactions".
   *
   * @throws {InvalidRequestError} `not_sent`: the parameters are wrong; all problems at once.
   * @throws {CardTokenExpiredError} `not_sent`: the card token is older than its five minutes.
   * @throws {ConfigurationError} `not_sent`: a key or the base URL is missing.
   * @throws {ValidationError} `rejected`: 400 or 422.
   * @throws {AuthenticationError} `rejected`: 401.
   * @throws {NotFoundError} `rejected`: 404.
   * @throws {RateLimitError} `rejected`: 429.
   * @throws {RedirectError} `rejected` on 301, 307 and 308, else `unknown`.
   * @throws {ApiError} `rejected` on 403, 405, 411, 413 and 415, else `unknown`, or `created` where an id could be read.
   * @throws {ServerError} `unknown`: 5xx or 408. Each error with a status is `created`, with `transactionId`, if its body
   *   holds the transaction.
   * @throws {TimeoutError} `not_sent` if that is proven, else `unknown`: no answer in time.
   * @throws {ConnectionError} `not_sent` if that is proven, else `unknown`.
   * @throws {AbortedError} `not_sent` if that is proven, else `unknown`.
   * @throws {UnexpectedResponseError} `created` if an id could be read, else `unknown`; also for an answer to another order.
   * @throws {IdempotencyConflictError} `not_sent`: with `idempotency`, the reference belongs to a payment with another
   *   amount, method or number of installments.
   * @throws {OutcomePendingError} `unknown`: with `idempotency`, nobody knows yet what became of an earlier attempt.
   * @throws {IdempotencyStoreError} `not_sent`: the store failed.
   */
  create(
    params: CreatePixParams & { paymentMethod: "pix" },
    options?: CreateOptions,
  ): PaymentsPromise<PixTransaction>;
  create(
    params: CreateCardParams & { paymentMethod: "credit_card" },
    options?: CreateOptions,
  ): PaymentsPromise<CardTransaction>;
  create(params: CreateTransactionParams, options?: CreateOptions): PaymentsPromise<Transaction>;
  create(params: CreateTransactionParams, options?: CreateOptions): PaymentsPromise<Transaction> {
    return this.#create(params, undefined, options);
  }

  /**
   * Creates a pix; the result always has `pix.qrcodeText`.
   *
   * Spec: "POST /api/v1/transactions", rule 2.
   *
   * @throws {PaymentsError} those of {@link TransactionsResource.create}; where the answer has no code, the
   *   `UnexpectedResponseError` carries the transaction.
   */
  createPix(params: CreatePixParams, options?: CreateOptions): PaymentsPromise<PixTransaction> {
    return this.#create(params, "pix", options);
  }

  /**
   * Creates a card payment. Read `status`: `refused` narrows to a transaction with its `refusedReason`.
   *
   * Spec: "POST /api/v1/transactions", rule 1.
   *
   * @throws {PaymentsError} those of {@link TransactionsResource.create}.
   */
  createCard(params: CreateCardParams, options?: CreateOptions): PaymentsPromise<CardTransaction> {
    return this.#create(params, "credit_card", options);
  }

  #create<Payment extends Transaction>(
    params: unknown,
    method: PaymentMethod | undefined,
    options: CreateOptions | undefined,
  ): PaymentsPromise<Payment> {
    const call = createTransaction(this.#settings, { params, method, options });
    // `readTransaction` answers in the method that was asked for.
    return promiseOf(call as Promise<WithResponse<Payment>>);
  }
}
