import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { sqliteStore } from "payments-sdk/idempotency";
import type { TransactionStatus } from "payments-sdk/postbacks";
import { expect, test } from "vitest";
import {
  compare,
  type OpenAttempt,
  type ShopOrder,
  type TransactionRow,
} from "../../src/cli/reconcile/compare-orders.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { runCli } from "./support/run-cli.ts";

const ORDER = { externalRef: "order-1", amount: 1990 };

const row = (status: TransactionStatus, overrides: Partial<TransactionRow> = {}): TransactionRow => ({
  ...{ id: "1", status, externalRef: "order-1", amount: 1990 },
  ...overrides,
});

const refund = (amount: number) => row("refunded", { amount });
const second = (status: TransactionStatus) => row(status, { id: "2" });

/** The comparison of the first order. */
function compareOrder(
  order: Partial<ShopOrder>,
  transactions: readonly TransactionRow[],
  unresolved: readonly OpenAttempt[] = [],
) {
  return compare({ orders: [{ ...ORDER, ...order }], transactions, unresolved }).next().value;
}

test.each([
  // the status of the order, then the rows of the file; the order has no transaction id
  [undefined, [], "missing", 0],
  ["pending", [], "waiting", 0],
  ["approved", [], "paid", 1990],
  ["refused", [], "not_paid", 0],
  ["refunded", [], "given_back", 0],
  ["unrecognized", [], "unclear", 0],
  [undefined, [row("approved")], "paid", 1990],
  ["pending", [row("approved")], "paid", 1990],
  ["pending", [row("approved"), row("pending")], "paid", 1990], // late
  ["refunded", [row("refunded"), row("approved")], "given_back", 0], // late
  ["pending", [row("approved"), row("refunded")], "given_back", 0],
  ["refused", [second("approved")], "paid", 1990], // another attempt
  ["approved", [row("refused")], "paid", 1990], // another attempt
  [undefined, [row("refused"), second("approved")], "paid", 1990],
  [undefined, [row("approved"), second("approved")], "paid_twice", 3980],
  [undefined, [row("approved"), row("refunded"), second("approved")], "paid", 1990],
  ["pending", [row("approved", { amount: 1 })], "other_amount", 1],
  ["pending", [row("approved", { amount: 1991 })], "other_amount", 1991],
  ["pending", [row("approved", { externalRef: "order-2" })], "waiting", 0],
  ["expired", [row("expired")], "not_paid", 0],
  // of the same transaction, or of another one?
  ["pending", [row("refused")], "unclear", 0],
  ["chargedback", [row("approved")], "unclear", 0],
  ["refunded", [row("approved"), second("approved")], "unclear", 1990],
  // ambiguous
  [undefined, [row("unrecognized")], "unclear", 0],
  [undefined, [row("refused"), row("approved")], "unclear", 1990],
  [undefined, [row("approved"), row("refused")], "unclear", 1990],
  [undefined, [row("approved"), row("approved", { amount: 1 })], "unclear", 1990],
  // not ambiguous
  [undefined, [row("unrecognized"), row("approved")], "paid", 1990],
  // partial refunds
  [undefined, [row("approved"), refund(995), refund(995)], "unclear", 995], // two, or the same one twice?
  ["approved", [row("approved"), refund(500)], "unclear", 1490],
  [undefined, [refund(500)], "unclear", 1490],
  [undefined, [row("approved"), refund(500), refund(1490)], "given_back", 0],
  // the order has transaction id 1
  ["pending", [row("expired")], "not_paid", 0, "1"],
  ["approved", [second("refused")], "paid", 1990, "1"],
  ["approved", [second("approved")], "paid_twice", 3980, "1"],
  ["approved", [row("approved", { amount: 1 })], "other_amount", 1, "1"],
  ["approved", [row("chargedback")], "given_back", 0, "1"],
  ["refunded", [row("approved"), second("approved")], "paid", 1990, "1"],
  ["refused", [row("approved")], "unclear", 1990, "1"],
  ["approved", [row("refused")], "unclear", 1990, "1"],
  ["approved", [row("approved"), refund(500)], "unclear", 1490, "1"],
] as const)(
  "an order with the status %s and the rows %j: %s, %i cents, %s",
  (status, rows, verdict, paid, id?) => {
    expect(compareOrder({ status, transactionId: id }, rows)).toMatchObject({ verdict, paid });
  },
);

test.each([
  [undefined, [], [], "unresolved"],
  ["refused", [], [], "unresolved"], // a second attempt may have charged
  ["pending", [row("approved")], [], "paid"], // the row of the attempt
  ["refunded", [row("refunded")], [1], "unresolved"],
  ["approved", [row("approved")], [1], "unclear"], // it may be paid twice
  ["approved", [], [], "unclear"], // which attempt was approved?
] as const)("unresolved with the status %s, the rows %j and the ids %j: %s", (status, rows, ids, verdict) => {
  const attempt = { externalRef: "order-1", attempt: 2, earlierIds: ids };

  expect(compareOrder({ status }, rows, [attempt])).toMatchObject({ verdict });
});

const STATUSES = [
  ...(["pending", "processing", "approved", "refused", "cancelled"] as const),
  ...(["expired", "refunded", "chargedback", "unrecognized"] as const),
];
const ROWS = STATUSES.flatMap((status) => [row(status), second(status)]);
const ORDERS = [undefined, ...STATUSES].flatMap((status) =>
  [undefined, "1", "2"].map((transactionId) => ({ ...ORDER, status, transactionId })),
);

test("an order with an approved status or row is never reported as unpaid", () => {
  const pairs = ROWS.flatMap((one) => ROWS.map((two) => [one, two]));
  const wrong = pairs.flatMap((rows) =>
    ORDERS.filter(({ status, transactionId }) => {
      const verdict = compareOrder({ status, transactionId }, rows)?.verdict;
      const statuses = [status, ...rows.map((one) => one.status)];
      const isGivenBack = statuses.includes("refunded") || statuses.includes("chargedback");
      const expected = ["paid", "paid_twice", "unclear", ...(isGivenBack ? ["given_back"] : [])];
      return statuses.includes("approved") && !expected.includes(verdict);
    }),
  );

  expect(wrong).toEqual([]);
});

/** Runs the command on these files. */
async function reconcile(orders: string | Uint8Array, transactions: string, ...args: readonly string[]) {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, "orders.csv"), orders);
  writeFileSync(join(cwd, "transactions.csv"), transactions);
  const store = sqliteStore(join(cwd, "payments.db"));
  const lost = { externalRef: "order-3", amount: 890, paymentMethod: "pix", owner: "a process" } as const;
  await store.claim(lost, 60_000);
  await store.recordOutcome(lost, { outcome: "unknown" });
  store.close();
  const env = { PAYMENTS_STORE: "payments.db" };
  return await runCli(["reconcile", "orders.csv", "transactions.csv", ...args], { cwd, env });
}

const TRANSACTIONS = "id,externalRef,status,amount\n";

test.each([
  ["reais with a comma", "externalRef;amount\norder-1;19,90\n", "a whole number of cents"],
  ["reais with a point", "externalRef,amount\norder-1,19.90\n", "a whole number of cents"],
  ["too many cells", "externalRef,amount\na,19,90\n", "columns length is 2, got 3 on line 2"],
  ["too few cells", "externalRef,amount\n\na\n", "columns length is 2, got 1 on line 3"],
  [
    "an order twice",
    "externalRef,amount\na,1\n\na,1\n",
    "orders.csv: line 4 repeats the externalRef of line 2",
  ],
  ["a column twice", "externalRef,amount,amount\na,1,2\n", 'two columns named "amount"'],
  ["a misspelled column", "externalRef,amount,statu\na,1,\n", 'column "statu"'],
  ["a missing column", "externalRef,cents\na,1\n", "no column named amount"],
  ["an open quote", 'externalRef,amount\n"a,1\n', "opening quote at line 2"],
  ["a quote inside", 'externalRef,amount\na"b",1\n', "at line 2"],
  ["a cell of quotes", `externalRef,amount\n"${'""'.repeat(5_000_000)}",0\n`, "line 2 has the amount"],
  ["an amount of quotes", `externalRef,amount\na,"${'""'.repeat(5_000_000)}"\n`, /has the amount .{1,200}$/m],
  [
    "a long status",
    `externalRef,amount,status\na,1,${"x".repeat(256)}\n`,
    "line 2 has a status of more than 255",
  ],
  ["no rows", "externalRef,amount\n", "has no rows"],
  ["another encoding", Buffer.from("externalRef,amount\ncaf\xe9,1\n", "latin1"), "save it as CSV UTF-8"],
])("a file of orders that could be misread is refused: %s", async (_what, orders, message) => {
  const { exitCode, stderr } = await reconcile(orders, TRANSACTIONS);

  expect(exitCode).toBe(1);
  expect(stderr).toEqual(
    typeof message === "string" ? expect.stringContaining(message) : expect.stringMatching(message),
  );
});

test("orders are compared with transactions and with the unresolved orders of the store", async () => {
  const orders =
    '\ufeffexternalRef,amount,status\r\norder-1,1990,pending\r\norder-2,4990,\r\n\r\norder-3,890,\n"a""\n;b" ,5,paid\n';
  const transactions = `${TRANSACTIONS}1,order-1,pending,1990\n1,order-1,PAID,1990\n2,"a""\n;b",approved,5\n3,stranger,paid,7\n`;

  const { exitCode, stdout, stderr } = await reconcile(orders, transactions, "--json");

  expect(stdout.match(/.+/g)?.map((line) => JSON.parse(line))).toMatchObject([
    { externalRef: "order-1", verdict: "paid", paid: 1990, problem: "your order is pending" },
    { externalRef: "order-2", verdict: "missing", paid: 0 },
    { externalRef: "order-3", verdict: "unresolved", paid: 0 },
    { externalRef: "stranger", verdict: "unknown_order", paid: 7 },
  ]);
  expect(stderr).toMatch(
    /^2 paid, 1 missing, 1 unresolved, 1 unknown_order\. Paid: R\$\s20,02\.\n4 orders need attention\.\n$/,
  );
  expect(exitCode).toBe(1);
});

test("if every order agrees, nothing is printed without --all, and the exit code is 0", async () => {
  const files = ["externalRef\tamount\n1\t1990\n", `${TRANSACTIONS}1,1,approved,1990\n`] as const;

  expect(await reconcile(...files)).toMatchObject({ exitCode: 0, stdout: "" });
  expect((await reconcile(...files, "--all", "--header")).stdout).toMatch(
    /^reference\tamount\tresult\tpaid\tproblem\n1\tR\$\s19,90\tpaid\tR\$\s19,90\t\n$/,
  );
});
