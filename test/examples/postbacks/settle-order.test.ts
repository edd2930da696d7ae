import type { Postback, PostbackContext } from "payments-sdk/postbacks";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { payments, settleOrder } from "../../../examples/postbacks/settle-order.ts";

function settle(status: Postback["status"], changes: Partial<Postback & PostbackContext> = {}): void {
  const postback = { id: 7, status, rawStatus: status, amount: 1990, externalRef: "order-1", raw: {} };
  const known = { trust: "signed", amountMatches: true, previousStatus: undefined } as const;
  const context = { ...known, rivals: [], signal: new AbortController().signal };
  settleOrder({ ...postback, ...changes }, { ...context, transition: "advance", ...changes });
}

function catchWarnings() {
  const warned = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  onTestFinished(() => warned.mockRestore());
  return warned.mock.calls;
}

/** The transactions that paid for the order. */
const payersOf = (externalRef: string) => [...(payments.get(externalRef) ?? [])];

beforeEach(() => payments.clear());

test.each([
  ["approved", true],
  ["pending", false],
  ["processing", false],
  ["refused", false],
  ["cancelled", false],
  ["expired", false],
] as const)("an order whose transaction is %s is paid: %s", (status, isPaid) => {
  settle(status);

  expect(payments.has("order-1")).toBe(isPaid);
  expect(payersOf("order-1")).toEqual(isPaid ? [7] : []);
});

test.each([
  ["its transaction is refunded", "refunded", {}, []],
  ["its transaction is charged back", "chargedback", {}, []],
  ["an old status comes late", "expired", { transition: "regression" }, [7]],
  ["another transaction of it is refunded", "refunded", { id: 8 }, [7]],
  ["another transaction of it expires", "expired", { id: 8 }, [7]],
] as const)("a paid order, when %s", (_what, status, changes, payers) => {
  const warnings = catchWarnings();
  settle("approved");

  settle(status, changes);

  expect(payersOf("order-1")).toEqual(payers);
  expect(payments.has("order-1")).toBe(payers.length > 0);
  expect(warnings).toEqual([]);
});

test.each([
  ["the refund of a part", "refunded", { amount: 990, amountMatches: false }],
  ["another amount", "approved", { amount: 1, amountMatches: false }],
  ["a status that nobody knows", "unrecognized", { transition: "unclear" }],
  ["a move that nobody expects", "cancelled", { transition: "unclear" }],
] as const)("%s asks a person for a look, and changes nothing", (_what, status, changes) => {
  const warnings = catchWarnings();
  settle("approved");

  settle(status, changes);

  expect(payersOf("order-1")).toEqual([7]);
  expect(warnings).toEqual([[expect.stringContaining("order-1")]]);
});

test("an amount that was not asked for pays no order", () => {
  catchWarnings();

  settle("approved", { amount: 1, amountMatches: false });

  expect(payments.has("order-1")).toBe(false);
});

test("an order that is paid by two transactions keeps both, and asks for one to be given back", () => {
  const warnings = catchWarnings();
  settle("approved");

  settle("approved", { id: 8 });

  expect(payersOf("order-1")).toEqual([7, 8]);
  expect(warnings).toEqual([[expect.stringMatching(/order-1 .* 7 and 8/)]]);
});

test("a payment that is handled again, after a crash, is no second one", () => {
  const warnings = catchWarnings();
  settle("approved");

  settle("approved");

  expect(payersOf("order-1")).toEqual([7]);
  expect(warnings).toEqual([]);
});

test.each([
  [7, [8]],
  [8, [7]],
])("an order that was paid twice stays paid when %i is given back", (id, payers) => {
  catchWarnings();
  settle("approved");
  settle("approved", { id: 8 });

  settle("refunded", { id });

  expect(payersOf("order-1")).toEqual(payers);
});
