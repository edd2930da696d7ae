import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { sqliteStore, type UnresolvedOrder } from "payments-sdk/idempotency";
import { parsePostback } from "payments-sdk/postbacks";
import { startSandbox } from "payments-sdk/sandbox/server";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { compare } from "../../../examples/reconcile/compare.ts";
import { readOrders } from "../../../examples/reconcile/read-orders.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { tool } from "../../support/tool.ts";

const ORDER = { externalRef: "order-1", amount: 1990 };

const postback = (status: string, overrides: object = {}) =>
  parsePostback({ id: 1, status, externalRef: "order-1", amount: 1990, ...overrides });

const second = (status: string) => postback(status, { id: 2 });

const unresolved = (earlierIds: readonly number[] = []): UnresolvedOrder => ({
  ...ORDER,
  paymentMethod: "pix",
  attempt: 2,
  reason: "no_answer",
  since: "2026-11-21T12:00:00.000Z",
  earlierIds,
});

describe("orders without a transaction id", () => {
  test.each([
    // the status of the order, then the postbacks in the order of their arrival
    [undefined, [], "missing", 0],
    ["pending", [], "waiting", 0],
    ["approved", [], "paid", 1990],
    ["refused", [], "not_paid", 0],
    ["refunded", [], "given_back", 0],
    ["unrecognized", [], "look", 0],
    [undefined, [postback("approved")], "paid", 1990],
    ["pending", [postback("approved")], "paid", 1990],
    ["pending", [postback("approved"), postback("pending")], "paid", 1990], // late
    ["refunded", [postback("refunded"), postback("approved")], "given_back", 0], // late
    ["pending", [postback("approved"), postback("refunded")], "given_back", 0],
    ["refused", [second("approved")], "paid", 1990], // another attempt
    ["approved", [postback("refused")], "paid", 1990], // another attempt
    [undefined, [postback("refused"), second("approved")], "paid", 1990],
    [undefined, [postback("approved"), second("approved")], "paid_twice", 3980],
    [undefined, [postback("approved"), postback("refunded"), second("approved")], "paid", 1990],
    ["pending", [postback("approved", { amount: 1 })], "other_amount", 1],
    ["pending", [postback("approved", { externalRef: "order-2" })], "waiting", 0],
    ["expired", [postback("expired")], "not_paid", 0],
    // of the same transaction, or of another one?
    ["pending", [postback("refused")], "look", 0],
    ["chargedback", [postback("approved")], "look", 0],
    ["refunded", [postback("approved"), second("approved")], "look", 1990],
    // ambiguous
    [undefined, [postback("settled")], "look", 0],
    [undefined, [postback("refused"), postback("approved")], "look", 1990],
    [undefined, [postback("approved"), postback("refused")], "look", 1990],
    [undefined, [postback("approved"), postback("approved", { amount: 1 })], "look", 1990],
    // not ambiguous
    [undefined, [postback("settled"), postback("approved")], "paid", 1990],
    // partial refunds
    [
      undefined,
      [postback("approved"), postback("refunded", { amount: 995 }), postback("refunded", { amount: 995 })],
      "look", // two refunds, or the same one twice?
      995,
    ],
    ["approved", [postback("approved"), postback("refunded", { amount: 500 })], "look", 1490],
    [undefined, [postback("refunded", { amount: 500 })], "look", 1490],
    [
      undefined,
      [postback("approved"), postback("refunded", { amount: 500 }), postback("refunded", { amount: 1490 })],
      "given_back",
      0,
    ],
  ] as const)("with status %s and the postbacks %j: %s, %i cents", (status, postbacks, verdict, paid) => {
    const [found] = compare([{ ...ORDER, status }], postbacks, []);

    expect(found).toMatchObject({ verdict, paid });
  });
});

describe("orders with transaction id 1", () => {
  test.each([
    ["pending", [postback("expired")], "not_paid", 0],
    ["approved", [second("refused")], "paid", 1990],
    ["approved", [second("approved")], "paid_twice", 3980],
    ["approved", [postback("approved", { amount: 1 })], "other_amount", 1],
    ["approved", [postback("chargedback")], "given_back", 0],
    ["refunded", [postback("approved"), second("approved")], "paid", 1990],
    ["refused", [postback("approved")], "look", 1990],
    ["approved", [postback("refused")], "look", 1990],
    ["approved", [postback("approved"), postback("refunded", { amount: 500 })], "look", 1490],
  ] as const)("with status %s and the postbacks %j: %s, %i cents", (status, postbacks, verdict, paid) => {
    const [found] = compare([{ ...ORDER, status, transactionId: 1 }], postbacks, []);

    expect(found).toMatchObject({ verdict, paid });
  });
});

describe("an order with an unresolved attempt", () => {
  test.each([
    [undefined, [], [], "unresolved"],
    ["refused", [], [], "unresolved"], // a second attempt may have charged
    ["pending", [postback("approved")], [], "paid"], // the postback of the attempt
    ["refunded", [postback("refunded")], [1], "unresolved"],
    ["approved", [postback("approved")], [1], "look"], // it may be paid twice
    ["approved", [], [], "look"], // which attempt was approved?
  ] as const)(
    "with status %s, the postbacks %j and the earlier transactions %j: %s",
    (status, postbacks, earlierIds, verdict) => {
      const [found] = compare([{ ...ORDER, status }], postbacks, [unresolved(earlierIds)]);

      expect(found?.verdict).toBe(verdict);
    },
  );
});

const STATUSES = [
  "pending",
  "processing",
  "approved",
  "refused",
  "cancelled",
  "expired",
  "refunded",
  "chargedback",
  "unrecognized",
] as const;
const POSTBACKS = STATUSES.flatMap((status) => [postback(status), second(status)]);
const ORDERS = [undefined, ...STATUSES].flatMap((status) =>
  [undefined, 1, 2].map((transactionId) => ({ ...ORDER, status, transactionId })),
);

test("an order with an approved status or postback is never reported as unpaid", () => {
  const pairs = POSTBACKS.flatMap((one) => POSTBACKS.map((two) => [one, two]));
  const wrong = pairs.flatMap((postbacks) =>
    compare(ORDERS, postbacks, []).filter(({ status, verdict }) => {
      const statuses = [status, ...postbacks.map((one) => one.status)];
      const isGivenBack = statuses.includes("refunded") || statuses.includes("chargedback");
      const expected = ["paid", "paid_twice", "look", ...(isGivenBack ? ["given_back"] : [])];
      return statuses.includes("approved") && !expected.includes(verdict);
    }),
  );

  expect(wrong).toEqual([]);
});

function files(contents: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(contents)) writeFileSync(join(folder, name), text);
  return folder;
}

test.each([
  ["reais with a comma", "externalRef;amount\norder-1;19,90\n", "a whole number of cents"],
  ["reais with a point", "externalRef,amount\norder-1,19.90\n", "a whole number of cents"],
  ["more cells than columns", "externalRef,amount\norder-1,19,90\n", "row 1 has 3 cells, and the head 2"],
  ["an order twice", "externalRef,amount\na,1\nb,2\na,1\n", "order 3 has the externalRef of order 1"],
  ["an unknown status", "externalRef,amount,status\na,1,paid\n", "its status must be one of pending, "],
])("orders that could be misread throw: %s", (_what, contents, message) => {
  const file = join(files({ "orders.csv": contents }), "orders.csv");

  expect(() => readOrders(file)).toThrow(message);
});

/** The output of the command for a shop's orders, with a store and a service. */
async function reconcile(orders: string, ...args: readonly string[]) {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv("PAYMENTS_BASE_URL", sandbox.baseUrl);
  vi.stubEnv("PAYMENTS_SECRET_KEY", sandbox.secretKey);
  vi.stubEnv("PAYMENTS_PUBLIC_KEY", sandbox.publicKey);
  vi.stubEnv("PAYMENTS_STORE", undefined);
  const received = [
    { result: "handled", trust: "signed", postback: postback("approved").raw },
    { result: "handled", trust: "unsigned", postback: postback("approved", { externalRef: "order-2" }).raw },
  ];
  const folder = files({
    "orders.csv": orders,
    "heard.jsonl": received.map((line) => JSON.stringify(line)).join("\n"),
  });
  const store = sqliteStore(join(folder, "payments.db"));
  const lost = { externalRef: "order-3", amount: 890, paymentMethod: "pix", owner: "the process" } as const;
  await store.claim(lost, 60_000);
  await store.end(lost, { outcome: "unknown" });
  store.close();
  const flags = ["orders=orders.csv", "postbacks=heard.jsonl", "store=payments.db"].map((pair) => {
    const [flag = "", file = ""] = pair.split("=");
    return `--${flag}=${join(folder, file)}`;
  });
  const { stdout, stderr } = await tool("node", ["examples/reconcile.ts", ...flags, ...args, "--json"]);
  return stdout === "" ? stderr : (JSON.parse(stdout) as unknown);
}

test("orders are compared with signed postbacks, the store and the revenue of the month", async () => {
  const orders = "externalRef,amount,status\norder-1,1990,pending\norder-2,4990,\norder-3,890,\n";

  const found = await reconcile(orders, "--seller", "seller_2");

  expect(found).toMatchObject({
    orders: [
      { externalRef: "order-1", verdict: "paid", paid: 1990 },
      { externalRef: "order-2", verdict: "missing", paid: 0 },
      { externalRef: "order-3", verdict: "unresolved", paid: 0 },
    ],
    paidInCents: 1990,
    earnedInCents: 129_950,
  });
});

test("without files, the command reconciles generated examples", async () => {
  const { code, stdout } = await tool("node", ["examples/reconcile.ts"]);

  expect(code).toBe(0);
  expect(stdout).toMatch(/order-4 +R\$\s120,00 +unresolved\n(.*\n)+ +Difference +R\$\s128,90: /);
});
