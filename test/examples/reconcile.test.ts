import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { sqliteStore } from "payments-sdk/idempotency";
import { startSandbox } from "payments-sdk/sandbox/server";
import { describe, expect, onTestFinished, test } from "vitest";
import { startServer } from "../support/http-server.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { envOf, jsonLines, runExample } from "./support/run-example.ts";

const postback = (overrides: object) => ({
  id: 1,
  status: "approved",
  externalRef: "order-1",
  amount: 1990,
  ...overrides,
});

const CSV = "externalRef,amount,status\norder-1,1990,pending\norder-2,4990,\n";
const HEARD = [
  { result: "handled", trust: "signed", transition: "advance", postback: postback({}) },
  {
    result: "handled",
    trust: "unsigned",
    transition: "advance",
    postback: postback({ id: 2, externalRef: "order-2" }),
  },
  {
    result: "handled",
    trust: "signed",
    transition: "advance",
    postback: postback({ id: 3, externalRef: "order-3" }),
  },
  { result: "refused", answer: 401, reason: "missing_signature" },
];

function files(contents: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(contents)) writeFileSync(join(folder, name), text);
  return folder;
}

test("orders are compared with the signed postbacks that were printed", async () => {
  const postbacks = HEARD.map((line) => `${JSON.stringify(line)}\n`).join("");
  const folder = files({ "orders.csv": CSV, "postbacks.jsonl": postbacks });
  const args = ["--orders", join(folder, "orders.csv"), "--postbacks", join(folder, "postbacks.jsonl")];

  const { code, stdout, stderr } = await runExample("reconcile", [...args, "--json"]);

  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(jsonLines(stdout)).toMatchObject([
    {
      orders: [
        { externalRef: "order-1", verdict: "paid", paid: 1990 },
        { externalRef: "order-2", verdict: "missing", paid: 0 },
      ],
      strangers: [{ id: 3, externalRef: "order-3" }],
      paidInCents: 1990,
      earnedInCents: null,
    },
  ]);
});

test("a person is told where to look, and why", async () => {
  const heard = ["refused", "approved"].map((status) => ({ ...HEARD[0], postback: postback({ status }) }));
  const folder = files({
    "orders.csv": CSV,
    "postbacks.jsonl": heard.map((line) => JSON.stringify(line)).join("\n"),
  });
  const args = ["--orders", join(folder, "orders.csv"), "--postbacks", join(folder, "postbacks.jsonl")];

  const { code, stdout } = await runExample("reconcile", args);

  expect(code).toBe(0);
  expect(stdout).toMatch(/ order-1 +R\$\s19,90 +look +R\$\s19,90\n/);
  expect(stdout).toMatch(/ Look +order-1: transaction 1: refused, then approved\n/);
  expect(stdout).not.toContain("Earned"); // nobody was asked
});

describe("with a store and a service", () => {
  test("the store tells what is unresolved, and the service what a seller has earned", async () => {
    const sandbox = await startSandbox();
    onTestFinished(() => sandbox.close());
    const folder = files({ "orders.csv": CSV });
    const store = sqliteStore(join(folder, "payments.db"));
    onTestFinished(() => store.close());
    const lost = {
      externalRef: "order-2",
      amount: 4990,
      paymentMethod: "pix",
      owner: "the process",
    } as const;
    await store.claim(lost, 60_000);
    await store.end(lost, { outcome: "unknown" });
    const args = [
      "--orders",
      join(folder, "orders.csv"),
      "--store",
      join(folder, "payments.db"),
      "--seller",
      "seller_2",
    ];

    const { code, stdout } = await runExample("reconcile", args, { env: envOf(sandbox) });

    expect(code).toBe(0);
    expect(stdout).toMatch(/order-1 .+ waiting\n +order-2 .+ unresolved\n/);
    expect(stdout).toMatch(/Earned +R\$\s1\.299,50 .+\n +Difference +R\$\s1\.299,50: /);
  });

  test("more than was earned in this month may have been paid in another", async () => {
    const sandbox = await startSandbox();
    onTestFinished(() => sandbox.close());
    const folder = files({ "orders.csv": "externalRef,amount,status\norder-1,130050,approved\n" });

    const { stdout } = await runExample("reconcile", ["--orders", join(folder, "orders.csv")], {
      env: envOf(sandbox),
    });

    expect(stdout).toMatch(/Difference +-R\$\s1,00: .+another month\?\n$/);
  });

  test.each([
    ["a service that shows no sellers", []],
    ["a service that leaves the month out", [{ seller_id: "a", revenue: { total: 10 } }]],
    [
      "a service that leaves one month out",
      [
        { seller_id: "a", revenue: { total: 10, month: 5 } },
        { seller_id: "b", revenue: { total: 10 } },
      ],
    ],
  ])("%s has not said that nothing was earned", async (_what, data) => {
    const service = await startServer(({ response }) => {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(data));
    });
    const folder = files({ "orders.csv": CSV });
    const env = {
      PAYMENTS_BASE_URL: service.baseUrl,
      PAYMENTS_SECRET_KEY: "sk_x",
      PAYMENTS_PUBLIC_KEY: "pk_x",
    };
    const args = ["--orders", join(folder, "orders.csv")];

    const forPeople = await runExample("reconcile", args, { env });
    const forPrograms = await runExample("reconcile", [...args, "--json"], { env });

    expect(forPeople.stdout, forPeople.stderr).toMatch(/ Earned +unknown: the service does not say\n$/);
    expect(jsonLines(forPrograms.stdout)).toMatchObject([{ earnedInCents: null }]);
  });

  test.each([
    ["a file that is not there", ["--orders", "nowhere.csv"], "nowhere.csv cannot be read"],
    ["orders that are wrong", ["--orders", "reais.csv"], "reais.csv: order 1 needs an amount"],
    ["postbacks that are none", ["--orders", "ok.csv", "--postbacks", "ok.csv"], "line 1 is not one that"],
    ["a store without orders", ["--store", "ok.csv"], "Which orders? Say --orders."],
    ["a store that is none", ["--orders", "ok.csv", "--store", "ok.csv"], "ok.csv cannot be opened"],
    [
      "a seller that there is not",
      ["--orders", "ok.csv", "--seller", "nobody"],
      'no seller with the id "nobody"',
    ],
  ])("%s is told in a line", async (_what, args, complaint) => {
    const folder = files({ "ok.csv": CSV, "reais.csv": "externalRef;amount\norder-1;19,90\n" });
    const sandbox = await startSandbox();
    onTestFinished(() => sandbox.close());
    const paths = args.map((arg) => (/\.\w+$/.test(arg) ? join(folder, arg) : arg));

    const { code, stderr } = await runExample("reconcile", [...paths, "--json"], { env: envOf(sandbox) });

    expect(code).toBe(1);
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(stderr).toContain(complaint);
  });

  test("a service that is named by half is not left out without a word", async () => {
    const folder = files({ "orders.csv": CSV });
    const env = { PAYMENTS_BASE_URL: "http://127.0.0.1:9" };

    const { code, stderr } = await runExample("reconcile", ["--orders", join(folder, "orders.csv")], { env });

    expect(code).toBe(1);
    expect(stderr).toMatch(/^Not set: PAYMENTS_SECRET_KEY[^\n]+\n$/);
  });
});
