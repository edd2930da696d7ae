import type { CreateOptions, PaymentsClient, PaymentsClientOptions, Transaction } from "payments-sdk";
import { type IdempotencyStore, memoryStore, type PaymentsStore } from "payments-sdk/idempotency";
import { onTestFinished } from "vitest";
import { type HttpServer, type Reply, startServer } from "../../../support/http-server.ts";
import { aCardPayment, aPix, type Merchant, merchantAt } from "../../../support/merchant.ts";
import { aCardData, aPixData, aRefusedData, created, envelope } from "../../../support/service-responses.ts";

/** A merchant whose creates are guarded by a store, and the service that it calls. */
export interface Guarded extends Merchant, HttpServer {
  readonly store: PaymentsStore;
}

export interface GuardedOptions extends Omit<PaymentsClientOptions, "idempotency"> {
  readonly store?: PaymentsStore;
}

export async function guarded(
  replies: readonly Reply[] = [created()],
  { store = memoryStore(), ...options }: GuardedOptions = {},
): Promise<Guarded> {
  const server = await startServer(...replies);
  return { ...server, ...merchantAt(server.baseUrl, { idempotency: store, ...options }), store };
}

export type Create = (payments: PaymentsClient, options?: CreateOptions) => Promise<Transaction>;

export const byPix: Create = (payments, options) => payments.transactions.createPix(aPix(), options);
export const byCard: Create = (payments, options) =>
  payments.transactions.createCard(aCardPayment(), options);

/** Both ways to pay, and what the service answers to each. */
export const METHODS: readonly (readonly [method: string, create: Create, answer: Reply])[] = [
  ["pix", byPix, created(aPixData())],
  ["card", byCard, created(aCardData())],
];

export const REFUSED: Reply = created(aRefusedData());

/** A pix of which only the id can be read, and that is longer than a number may be. */
export const WITH_A_LONG_ID: Reply = async ({ response, whole }) => {
  await whole;
  const body = JSON.stringify(envelope(aPixData())).replace('"id":4021', '"id":90071992547409931234');
  response.writeHead(201, { "content-type": "application/json" }).end(body);
};

/** A store some of whose operations are others than its own. */
export function alteredStore(
  changes: { readonly [Name in keyof IdempotencyStore]?: unknown },
  store: PaymentsStore = memoryStore(),
): PaymentsStore {
  const altered = { ...store, ...changes } as PaymentsStore;
  // The client goes on recording an end that fails: after the test that succeeds, so that no retry meets the next tests.
  onTestFinished(() => void Object.assign(altered, { end: store.end }));
  return altered;
}

export async function unresolvedIn(store: IdempotencyStore) {
  const found = [];
  for await (const order of store.unresolved()) found.push(order);
  return found;
}
