import type { AttemptOutcome, Finding, PaymentsStore } from "payments-sdk/idempotency";
import { by, LEASE, NOT_CREATED, ORDER, REF, UNKNOWN } from "./orders.ts";

export const POSTBACK = {
  trust: "signed",
  externalRef: REF,
  id: 81_001,
  rawStatus: "approved",
  amount: 1990,
} as const;

/** The state that the next claim of the payment or postback gets. */
type Seen = "yours" | "claimed" | "created" | "unresolved" | "busy" | "done";

/** An operation that writes, and how to see whether it happened. */
export interface Operation {
  readonly name: string;
  readonly arrange: (store: PaymentsStore) => Promise<unknown>;
  readonly act: (store: PaymentsStore) => Promise<unknown>;
  readonly result: unknown;
  /** The states if it did not happen, and if it did. */
  readonly seen: readonly [before: Seen, after: Seen];
  readonly look: (store: PaymentsStore) => Promise<string>;
}

const payment = async (store: PaymentsStore) => (await store.claim(by("next"), LEASE)).state;
const postback = async (store: PaymentsStore) => (await store.claimPostback(POSTBACK, "next", LEASE)).state;

/** The result of `recordOutcome` for an order with one attempt. */
const NOTHING_ELSE = { possibleDuplicates: [], isReplaced: false };

const nothing = async () => undefined;
const claim = (store: PaymentsStore) => store.claim(ORDER, LEASE);
const claimPostback = (store: PaymentsStore) => store.claimPostback(POSTBACK, "a", LEASE);
const openPostback = (store: PaymentsStore) => store.claimPostback(POSTBACK, "a", LEASE, {});
async function endUnknown(store: PaymentsStore) {
  await claim(store);
  return store.recordOutcome(ORDER, UNKNOWN);
}
const approved = { status: "approved", rawStatus: "approved", amount: 1990 } as const;

function on(look: Operation["look"], arrange: Operation["arrange"]) {
  return (name: string, act: Operation["act"], result: unknown, ...seen: Operation["seen"]): Operation => {
    return { name, arrange, act, result, seen, look };
  };
}

const onFree = on(payment, nothing);
const onClaimed = on(payment, claim);
const onUnresolved = on(payment, endUnknown);
const onFreePostback = on(postback, nothing);
const onClaimedPostback = on(postback, claimPostback);
const onRunningPostback = on(postback, openPostback);
const onOpenPostback = on(postback, async (store) => {
  await openPostback(store);
  await store.releasePostback(POSTBACK, "a");
});

const endAs = (end: AttemptOutcome) => (store: PaymentsStore) => store.recordOutcome(ORDER, end);
const CREATED: AttemptOutcome = { outcome: "created", transactionId: 7 };
const resolveAs = (finding: Finding) => async (store: PaymentsStore) =>
  (await store.resolve(REF, finding)).state;
const release = (store: PaymentsStore) => store.releasePostback(POSTBACK, "a");
const fail = (store: PaymentsStore) =>
  store.releasePostback(POSTBACK, "a", { name: "Error", retryAfterMs: LEASE });
const approve = resolveAs({ transactionId: 7, status: "approved" });

export const OPERATIONS: readonly Operation[] = [
  onFree("claim", claim, { state: "yours" }, "yours", "claimed"),
  onClaimed("renew", (store) => store.renew(ORDER, LEASE), true, "claimed", "claimed"),
  onClaimed("recordOutcome, created", endAs(CREATED), NOTHING_ELSE, "claimed", "created"),
  onClaimed("recordOutcome, unknown", endAs(UNKNOWN), NOTHING_ELSE, "claimed", "unresolved"),
  onClaimed("recordOutcome, not created", endAs(NOT_CREATED), NOTHING_ELSE, "claimed", "yours"),
  onClaimed(
    "recordPostback",
    (store) => store.recordPostback(REF, { ...approved, id: 7 }),
    [],
    "claimed",
    "created",
  ),
  onUnresolved("resolve, charged", approve, "created", "unresolved", "created"),
  onUnresolved("resolve, not charged", resolveAs({ charged: false }), "free", "unresolved", "yours"),
  onFreePostback("claimPostback", claimPostback, { state: "yours", handled: [] }, "yours", "busy"),
  onClaimedPostback(
    "renewPostback",
    (store) => store.renewPostback(POSTBACK, "a", LEASE),
    true,
    "busy",
    "busy",
  ),
  onClaimedPostback("confirmPostback", (store) => store.confirmPostback(POSTBACK, "a"), true, "busy", "done"),
  onClaimedPostback("releasePostback", release, undefined, "busy", "yours"),
  onRunningPostback("releasePostback, failed", fail, undefined, "busy", "yours"),
  onOpenPostback(
    "closePostbacks",
    async (store) => (await store.closePostbacks(REF)).length,
    1,
    "yours",
    "done",
  ),
];
