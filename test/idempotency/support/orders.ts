import { InvalidRequestError, isPaymentsError } from "payments-sdk";
import {
  type AttemptOutcome,
  type ClaimedOrder,
  type Finding,
  type IdempotencyStore,
  memoryStore,
  type PaymentsStore,
  type PostbackUpdate,
  type StoredTransaction,
  type UnresolvedOrder,
} from "payments-sdk/idempotency";
import { onTestFinished, vi } from "vitest";
import {
  attempt,
  by,
  idsIn,
  LEASE,
  NOT_CREATED,
  ORDER,
  REF,
  UNKNOWN,
} from "../../../src/testing/stores/fixtures.ts";

/** Orders for the tests of stores, and functions that bring them into each state. */

export { attempt, by, idsIn, LEASE, NOT_CREATED, ORDER, REF, UNKNOWN };

export const ID = 4021;

export function aTransaction(overrides: Partial<StoredTransaction> = {}): StoredTransaction {
  return {
    id: ID,
    status: "pending",
    rawStatus: "pending",
    amount: 1990,
    paymentMethod: "pix",
    externalId: "order-1",
    pix: { qrcodeText: "00020101021226" },
    ...overrides,
  };
}

/** A response of the service with a transaction. */
export function createdAs(
  status: StoredTransaction["status"] = "pending",
  id: number = ID,
): AttemptOutcome & { readonly transaction: StoredTransaction } {
  const transaction = aTransaction({ id, status, rawStatus: status });
  return { outcome: "created", transactionId: id, transaction };
}

/** The statuses of a transaction that charges no one. */
export const UNCHARGED = ["refused", "cancelled", "expired"] as const;

/** A signed postback of the order. */
export function aPostback(
  status: PostbackUpdate["status"],
  overrides: Partial<PostbackUpdate> = {},
): PostbackUpdate {
  return { id: ID, status, rawStatus: status, amount: 1990, ...overrides };
}

/** A store in memory whose clock is controlled by the test. */
export function openStore(): PaymentsStore {
  vi.useFakeTimers({ toFake: ["performance", "Date"] });
  onTestFinished(() => void vi.useRealTimers());
  return memoryStore();
}

/** Advances the clock of a store of {@link openStore}. */
export const pass = (ms: number) => void vi.advanceTimersByTime(ms);

/** Ends every lease of {@link LEASE}. */
export const leasesEnd = () => pass(LEASE);

/** The state that the next claim on the same terms gets. Claims the order if it is free. */
export async function stateOf(store: IdempotencyStore, order: ClaimedOrder = ORDER): Promise<string> {
  const { state } = await store.claim({ ...order, owner: crypto.randomUUID() }, LEASE);
  return state === "yours" ? "free" : state;
}

/** The transaction that a repeat gets; fails the test if the order has none. */
export async function transactionOf(store: IdempotencyStore, order: ClaimedOrder = ORDER) {
  const claim = await store.claim({ ...order, owner: crypto.randomUUID() }, LEASE);
  if (claim.state !== "created") throw new Error(`the order is ${claim.state}`);
  return claim;
}

export async function listed(
  store: IdempotencyStore,
  options?: { readonly olderThanMs?: number },
): Promise<UnresolvedOrder[]> {
  const found: UnresolvedOrder[] = [];
  for await (const order of store.unresolved(options)) found.push(order);
  return found;
}

/** Why a finding is refused: the code of the error, or the invalid fields. */
export async function refusalOf(store: IdempotencyStore, finding: unknown, externalRef: string = REF) {
  try {
    await store.resolve(externalRef, finding as Finding);
  } catch (error) {
    if (error instanceof InvalidRequestError) return error.issues.map(({ field }) => field);
    if (isPaymentsError(error)) return error.code;
    throw new Error("the finding was refused with an unexpected error", { cause: error });
  }
  throw new Error("the finding was accepted, and should have been refused");
}
