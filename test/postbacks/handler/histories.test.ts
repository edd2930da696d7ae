import { memoryStore, type OrderRecord, type PaymentsStore } from "payments-sdk/idempotency";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  A,
  a,
  aShop,
  B,
  type Body,
  b,
  callOf,
  card,
  PAID,
  pix,
  resolved,
  type Step,
  WRONG,
} from "../support/shop.ts";

// Which callbacks run, whatever happens to an order.

// The timer of retries must not run a callback again on its own, however slow the machine is.
beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

const REF = A.externalRef;

/** Its callback fails. */
const failing =
  (body: Body): Step =>
  async ({ post, failNext }) => {
    failNext();
    expect(await post(body)).toBe(500);
  };

/** It is left for later, and calls nothing. */
const busy =
  (body: Body): Step =>
  async ({ post, calls }) => {
    const before = [...calls];
    expect(await post(body)).toBe(503);
    expect(calls).toEqual(before);
  };

/** It arrives while an operation of the store fails. */
const withoutStore =
  (name: "get" | "recordPostback", body: Body): Step =>
  async ({ post, store }) => {
    const operation = store[name];
    Object.assign(store, { [name]: () => Promise.reject(new Error("down")) });
    expect(await post(body)).toBe(503);
    Object.assign(store, { [name]: operation });
  };

const retried: Step = ({ handler }) => handler.retryFailed();

/** The process that handled it has died. */
const abandoned: Step = async ({ store }) => {
  const key = { trust: "signed", externalRef: REF, id: A.id, rawStatus: "approved", amount: PAID } as const;
  await store.claimPostback(key, "dies", 60_000, { signedAmount: PAID });
  await store.releasePostback(key, "dies"); // as if its lease were over
};

const CALL = callOf("caller", "credit_card");
const callBegins: Step = ({ store }) => store.claim(CALL, 60_000);
const callIsLost: Step = ({ store }) => store.recordOutcome(CALL, { outcome: "unknown" });

const APPROVED = { state: "created", transaction: { status: "approved" } };
const freeAs = (lastStatus: string) => ({ state: "free", lastStatus });

type History = [rule: string, steps: readonly Step[], calls: readonly string[], record?: object];

/** What postbacks say. */
const POSTBACKS: readonly History[] = [
  ["an approved ships", [a("approved")], ["onPaid A"]],
  ["a repeated approved ships once", [a("approved"), a("approved")], ["onPaid A"]],
  ["another spelling of approved ships nothing", [a("approved"), a("PAID")], ["onPaid A"]],
  ["pending and processing call nothing", [a("pending"), a("processing")], []],
  ["a late pending undoes nothing", [a("approved"), a("pending")], ["onPaid A"]],
  ["a late expired undoes nothing", [a("approved"), a("expired")], ["onPaid A"]],
  ["a wrong amount uses nothing up", [a("approved", WRONG), a("approved")], ["amount_differs A", "onPaid A"]],
  ["a second payment is reviewed", [a("approved"), b("approved")], ["onPaid A", "paid_twice B"]],
  ["the expiry of another transaction undoes nothing", [a("approved"), b("expired")], ["onPaid A"]],
  ["the refund of another transaction undoes nothing", [a("approved"), b("refunded")], ["onPaid A"]],
  ["that of a second payment, too", [A, B, b("refunded")], ["onPaid A", "paid_twice B"]],
  ["approved after expired is reviewed", [a("expired"), A], ["onNotPaid A", "unclear_transition A"]],
  [
    "a refund without a payment is reviewed",
    [a("refunded"), A],
    ["unclear_transition A", "unclear_transition A"],
  ],
  ["a refund of what was shipped is returned", [A, a("refunded")], ["onPaid A", "onReturned A"]],
  [
    "each partial refund is returned, and a chargeback after them",
    [A, a("refunded", 100), a("refunded", 200), a("chargedback")],
    ["onPaid A", "onReturned A", "onReturned A", "onReturned A"],
  ],
  [
    "a refund after a refusal is reviewed",
    [a("refused"), a("refunded")],
    ["onNotPaid A", "unclear_transition A"],
  ],
  ["cancelled after approved is reviewed", [A, a("cancelled")], ["onPaid A", "unclear_transition A"]],
  ["a refusal is not paid", [a("refused")], ["onNotPaid A"]],
  ["a refusal while another transaction is pending calls nothing", [b("pending"), a("refused")], []],
  ["a refusal after a payment calls nothing", [B, a("refused")], ["onPaid B"]],
  ["a refused card does not stop the next one", [a("refused"), B], ["onNotPaid A", "onPaid B"]],
  ["an expiry over another amount ends nothing", [a("expired", WRONG), A], ["amount_differs A", "onPaid A"]],
  ["a transaction that was not paid ends once", [a("refused"), a("expired")], ["onNotPaid A"]],
  ["a returned order is not unpaid", [A, a("refunded"), b("expired")], ["onPaid A", "onReturned A"]],
  ["an unknown status is reviewed", [a("settled")], ["unrecognized_status A"]],
  [
    "a payment is not shipped again after a flood of other transactions",
    [
      ...Array.from({ length: 301 }, (_, id) => ({ id: id + 1, status: "pending" })),
      ...[A, { id: 5_000, status: "pending" }, A, { id: 5_001, status: "pending" }, A],
    ],
    ["onPaid A"],
  ],
  [
    "of a second payment that no longer fits into the record of its order, the first is still known",
    [A, ...Array.from({ length: 100 }, (_, cents) => failing(a("refunded", cents + 1))), B],
    ["onPaid A", "paid_twice B"],
  ],
];

/** What runs again is decided anew. */
const RETRIES: readonly History[] = [
  [
    "a payment does not ship after a refund",
    [failing(A), a("refunded"), retried],
    ["onReturned A", "unclear_transition A"],
  ],
  ["a payment keeps its place", [failing(A), B, retried], ["paid_twice B", "onPaid A"]],
  ["a payment ships after a late expiry", [failing(A), a("expired"), retried], ["onPaid A"]],
  [
    "a refusal calls nothing once the transaction is approved, also over another amount",
    [failing(a("refused")), a("approved", WRONG), retried],
    ["amount_differs A"],
  ],
  [
    "an expiry calls nothing once the pix is paid",
    [failing(a("expired")), a("pending"), A, retried],
    ["unclear_transition A"],
  ],
  ["an expiry after an abandoned payment is late", [pix(A), abandoned, a("expired"), retried], ["onPaid A"]],
  [
    "a refusal waits for its create call",
    [callBegins, busy(a("refused")), callIsLost, retried],
    ["onNotPaid A"],
  ],
];

/** What the order's record and persons say. */
const RECORDS: readonly History[] = [
  ...(["refused", "cancelled", "expired", "refunded"] as const).map(
    (status): History => [
      `a payment that a person recorded as ${status} while its callback failed is reviewed, and stays recorded`,
      [pix(A), failing(A), resolved(A, status), retried],
      ["unclear_transition A"],
      status === "refunded" ? { transaction: { status } } : { ...freeAs(status), unchargedIds: [A.id] },
    ],
  ),
  [
    "a payment that a person recorded as cancelled before is reviewed, also if the review has to run twice",
    [pix(A), resolved(A, "cancelled"), failing(A), retried],
    ["unclear_transition A"],
    APPROVED, // no second charge
  ],
  [
    "a repeated postback does not undo what a person recorded since",
    [pix(A), A, resolved(A, "cancelled"), A],
    ["onPaid A"],
    freeAs("cancelled"),
  ],
  [
    "nor does it after a failure",
    [pix(A), failing(A), resolved(A, "cancelled"), A],
    ["unclear_transition A"],
    freeAs("cancelled"),
  ],
  [
    "a refund that a person corrected stays corrected",
    [pix(A), A, a("refunded"), resolved(A, "approved"), a("refunded")],
    ["onPaid A", "onReturned A"],
    APPROVED,
  ],
  ...(["recordPostback", "get"] as const).map(
    (name): History => [
      `a payment after an expiry is recorded, also if ${name}() failed when it arrived: no second pix is sent`,
      [pix(A), a("expired"), withoutStore(name, A), retried],
      ["onNotPaid A", "unclear_transition A"],
      APPROVED,
    ],
  ),
  [
    "a record that could not be read makes no transaction the payment of its order",
    [card(B, "approved"), withoutStore("get", A), retried, B, a("refunded"), b("refunded")],
    ["paid_twice A", "onPaid B", "onReturned B"],
  ],
  [
    "a record that the store has lost is repaired by a repeated postback",
    [A, pix(A), A],
    ["onPaid A"],
    APPROVED,
  ],
  [
    "the refund of a pix whose payment was never reported is reviewed",
    [pix(A), a("refunded")],
    ["unclear_transition A"],
  ],
  [
    "and does not pay for the order, if it fails at first",
    [pix(A), failing(a("refunded")), retried, B],
    ["unclear_transition A", "onPaid B"],
  ],
  [
    "nor before a chargeback",
    [pix(A), a("refunded"), a("chargedback"), B],
    ["unclear_transition A", "unclear_transition A", "onPaid B"],
  ],
  [
    "a payment is the second if a person recorded that another one paid",
    [pix(B), b("pending"), resolved(B, "approved"), A],
    ["paid_twice A"],
  ],
  [
    "the refund of a card that a person recorded as refunded is returned",
    [card(A, "approved"), resolved(A, "refunded"), a("refunded")],
    ["onReturned A"],
  ],
  [
    "a wrong amount that a person recorded as paid in full is the payment of its order",
    [pix(A), a("approved", WRONG), resolved(A, "approved"), B, a("refunded")],
    ["amount_differs A", "paid_twice B", "onReturned A"],
  ],
  [
    "a payment after one that a person recorded as cancelled is reviewed, but not as the second",
    [pix(A), failing(A), resolved(A, "cancelled"), retried, pix(B), B],
    ["unclear_transition A", "unclear_transition B"],
  ],
  [
    "a payment of a refused card is reviewed, and so is its refund",
    [card(A, "refused"), a("refunded"), A],
    ["unclear_transition A", "unclear_transition A"],
  ],
  [
    "a card that was approved at once is the payment of its order",
    [card(A, "approved"), B, b("refunded"), A, a("chargedback")],
    ["paid_twice B", "onPaid A", "onReturned A"],
  ],
  ["also after a chargeback", [card(A, "approved"), a("chargedback"), B], ["onReturned A", "paid_twice B"]],
  [
    "a pix that a person recorded as paid is the payment of its order",
    [pix(A), resolved(A, "approved"), B, b("refunded"), a("refunded", 100), a("chargedback")],
    ["paid_twice B", "onReturned A", "onReturned A"],
  ],
  [
    "cancelled, of a card that was approved at once, is reviewed, and a late expired is not",
    [card(A, "approved"), a("expired"), a("cancelled")],
    ["unclear_transition A"],
  ],
  [
    "the chargeback of a wrong amount is reviewed",
    [pix(A), a("approved", WRONG), a("chargedback", WRONG)],
    ["amount_differs A", "unclear_transition A"],
  ],
  [
    "a transaction over the right amount replaces the record of one over a wrong amount",
    [pix(A), a("approved", WRONG), B],
    ["amount_differs A", "onPaid B"],
    { ...APPROVED, transactionId: B.id },
  ],
  [
    "a pix that was expired, and the pix after it, call onNotPaid each",
    [pix(A), a("expired"), pix(B), b("expired")],
    ["onNotPaid A", "onNotPaid B"],
  ],
];

async function live(shop: ReturnType<typeof aShop<PaymentsStore>>, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    if (typeof step === "function") await step(shop);
    else expect(await shop.post(step)).toBe(200);
  }
}

test.each([...POSTBACKS, ...RETRIES, ...RECORDS])("%s", async (_rule, steps, expected, record) => {
  const shop = aShop({ ...memoryStore() });

  await live(shop, steps);

  expect(shop.calls).toEqual(expected);
  if (record !== undefined) expect(await shop.store.get(REF)).toMatchObject(record);
});

/** A custom store whose records are different. */
const reading = (change: (record: OrderRecord | undefined) => unknown): PaymentsStore => {
  const store = memoryStore();
  return { ...store, get: async (externalRef) => change(await store.get(externalRef)) as never };
};

/** A custom store whose claims show other postbacks of the order. */
const showing = (order: object): PaymentsStore => {
  const store = memoryStore();
  const claimPostback: typeof store.claimPostback = async (...args) => {
    const claim = await store.claimPostback(...args);
    return (claim.state === "yours" ? { ...claim, order } : claim) as typeof claim;
  };
  return { ...store, claimPostback };
};

test.each<[string, PaymentsStore, readonly Step[], readonly string[]]>([
  [
    "whose records have no lists",
    reading((record) => record && { ...record, earlierIds: undefined, possibleDuplicates: undefined }),
    [callBegins, busy(a("refused")), B],
    ["onPaid B"],
  ],
  [
    "whose lists contain null",
    reading((record) => record && { ...record, possibleDuplicates: [null] }),
    [callBegins, busy(a("refused")), B],
    ["onPaid B"],
  ],
  [
    "whose record has a duplicate that was approved without a postback",
    reading((record) => record && { ...record, possibleDuplicates: [{ id: B.id, status: "approved" }] }),
    [pix(A), A],
    ["paid_twice A"],
  ],
  ["in which no record is null", reading(() => null), [A], ["onPaid A"]],
  ["in which no winner is null", showing({ winner: null, recorded: [] }), [A], ["onPaid A"]],
  ["in which an order lacks its postbacks", showing({}), [A], ["onPaid A"]],
  [
    "that does not record postbacks, so that its record stays pending",
    { ...memoryStore(), recordPostback: undefined as never },
    [pix(A), A],
    ["onPaid A"],
  ],
])("a custom store %s", async (_rule, store, steps, expected) => {
  const shop = aShop(store);

  await live(shop, steps);

  expect(shop.calls).toEqual(expected);
});
