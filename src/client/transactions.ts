import type { Call } from "../core/call.ts";
import { emitTo } from "../core/events.ts";
import { PaymentsPromise, type WithResponse } from "../core/payments-promise.ts";
import { readTransaction } from "../core/read-transaction.ts";
import { issuesOfOptions, type RequestOptions } from "../core/request-options.ts";
import { runCall } from "../core/run-call.ts";
import { rescueId } from "../core/transaction-id.ts";
import { warningsFor } from "../schemas/request-warnings.ts";
import type { CardTransaction, PixTransaction, Transaction } from "../schemas/transaction.ts";
import type {
  CreateCardParams,
  CreatePixParams,
  CreateTransactionParams,
} from "../schemas/transaction-params.ts";
import { endpoints } from "../spec/endpoints.ts";
import type { PaymentMethod } from "../spec/values.ts";
import { type Account, credentialsFor } from "./account.ts";
import type { PostbackSettings } from "./postback-settings.ts";
import { type PreparedTransaction, prepareTransaction } from "./prepare-transaction.ts";
import { signPostbackUrl } from "./sign-postback-url.ts";

/** Options of a create. */
export interface CreateOptions extends RequestOptions {
  /** Fields that the SDK does not know yet, sent as they are. They cannot replace those that it knows. */
  extraBody?: Readonly<Record<string, unknown>> | undefined;
}

const endpoint = endpoints.createTransaction;

/**
 * Takes money. A create is put on the wire once: the SDK never repeats it, whatever failed, and every
 * error says by its `outcome` what became of the charge.
 */
export class TransactionsResource {
  readonly #account: Account;
  readonly #postbacks: PostbackSettings;

  /** @internal */
  constructor(account: Account, postbacks: PostbackSettings) {
    this.#account = account;
    this.#postbacks = postbacks;
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
   * @throws {ServerError} `unknown`: 5xx or 408.
   * @throws {TimeoutError} `unknown`: no answer in time.
   * @throws {ConnectionError} `not_sent` where that is proven, else `unknown`.
   * @throws {AbortedError} `unknown` once the request was sent.
   * @throws {UnexpectedResponseError} `created` where an id could be read, else `unknown`.
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
   * Creates a pix; the result always has `pix.qrcodeText`. Errors as of {@link TransactionsResource.create};
   * where the answer has no code, the `UnexpectedResponseError` carries the transaction.
   *
   * Spec: "POST /api/v1/transactions", rule 2.
   */
  createPix(params: CreatePixParams, options?: CreateOptions): PaymentsPromise<PixTransaction> {
    return this.#create(params, "pix", options);
  }

  /**
   * Creates a card payment. Read `status`: `refused` narrows to a transaction with its `refusedReason`.
   * Errors as of {@link TransactionsResource.create}.
   *
   * Spec: "POST /api/v1/transactions", rule 1.
   */
  createCard(params: CreateCardParams, options?: CreateOptions): PaymentsPromise<CardTransaction> {
    return this.#create(params, "credit_card", options);
  }

  #create<Payment extends Transaction>(
    params: unknown,
    method: PaymentMethod | undefined,
    options: CreateOptions | undefined,
  ): PaymentsPromise<Payment> {
    const call = runCall(this.#account.connection, endpoint, options, () => {
      const optionIssues = issuesOfOptions(endpoint, options);
      const { url: postbackUrl, signer } = this.#postbacks;
      const prepared = prepareTransaction({
        params,
        method,
        postbackUrl,
        signsPostbackUrls: signer !== undefined,
        extraBody: options?.extraBody,
        optionIssues,
      });
      return signer === undefined
        ? this.#call(prepared)
        : signPostbackUrl(prepared, signer, {
            timeout: options?.timeout ?? this.#account.connection.timeout,
            signal: options?.signal,
          }).then((signed) => this.#call(signed, prepared.request.postbackUrl));
    });
    // `readTransaction` answers in the method that was asked for.
    return new PaymentsPromise(call as Promise<WithResponse<Payment>>);
  }

  #call({ request, body }: PreparedTransaction, unsignedUrl?: string): Call<Transaction> {
    const { externalRef, postbackUrl } = request;
    for (const { field, message } of warningsFor(request)) {
      const event = { type: "warning", endpoint: endpoint.name, field, message } as const;
      emitTo(this.#account.connection.onEvent, externalRef === undefined ? event : { ...event, externalRef });
    }
    const { authorization, secrets } = credentialsFor(this.#account, endpoint, externalRef);
    const token = request.paymentMethod === "credit_card" ? request.card.hash : undefined;
    return {
      body,
      externalRef,
      authorization,
      secrets: [...secrets, token, postbackUrl, unsignedUrl],
      read: (answer, deviate, redactorOf) => readTransaction(answer, request, deviate, redactorOf),
      rescueId,
    };
  }
}
