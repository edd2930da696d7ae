import type { CreateOptions, PaymentsClient, PaymentsClientOptions, Transaction } from "payments-sdk";
import { type IdempotencyStore, memoryStore, type PaymentsStore } from "payments-sdk/idempotency";
import { expect, onTestFinished } from "vitest";
import { aGate, type Reply } from "../../support/http-server.ts";
import { aCardPayment, aPix, failureOf } from "../../support/merchant.ts";
import { aCardData, aPixData, aRefusedData, created, envelope } from "../../support/service-responses.ts";
import { type ServedMerchant, startMerchant } from "../../support/start-merchant.ts";

/** A merchant with an idempotency store, and the server that it calls. */
export interface MerchantWithStore extends ServedMerchant {
  readonly store: PaymentsStore;
}

export interface MerchantWithStoreOptions extends Omit<PaymentsClientOptions, "idempotency"> {
  readonly store?: PaymentsStore;
}

export async function merchantWithStore(
  replies: readonly Reply[] = [created()],
  { store = memoryStore(), ...options }: MerchantWithStoreOptions = {},
): Promise<MerchantWithStore> {
  return { ...(await startMerchant(replies, { idempotency: store, ...options })), store };
}

export type Create = (payments: PaymentsClient, options?: CreateOptions) => Promise<Transaction>;

export const byPix: Create = (payments, options) => payments.transactions.createPix(aPix(), options);
export const byCard: Create = (payments, options) =>
  payments.transactions.createCard(aCardPayment(), options);

/** Both payment methods, with a create call and a response for each. */
export const METHODS: readonly (readonly [method: string, create: Create, reply: Reply])[] = [
  ["pix", byPix, created(aPixData())],
  ["card", byCard, created(aCardData())],
];

export const REFUSED: Reply = created(aRefusedData());

/** Only the id could be read: no one has seen the code. */
export const WITHOUT_CODE: Reply = created(aPixData({ pix: {}, externalId: undefined }));

/** A pix whose id has more digits than a number can represent exactly. */
export const WITH_A_LONG_ID: Reply = async ({ response, requestRead }) => {
  await requestRead;
  const body = JSON.stringify(envelope(aPixData())).replace('"id":4021', '"id":90071992547409931234');
  response.writeHead(201, { "content-type": "application/json" }).end(body);
};

/** A response that is sent once the gate is open. */
export function heldReply(reply: Reply) {
  const gate = aGate();
  const held: Reply = async (exchange) => {
    await gate.passed;
    return reply(exchange);
  };
  return { gate, held };
}

/** A store with some of its operations replaced. */
export function alteredStore(
  changes: { readonly [Name in keyof IdempotencyStore]?: unknown },
  store: PaymentsStore = memoryStore(),
): PaymentsStore {
  const altered = { ...store, ...changes } as PaymentsStore;
  // The client retries a failed end() in the background: after the test it succeeds, so that no retry outlives the test.
  onTestFinished(() => void Object.assign(altered, { recordOutcome: store.recordOutcome }));
  return altered;
}

export async function unresolvedIn(store: IdempotencyStore) {
  const found = [];
  for await (const order of store.unresolved()) found.push(order);
  return found;
}

/** Fails unless a create call with this store ends with an error of the store before it is sent. */
export async function expectNotSent(store: PaymentsStore, message: RegExp): Promise<void> {
  const { payments, arrivals } = await merchantWithStore(undefined, { store });

  const error = await failureOf(byPix(payments));

  expect(error).toMatchObject({ name: "IdempotencyStoreError", outcome: "not_sent" });
  expect(error.message).toMatch(message);
  expect(arrivals).toEqual([]);
}
