import { bare, isRecord } from "../../data/own.ts";
import type { Claim, StoredTransaction } from "../../idempotency/contract.ts";
import { TRANSACTION_STATUSES } from "../../spec/values.ts";
import { isOfAnotherOrder } from "./transaction-id.ts";

const STATUSES: ReadonlySet<unknown> = new Set([...TRANSACTION_STATUSES, "unrecognized"]);

/** A claim as it must be: a store of the merchant's own may give anything. `undefined` for what is none. */
export function readClaim(received: unknown, externalRef: string): Claim | undefined {
  if (!isRecord(received)) return undefined;
  const claim = bare(received);
  switch (claim["state"]) {
    case "yours":
    case "unresolved":
      return { state: claim["state"] };
    case "claimed":
      return { state: "claimed", leaseLeftMs: Number(claim["leaseLeftMs"]) || 0 };
    case "conflict": {
      const { earlier } = claim;
      const isOpen = earlier === "claimed" || earlier === "unresolved";
      return { state: "conflict", earlier: isOpen ? earlier : "created" };
    }
    case "created":
      return readCreation(claim, externalRef);
    default:
      return undefined;
  }
}

function readCreation(
  { transactionId: id, transaction }: Record<string, unknown>,
  externalRef: string,
): Claim | undefined {
  const isId = typeof id === "string" ? id !== "" : Number.isSafeInteger(id);
  if (!isId) return undefined;
  const creation = { state: "created", transactionId: id as number | string } as const;
  if (!isTransaction(transaction)) return creation;
  // Another order's transaction must not be shipped for this one.
  return isOfAnotherOrder(transaction.externalId, externalRef) ? undefined : { ...creation, transaction };
}

/** What is read as an unusable answer would be: the transaction exists, and little is known of it. */
function isTransaction(transaction: unknown): transaction is StoredTransaction {
  if (!isRecord(transaction)) return false;
  const { id, amount, status } = bare(transaction);
  return Number.isSafeInteger(id) && Number.isSafeInteger(amount) && STATUSES.has(status);
}
