import { expect } from "vitest";

/** What an example must print on a sandbox of its own. */
export interface Row {
  readonly name: string;
  readonly args?: readonly string[];
  /** For people. */
  readonly prints: RegExp;
  /** With `--json`: a value for each line. */
  readonly lines: readonly unknown[];
}

const pixCode = expect.stringMatching(/^000201.*6304[0-9A-F]{4}$/);
const approved = { status: "approved", amount: 1990, installments: 1 };
const refused = { status: "refused", refusedReason: "Insufficient limit" };
const pending = { status: "pending", amount: 1990, pix: { qrcodeText: pixCode } };
const online = { gateway: "online", database: "online", tokenizer: "online", notifications: "online" };
const timedOut = { error: "TimeoutError", outcome: "unknown" };

/** One row an example, but for the shop, which has no end of its own. */
export const ROWS: readonly Row[] = [
  {
    name: "quickstart",
    prints: /1\. A card payment(?:.*\n)+2\. A card payment(?:.*\n)+3\. A pix(?:.*\n)+4\. The pix is paid/,
    lines: [
      { step: "status", status: "online", environment: "sandbox" },
      { step: "approved_card", transaction: approved },
      { step: "refused_card", transaction: refused },
      { step: "pix", transaction: pending },
      { step: "postback", trust: "signed", transition: "advance", postback: { status: "approved" } },
    ],
  },
  {
    name: "tokenize",
    prints: /Token +CardToken \{ expires .+ \}\n +Good for +(300|299) s/,
    lines: [{ token: expect.stringMatching(/^eyJ/), expiresAt: expect.stringMatching(/^\d{4}-.+Z$/) }],
  },
  {
    name: "card",
    prints: /Amount +R\$\s19,90\n +Status +approved\n/,
    lines: [approved],
  },
  {
    name: "pix",
    prints: /Status +pending\n +Expires +.+\n\n(?: {2}[█▀▄ ]+\n)+\n +Copy and paste:\n\n000201/,
    lines: [pending],
  },
  {
    name: "company",
    prints: /Takes +credit_card, pix\n +At least +R\$\s1,00\n +At most +R\$\s100\.000,00\n/,
    lines: [{ id: 4010, limits: { transactionMinAmount: 100, transactionMaxAmount: 10_000_000 } }],
  },
  {
    name: "status",
    prints:
      /Status +online\n +Environment +sandbox\n(?:.*\n)+ +part +status +latency\n +gateway +online +\d+ ms\n/,
    lines: [{ status: "online", environment: "sandbox", services: online }],
  },
  {
    name: "sellers",
    prints: /id +name +document +status\n +seller_3 .+ pending\n +seller_2 .+ active\n +seller_1 .+ active\n/,
    lines: [[{ id: "seller_3" }, { id: "seller_2", status: "active" }, { id: "seller_1" }]],
  },
  {
    name: "revenue",
    prints:
      / seller_2 +Livraria Exemplo +R\$\s18\.450,90 +R\$\s1\.299,50\n(?:.*\n)* +all +R\$\s18\.450,90 +R\$\s1\.299,50\n/,
    lines: [
      {
        sellers: [
          { id: "seller_3", totalInCents: 0 },
          { id: "seller_2", totalInCents: 1_845_090, monthInCents: 129_950 },
          { id: "seller_1", totalInCents: 0 },
        ],
        totalInCents: 1_845_090,
        monthInCents: 129_950,
      },
    ],
  },
  {
    name: "postbacks",
    prints:
      / approved, .+: signed, advance\n +Again +order-1 approved, .+: nothing ran\n.+ pending, .+: signed, regression\n +Again .+\n +Refused +answered with 401: missing_signature\n/,
    lines: [
      { result: "handled", trust: "signed", transition: "advance", postback: { status: "approved" } },
      { result: "duplicate", postback: { status: "approved" } },
      { result: "handled", trust: "signed", transition: "regression", postback: { status: "pending" } },
      { result: "duplicate", postback: { status: "pending" } },
      { result: "refused", answer: 401, reason: "missing_signature" },
    ],
  },
  {
    name: "reconcile",
    prints: / order-1 +R\$\s19,90 +paid +R\$\s19,90\n(?:.*\n)+ +Difference +R\$\s128,90: /,
    lines: [
      {
        orders: [
          { externalRef: "order-1", verdict: "paid", paid: 1990 },
          { externalRef: "order-2", verdict: "waiting", paid: 0 },
          { externalRef: "order-3", verdict: "not_paid", paid: 0 },
          { externalRef: "order-4", verdict: "unresolved", paid: 0 },
          { externalRef: "order-5", verdict: "missing", paid: 0 },
        ],
        strangers: [],
        paidInCents: 1990,
        earnedInCents: 1990 + 12_000 + 890,
      },
    ],
  },
  {
    name: "faults",
    prints: /fault +charged +error code +outcome\n +charged_then_reset +yes +connection_failed +unknown\n/,
    lines: [
      [
        { kind: "charged_then_reset", charged: true, code: "connection_failed", outcome: "unknown" },
        { kind: "charged_then_stalled", charged: true, code: "timed_out", outcome: "unknown" },
        { kind: "charged_then_500", charged: true, code: "server_error", outcome: "unknown" },
        { kind: "stalled_body", charged: true, code: "timed_out", outcome: "unknown" },
        { kind: "redirect_307", charged: false, code: "redirected", outcome: "rejected" },
        { kind: "html_502", charged: false, code: "server_error", outcome: "unknown" },
        { kind: "truncated_json", charged: true, code: "unexpected_response", outcome: "created" },
        { kind: "unknown_status", charged: true, code: null, outcome: "created", status: "unrecognized" },
        { kind: "drifted_body", charged: true, code: null, outcome: "created", status: "pending" },
        { kind: "rate_limited", charged: false, code: "rate_limited", outcome: "rejected" },
        { kind: "refused_connection", charged: false, code: "connection_failed", outcome: "not_sent" },
      ],
    ],
  },
  {
    name: "unresolved",
    prints: /1\. A create times out(?:.*\n)+3\. The buyer pays(?:.*\n)+5\. A person looks/,
    lines: [
      { externalRef: "order-1", ...timedOut },
      { externalRef: "order-1", error: "OutcomePendingError", outcome: "unknown" },
      { externalRef: "order-1", transactions: [expect.any(Number)] },
      { unresolved: [{ externalRef: "order-1", attempt: 1 }] },
      { unresolved: [] },
      { externalRef: "order-1", status: "approved", replayed: true },
      { externalRef: "order-2", error: "ServerError", outcome: "unknown" },
      { unresolved: [{ externalRef: "order-2" }] },
      { externalRef: "order-2", transactions: [] },
      { externalRef: "order-2", state: "free" },
      { externalRef: "order-2", status: "pending", replayed: false },
      { externalRef: "order-2", transactions: [expect.any(Number)] },
    ],
  },
];
