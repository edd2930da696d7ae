import {
  isPaymentsError,
  PaymentsClient,
  type PaymentsClientOptions,
  type PaymentsError,
} from "payments-sdk";
import { aCard, aCardPayment, aPix, PUBLIC_KEY, SECRET_KEY } from "../../support/merchant.ts";

/** A client whose `fetch` makes each answer by itself, so that thousands of calls take seconds. */

export interface Script {
  /** The next answer. */
  answer: () => Response;
  /** Bodies that were sent since it was emptied. */
  readonly sent: string[];
  readonly payments: PaymentsClient;
}

export function scriptedClient(options: PaymentsClientOptions = {}): Script {
  const sent: string[] = [];
  const payments = new PaymentsClient({
    baseUrl: "https://pay.example",
    secretKey: SECRET_KEY,
    publicKey: PUBLIC_KEY,
    maxRetries: 0,
    // Every event is made and shown, so that what they hold is met too.
    onEvent: (event) => JSON.stringify(event),
    fetch: async (_url, init) => {
      sent.push(String(init.body));
      return script.answer();
    },
    ...options,
  });
  const script: Script = { answer: () => new Response(), sent, payments };
  return script;
}

export type Call = (payments: PaymentsClient, options?: never) => PromiseLike<unknown>;

/** Each of the six endpoints, both methods of the first. */
export const CALLS: Readonly<Record<string, Call>> = {
  createPix: (to, options) => to.transactions.createPix(aPix(), options),
  createCard: (to, options) => to.transactions.createCard(aCardPayment(), options),
  cardToken: (to, options) => to.cardTokens.create(aCard(), options),
  company: (to, options) => to.company.retrieve(options),
  status: (to, options) => to.status.retrieve(options),
  sellers: (to, options) => to.sellers.list(options),
  revenue: (to, options) => to.sellers.revenue(options),
};

export type End = { readonly result: unknown } | { readonly error: PaymentsError };

/** A result or a `PaymentsError`; anything else that is thrown fails the test. */
export async function endOf(call: () => PromiseLike<unknown>): Promise<End> {
  try {
    return { result: await call() };
  } catch (error) {
    if (isPaymentsError(error)) return { error };
    throw error;
  }
}
