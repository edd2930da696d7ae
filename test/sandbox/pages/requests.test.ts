import { expect, test } from "vitest";
import { toCurl } from "../../../src/sandbox/pages/dashboard/curl.ts";
import { toJsonLines } from "../../../src/sandbox/pages/dashboard/json-lines.ts";

const POST = { method: "POST", path: "/api/v1/transactions", endpoint: "transactions.create" } as const;

test("refused fields are marked on their lines, and missing ones where they are missing", () => {
  const body = { amount: 19.9, customer: { name: "Ana" }, items: [{ unitPrice: -1 }] };

  const lines = toJsonLines(body, [
    { field: "amount", message: "A" },
    { field: "items.0.unitPrice", message: "B" },
    { field: "customer.document.number", message: "C" },
    { field: "pix", message: "D" },
  ]);

  expect(lines?.map(({ text, problems }) => text + problems).join(" ")).toBe(
    '{ "amount": 19.9,A "customer": { "name": "Ana" document.numberC }, "items": [ { "unitPrice": -1B } ] pixD }',
  );
});

test("a body of more levels than a reader needs has no lines: it is shown as text", () => {
  const deep = JSON.parse(`${'{"a":'.repeat(2_000)}1${"}".repeat(2_000)}`);

  expect(toJsonLines(deep, [])).toBeUndefined();
});

test.each([
  [
    { ...POST, requestBody: `{"a":"d'água $HOME"}` },
    `curl "$PAYMENTS_BASE_URL/api/v1/transactions" \\
  -u "$PAYMENTS_SECRET_KEY:$PAYMENTS_PUBLIC_KEY" \\
  -H 'content-type: application/json' \\
  --data-raw '{"a":"d'\\''água $HOME"}'`,
  ],
  [
    { method: "DELETE", path: '/pay/x?publicKey=[redacted]&q=$(id)"`{1}', requestBody: "" },
    `curl "$PAYMENTS_BASE_URL/x?publicKey=$PAYMENTS_PUBLIC_KEY&q=%24(id)%22%60%7B1%7D" \\
  -X 'DELETE'`,
  ],
])(
  "a request is a curl command with placeholders for the keys, and quotes that hold: %j",
  (request, command) => {
    expect(toCurl(request, "/pay")).toBe(command);
  },
);
