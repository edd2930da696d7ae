import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type CreatePixParams, isPaymentsError, PaymentsClient, type PaymentsError } from "payments-sdk";
import { memoryStore } from "payments-sdk/idempotency";
import type { FaultKind } from "payments-sdk/sandbox";
import { startSandbox } from "payments-sdk/sandbox/server";
import { describe, expect, onTestFinished, test } from "vitest";
import { pageOf } from "./support/documented-site.ts";
import { tableOf } from "./support/documented-tables.ts";

const PAGE = "timeouts.md";
const WORDS_IN_TWO_MINUTES = 2 * 240;

const ORDER: CreatePixParams = {
  amount: 1990,
  customer: {
    name: "Maria Exemplo",
    email: "maria@example.com",
    document: { type: "cpf", number: "52998224725" },
  },
  externalRef: "order-1",
};

async function open() {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  const { baseUrl, secretKey, publicKey, gateway } = sandbox;
  const store = memoryStore();
  const payments = new PaymentsClient({
    ...{ baseUrl, secretKey, publicKey, idempotency: store, timeout: 500, onEvent: () => undefined },
  });
  const fail = (kind: FaultKind) => gateway.faults.add({ on: "transactions.create", kind });
  const create = (params = ORDER) => payments.transactions.createPix(params).withResponse();
  const failure = (params = ORDER): Promise<PaymentsError> =>
    create(params).then(
      () => expect.unreachable(),
      (error: unknown) => (isPaymentsError(error) ? error : expect.unreachable()),
    );
  return { gateway, store, fail, create, failure };
}

describe("the three ends", () => {
  const ends = new Map(tableOf(PAGE, "Three ends").map(([end = "", seen = ""]) => [end, seen]));

  test("are these, and name every outcome of a create", () => {
    expect([...ends]).toEqual([
      ["this call charged nobody", "not_sent, rejected"],
      ["a transaction exists", "a result, or the outcome created"],
      ["nobody knows", "unknown"],
    ]);
  });

  test.each([
    ["not_sent", { ...ORDER, amount: 19.9 }],
    ["rejected", { ...ORDER, amount: 1 }], // below the company's limit
  ])("after %s nobody was charged, and a repeat is sent", async (outcome, wrong) => {
    const { failure, create, gateway } = await open();

    const error = await failure(wrong);
    const { response } = await create();

    expect(error.outcome).toBe(outcome);
    expect(response.replayed).toBe(false);
    expect(gateway.chargesFor("order-1")).toHaveLength(1);
  });

  test("after a result a repeat gives the same transaction", async () => {
    const { create, gateway } = await open();
    const first = await create();

    const again = await create();

    expect([again.data.id, again.response.replayed]).toEqual([first.data.id, true]);
    expect(gateway.chargesFor("order-1")).toHaveLength(1);
  });

  test.each<[FaultKind, number]>([
    ["charged_then_stalled", 1],
    ["html_502", 0],
  ])("after %s nobody knows, and a repeat sends nothing", async (kind, charges) => {
    const { fail, failure, gateway } = await open();
    fail(kind);

    const outcomes = [await failure(), await failure()].map(({ outcome, code }) => [outcome, code]);

    expect(outcomes).toEqual([
      ["unknown", kind === "html_502" ? "server_error" : "timed_out"],
      ["unknown", "outcome_pending"],
    ]);
    expect(gateway.chargesFor("order-1")).toHaveLength(charges);
  });
});

describe("what a person records", () => {
  test("is in the table, row by row", () => {
    expect(tableOf(PAGE, "What settles it").map(([shown, record]) => [shown, record])).toEqual([
      ["no transaction", "{ charged: false }: the next create is sent"],
      ["one that is not among earlierIds", "{ transactionId, status }"],
      ["only such of earlierIds", "one that is paid by its id; else { charged: false }"],
      ["two of them", "the one that shall stay; give the other one's money back"],
    ]);
  });

  test("of no transaction lets the next create be sent", async () => {
    const { fail, failure, store, create } = await open();
    fail("html_502");
    await failure();

    await store.resolve("order-1", { charged: false });

    expect((await create()).response.replayed).toBe(false);
  });

  test("of one makes a repeat give it", async () => {
    const { fail, failure, store, create, gateway } = await open();
    fail("charged_then_stalled");
    await failure();
    const [charge] = gateway.chargesFor("order-1");
    const { id, status } = gateway.pay(charge?.id ?? 0);

    await store.resolve("order-1", { transactionId: id, status });

    expect((await create()).data).toMatchObject({ id, status: "approved" });
  });
});

test("a pix whose answer was lost is known, and a new one is sent once it is cancelled", async () => {
  const { fail, failure, store, create, gateway } = await open();
  fail("charged_then_stalled");
  await failure();
  const [charge] = gateway.chargesFor("order-1");
  const transactionId = charge?.id ?? 0;
  await store.resolve("order-1", { transactionId, status: "pending" });
  const { outcome } = await failure();
  const { status } = gateway.cancel(transactionId);

  await store.resolve("order-1", { transactionId, status });
  const { response } = await create();

  expect(outcome).toBe("created");
  expect(response.replayed).toBe(false);
  expect(gateway.chargesFor("order-1")).toHaveLength(1);
});

test("what one has to know is read in two minutes", () => {
  const [text = ""] = pageOf(PAGE).split("## Worth knowing");
  const words = text.replaceAll(/^```ts\n.*?^```$/gms, "").split(/\s+/);

  expect(words.length).toBeLessThan(WORDS_IN_TWO_MINUTES);
});

test("each store was measured, by a command that there is, and charged nobody twice", () => {
  const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };

  const measured = tableOf(PAGE, "Measured").map(([store, twice]) => [store, twice]);

  expect(measured).toEqual([
    ["SQLite", "0"],
    ["Redis, appendfsync always", "0"],
    ["PostgreSQL", "0"],
    ["without a store, sent anew", expect.stringMatching(/^[1-9]\d* of 300$/)],
  ]);
  expect(pageOf(PAGE)).toMatch(/`npm run crash -- --seed \d+`/);
  expect(Object.keys(scripts)).toContain("crash");
});
