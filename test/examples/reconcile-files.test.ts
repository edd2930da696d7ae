import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readPostbacks } from "../../examples/reconcile/read-files.ts";
import { readOrders } from "../../examples/reconcile/read-orders.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

function aFile(contents: string | Uint8Array): string {
  const file = join(temporaryFolder(), "file");
  writeFileSync(file, contents);
  return file;
}

const TWO_ORDERS = [
  { externalRef: "order-1", amount: 1990, status: "pending", transactionId: 7 },
  { externalRef: "order-2", amount: 4990 },
];

test.each([
  ["commas", "externalRef,amount,status,transactionId\norder-1,1990,pending,7\norder-2,4990,,\n"],
  ["semicolons", "externalRef;amount;status;transactionId\norder-1;1990;pending;7\norder-2;4990;;"],
  ["tabs", "externalRef\tamount\tstatus\ttransactionId\norder-1\t1990\tpending\t7\norder-2\t4990\t\t\n"],
  [
    "a spreadsheet",
    '\uFEFF"externalRef";"amount";"status";"transactionId"\r\n"order-1";"1990";"pending";"7"\r\n\r\n"order-2";"4990";"";""\r\n',
  ],
  [
    "columns in another order, and spaces",
    "status, transactionId, amount, externalRef\npending, 7, 1990, order-1\n, , 4990, order-2 \n",
  ],
  ["JSON", JSON.stringify(TWO_ORDERS)],
  ["JSON with a byte order mark", `\uFEFF${JSON.stringify(TWO_ORDERS)}\n`],
  [
    "JSON with texts",
    JSON.stringify([{ ...TWO_ORDERS[0], amount: "1990", transactionId: "7" }, TWO_ORDERS[1]]),
  ],
  [
    "JSON with null",
    JSON.stringify([TWO_ORDERS[0], { ...TWO_ORDERS[1], status: null, transactionId: null }]),
  ],
])("orders are read from a file with %s", (_what, contents) => {
  const orders = readOrders(aFile(contents));

  expect(orders).toEqual(TWO_ORDERS);
});

test.each([
  ['"order;1"', "order;1"],
  ['"order ""1"""', 'order "1"'],
  ['"order\n1"', "order\n1"],
])("what is within quotes belongs to the cell: %j", (cell, externalRef) => {
  const orders = readOrders(aFile(`externalRef;amount\n${cell};1990\norder-2;4990\n`));

  expect(orders).toEqual([
    { externalRef, amount: 1990 },
    { externalRef: "order-2", amount: 4990 },
  ]);
});

describe("a file that could be misread is refused:", () => {
  test.each([
    ["without orders", "externalRef,amount\n", "holds no orders"],
    ["empty", "", "holds no orders"],
    ["without references", "amount\n1990\n", "order 1 has no externalRef"],
    [
      "an amount in reais",
      "externalRef;amount\norder-1;19,90\n",
      "order 1 needs an amount: a whole number of cents",
    ],
    ["an amount in dollars' way", "externalRef,amount\norder-1,19.90\n", "a whole number of cents"],
    ["an amount in hexadecimal", "externalRef,amount\norder-1,0x10\n", "a whole number of cents"],
    [
      "an amount that JSON would round",
      '[{"externalRef":"1","amount":9007199254740993}]',
      "a whole number of cents",
    ],
    ["more cells than columns", "externalRef,amount\norder-1,19,90\n", "row 1 has 3 cells, and the head 2"],
    [
      "fewer cells than columns",
      "externalRef,amount,status\norder-1,1990\n",
      "row 1 has 2 cells, and the head 3",
    ],
    [
      "a column that nobody reads",
      "externalRef,amount,note\norder-1,1990,ok\n",
      "order 1 has a column note;",
    ],
    [
      "a column in capitals",
      "externalRef,amount,Status\norder-1,1990,refused\n",
      "order 1 has a column Status;",
    ],
    [
      "a key in capitals",
      '[{"externalRef":"1","amount":1,"Status":"refused"}]',
      "order 1 has a column Status;",
    ],
    ["a column twice", "externalRef,amount,amount\norder-1,1990,1\n", "its head names amount twice"],
    ["an order twice", "externalRef,amount\na,1\nb,2\na,1\n", "order 3 has the externalRef of order 1"],
    [
      "a status that there is not",
      "externalRef,amount,status\na,1,paid\n",
      "its status must be one of pending, ",
    ],
    [
      "an id that is none",
      "externalRef,amount,transactionId\na,1,x7\n",
      "its transactionId must be a whole number",
    ],
    [
      "a quote in the middle",
      'externalRef,amount\nthe "first",1990\n',
      "row 1 has a quote where none belongs",
    ],
    ["a quote without an end", 'externalRef,amount\n"order-1,1990\n', "row 1 has a quote where none belongs"],
    ["JSON that is broken", '[{"externalRef":"order-1"', "is no JSON"],
    ["JSON of another kind", '{"orders":[]}', "must hold a JSON array"],
    ["JSON with a null", "[null]", "order 1 has no externalRef"],
    ["another encoding", Buffer.from("externalRef,amount\np\u00e3o,1990\n", "latin1"), "cannot be read"],
  ])("%s", (_what, contents, complaint) => {
    const file = aFile(contents);

    const act = () => readOrders(file);

    expect(act).toThrow(complaint);
  });
});

test("of what the example postbacks has printed, what was signed and handled counts", () => {
  const postback = { id: 1, status: "approved", externalRef: "order-1", amount: 1990 };
  const lines = [
    { result: "handled", trust: "signed", postback },
    { result: "handled", trust: "unsigned", postback: { ...postback, id: 2 } },
    { result: "duplicate", postback: { ...postback, id: 3 } },
    { result: "refused", answer: 401, reason: "missing_signature" },
  ];
  const file = aFile(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));

  const postbacks = readPostbacks(file);

  expect(postbacks).toMatchObject([postback]);
});
