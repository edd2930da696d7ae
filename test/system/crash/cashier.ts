import {
  type CreateTransactionParams,
  isPaymentsError,
  PaymentsClient,
  UnexpectedResponseError,
} from "payments-sdk";
import type { IdempotencyStore } from "payments-sdk/idempotency";
import type { PostbackUrlSigner } from "payments-sdk/postbacks";
import type { Sandbox } from "payments-sdk/sandbox/server";
import type { Order } from "./plan.ts";

const BUYER = {
  name: "Maria Exemplo",
  email: "maria@example.com",
  phone: "11999998888",
  document: { type: "cpf", number: "52998224725" },
} as const;

/** What a create ended with. */
export interface Receipt {
  readonly kind: (typeof RECEIPTS)[number] | `failed: ${string}`;
  /** Of a transaction that charges, or may yet. */
  readonly transactionId?: number | string;
}

/** `code lost`: the transaction is known, and its pix code went with the answer that was lost. */
export const RECEIPTS = ["replayed", "paid anew", "refused", "code lost"] as const;

/** Sells orders from a process that nobody kills, over connections that hold. */
export class Cashier {
  readonly #payments: PaymentsClient;

  constructor(
    { baseUrl, secretKey, publicKey }: Sandbox,
    own: {
      readonly idempotency?: IdempotencyStore | undefined;
      readonly postbackUrl: string;
      readonly postbackSigner: PostbackUrlSigner;
    },
  ) {
    this.#payments = new PaymentsClient({ baseUrl, secretKey, publicKey, ...own });
  }

  /** What to ask the service for. A card gets a token of its own each time: one lives for five minutes. */
  async paramsOf({ externalRef, amount, card }: Order): Promise<CreateTransactionParams> {
    const common = { externalRef, amount, customer: BUYER };
    if (card === undefined) return { ...common, paymentMethod: "pix" };
    const expiry = { expirationMonth: 12, expirationYear: 2039 };
    const { value } = await this.#payments.cardTokens.create({
      ...{ number: card, holderName: BUYER.name, cvv: "123", ...expiry },
    });
    return {
      ...common,
      paymentMethod: "credit_card",
      card: { hash: value },
      installments: 1,
      items: [{ title: "Camiseta", unitPrice: amount, quantity: 1, tangible: true }],
      ip: "203.0.113.7",
      metadata: {},
      traceable: true,
    };
  }

  async sell(order: Order): Promise<Receipt> {
    try {
      const params = await this.paramsOf(order);
      const { data, response } = await this.#payments.transactions.create(params).withResponse();
      if (data.status === "refused") return { kind: "refused" };
      return { kind: response.replayed ? "replayed" : "paid anew", transactionId: data.id };
    } catch (error) {
      if (!isPaymentsError(error)) throw error;
      const isCreated = error instanceof UnexpectedResponseError && error.outcome === "created";
      return isCreated && error.transactionId !== undefined
        ? { kind: "code lost", transactionId: error.transactionId }
        : { kind: `failed: ${error.code}` };
    }
  }
}
