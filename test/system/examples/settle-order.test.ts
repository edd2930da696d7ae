import type { Postback, PostbackContext } from "payments-sdk/postbacks";
import { beforeEach, expect, test, vi } from "vitest";
import { payments, settleOrder } from "../../../examples/postbacks/settle-order.ts";

type Changes = Partial<Postback & PostbackContext>;

function settle(status: Postback["status"], changes: Changes = {}): void {
  const postback = { id: 7, status, rawStatus: status, amount: 1990, externalRef: "order-1", raw: {} };
  const known = { trust: "signed", amountMatches: true, previousStatus: undefined } as const;
  const context = { ...known, possibleDuplicates: [], signal: new AbortController().signal };
  settleOrder({ ...postback, ...changes }, { ...context, transition: "advance", ...changes });
}

const payers = () => [...(payments.get("order-1") ?? [])];

let warnings: readonly unknown[][];

beforeEach(() => {
  payments.clear();
  warnings = vi.spyOn(console, "warn").mockImplementation(() => undefined).mock.calls;
});

test.each<[string, Postback["status"], Changes]>([
  ["is pending", "pending", {}],
  ["is refused", "refused", {}],
  ["has another amount", "approved", { amount: 1, amountMatches: false }],
])("an order whose transaction %s is not paid", (_what, status, changes) => {
  settle(status, changes);

  expect(payments.has("order-1")).toBe(false);
});

test.each<[string, Postback["status"], Changes, number[], number]>([
  ["its transaction is refunded", "refunded", {}, [], 0],
  ["its transaction is charged back", "chargedback", {}, [], 0],
  ["an old status arrives late", "expired", { transition: "regression" }, [7], 0],
  ["another transaction of the order is refunded", "refunded", { id: 8 }, [7], 0],
  ["a part is refunded, which warns a person", "refunded", { amount: 990, amountMatches: false }, [7], 1],
  ["a status is unknown, which warns a person", "unrecognized", { transition: "unclear" }, [7], 1],
])("a paid order has the right payers when %s", (_what, status, changes, expected, count) => {
  settle("approved");

  settle(status, changes);

  expect(payers()).toEqual(expected);
  expect(warnings).toEqual(Array(count).fill([expect.stringContaining("order-1")]));
});

test("an order that is paid twice logs a warning, and stays paid after one refund", () => {
  settle("approved");
  settle("approved", { id: 8 });
  expect(warnings).toEqual([[expect.stringMatching(/order-1 .* 7 and 8/)]]);

  settle("refunded", { id: 7 });

  expect(payers()).toEqual([8]);
});
