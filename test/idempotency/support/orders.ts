import { InvalidRequestError, isPaymentsError } from "payments-sdk";
import type {
  AttemptEnd,
  ClaimedOrder,
  Finding,
  IdempotencyStore,
  PostbackNews,
  StoredTransaction,
  UnresolvedOrder,
} from "payments-sdk/idempotency";
import { expect, vi } from "vitest";

/** Orders of the tests about what a store keeps, and ways to bring one into each state. */

/** Long enough that no test outlives it. */
export const LEASE = 60_000;

export const ORDER = {
  externalRef: "order-1",
  amount: 1990,
  paymentMethod: "pix",
  owner: "a",
} as const satisfies ClaimedOrder;

/** The same order, claimed by somebody else. */
export const by = (owner: string): ClaimedOrder => ({ ...ORDER, owner });

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

/** An answer of the service with a transaction. */
export function createdAs(
  status: StoredTransaction["status"] = "pending",
  id: number = ID,
): AttemptEnd & { readonly transaction: StoredTransaction } {
  const transaction = aTransaction({ id, status, rawStatus: status });
  return { outcome: "created", transactionId: id, transaction };
}

export const UNKNOWN: AttemptEnd = { outcome: "unknown" };
export const NOT_CREATED: AttemptEnd = { outcome: "not_created" };

/** A signed postback of the order. */
export function news(status: PostbackNews["status"], overrides: Partial<PostbackNews> = {}): PostbackNews {
  return { id: ID, status, rawStatus: status, amount: 1990, ...overrides };
}

/** Lets the lease of a claim end that was just taken. */
export async function leaseEnds(store: IdempotencyStore, order: ClaimedOrder = ORDER): Promise<void> {
  const probe = { ...order, owner: "a probe" };
  await vi.waitFor(async () => expect(await store.claim(probe, LEASE)).toEqual({ state: "unresolved" }), {
    interval: 2,
    timeout: 5_000,
  });
}

/** Where the first attempt leaves the order; its owner is `a`. */
export const STATES = {
  "that nobody claimed": async () => {},
  "that is free again": async (store) => {
    await store.claim(ORDER, LEASE);
    await store.end(ORDER, NOT_CREATED);
  },
  "that is claimed": async (store) => {
    await store.claim(ORDER, LEASE);
  },
  "whose lease has ended": async (store) => {
    await store.claim(ORDER, 1);
    await leaseEnds(store);
  },
  "that is unresolved": async (store) => {
    await store.claim(ORDER, LEASE);
    await store.end(ORDER, UNKNOWN);
  },
  "that is created": async (store) => {
    await store.claim(ORDER, LEASE);
    await store.end(ORDER, createdAs());
  },
} as const satisfies Record<string, (store: IdempotencyStore) => Promise<void>>;

export type StateName = keyof typeof STATES;

/** What the next one gets who claims it on the same terms. It takes the order where it is free. */
export async function stateOf(store: IdempotencyStore, order: ClaimedOrder = ORDER): Promise<string> {
  const { state } = await store.claim({ ...order, owner: crypto.randomUUID() }, LEASE);
  return state === "yours" ? "free" : state;
}

/** The transaction that a repeat gets; fails the test where there is none. */
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

/** Why a finding is refused: the error's code, or the fields that it complains about. */
export async function refusalOf(store: IdempotencyStore, finding: unknown, externalRef = "order-1") {
  try {
    await store.resolve(externalRef, finding as Finding);
  } catch (error) {
    if (error instanceof InvalidRequestError) return error.issues.map(({ field }) => field);
    if (isPaymentsError(error)) return error.code;
    throw new Error("the finding got an error of another kind", { cause: error });
  }
  throw new Error("the finding was expected to be refused, and was taken");
}
