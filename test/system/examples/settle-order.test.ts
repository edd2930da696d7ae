import type { Postback, PostbackContext } from "payments-sdk/postbacks";
import { beforeEach, expect, test, vi } from "vitest";
import { payments, settleOrder } from "../../../examples/postbacks/settle-order.ts";

function settle(status: Postback["status"], changes: Partial<Postback & PostbackContext> = {}): void {
  const postback = { id: 7, status, rawStatus: status, amount: 1990, externalRef: "order-1", raw: {} };
  const known = { trust: "signed", amountMatches: true, previousStatus: undefined } as const;
  const context = { ...known, rivals: [], signal: new AbortController().signal };
  settleOrder({ ...postback, ...changes }, { ...context, transition: "advance", ...changes });
}

const payersOf = (externalRef: string) => [...(payments.get(externalRef) ?? [])];

let warnings: readonly unknown[][];

beforeEach(() => {
  payments.clear();
  warnings = vi.spyOn(console, "warn").mockImplementation(() => undefined).mock.calls;
});

test.each(["pending", "processing", "refused", "cancelled", "expired"] as const)(
  "an order whose transaction is %s is not paid",
  (status) => {
    settle(status);

    expect(payments.has("order-1")).toBe(false);
  },
);

test.each([
  ["its transaction is refunded", "refunded", {}, []],
  ["its transaction is charged back", "chargedback", {}, []],
  ["an old status arrives late", "expired", { transition: "regression" }, [7]],
  ["another transaction of the order is refunded", "refunded", { id: 8 }, [7]],
] as const)("a paid order has the right payers when %s", (_what, status, changes, payers) => {
  settle("approved");

  settle(status, changes);

  expect(payersOf("order-1")).toEqual(payers);
  expect(warnings).toEqual([]);
});

test.each([
  ["a partial refund", "refunded", { amount: 990, amountMatches: false }],
  ["an unknown status", "unrecognized", { transition: "unclear" }],
] as const)("%s logs a warning for a person, and changes nothing", (_what, status, changes) => {
  settle("approved");

  settle(status, changes);

  expect(payersOf("order-1")).toEqual([7]);
  expect(warnings).toEqual([[expect.stringContaining("order-1")]]);
});

test("a payment with another amount does not pay the order", () => {
  settle("approved", { amount: 1, amountMatches: false });

  expect(payments.has("order-1")).toBe(false);
});

test("an order that is paid twice logs a warning, and stays paid after one refund", () => {
  settle("approved");
  settle("approved", { id: 8 });
  expect(warnings).toEqual([[expect.stringMatching(/order-1 .* 7 and 8/)]]);

  settle("refunded", { id: 7 });

  expect(payersOf("order-1")).toEqual([8]);
});
