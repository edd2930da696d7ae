import fc from "fast-check";
import { type HandledPostback, memoryStore, type PostbackStore } from "payments-sdk/idempotency";
import { describe, expect, test } from "vitest";
import { DocumentPostbacks } from "../../../src/idempotency/document-postbacks.ts";
import { MemoryDocuments } from "../../../src/idempotency/memory-documents.ts";
import { statusOf } from "../../../src/idempotency/postback-history.ts";
import { readStatus } from "../../../src/schemas/transaction-status.ts";
import { POSTBACK } from "../support/signing.ts";
import { aReceiver, DUPLICATE, HANDLED, urlOf } from "./support/receiver.ts";

const MANY = 1_100;

describe.each([
  ["in memory", () => memoryStore()],
  ["in a database", () => new DocumentPostbacks(new MemoryDocuments(MANY + 1))],
])("what decides is never forgotten %s:", (_name, open) => {
  test.each([
    ["amounts", (at: number) => ({ amount: at + 1 })],
    ["statuses that nobody knows", (at: number) => ({ status: `state ${at}` })],
    ["other transactions", (at: number) => ({ id: at + 1 })],
    ["refunds of a part", (at: number) => ({ amount: at + 1, status: "refunded" })],
  ])("after a flood of %s a payment is still known", async (_what, other) => {
    const store = open();
    const { post, onPostback } = aReceiver({ store });
    const url = await urlOf();
    await post(POSTBACK, url);

    for (let at = 0; at < MANY; at += 1) await post({ ...POSTBACK, ...other(at) }, url);

    expect(await post(POSTBACK, url)).toEqual(DUPLICATE);
    expect(await post({ ...POSTBACK, status: "PAID" }, url)).toEqual(HANDLED);
    expect(onPostback.mock.lastCall?.[1]).toMatchObject({ previousStatus: "approved", transition: "repeat" });
  });
});

describe.each([
  ["in memory", () => memoryStore()],
  ["in a database", () => new DocumentPostbacks(new MemoryDocuments(1))],
])("whatever floods a transaction %s:", (_name, open) => {
  const STATUSES = [
    "pending",
    "approved",
    "PAID",
    "refused",
    "cancelled",
    "expired",
    "refunded",
    "chargedback",
    "?",
  ];
  const status = fc.constantFrom(...STATUSES);
  const some = fc.array(fc.record({ status, amount: fc.constantFrom(1, 2, 1990, 5_000) }), { maxLength: 8 });
  const kinds = fc.array(status, { minLength: 1, maxLength: 4 });

  async function handle(
    store: PostbackStore,
    { status: rawStatus, amount }: { status: string; amount: number },
  ) {
    const key = { trust: "signed", externalRef: "order-1", id: 1, rawStatus, amount } as const;
    const claim = await store.claimPostback(key, "a", 60_000);
    if (claim.state === "claimed") await store.confirmPostback(key, "a");
    return claim;
  }

  function firstsOf(all: readonly HandledPostback[]): Iterable<HandledPostback> {
    return new Map(all.toReversed().map((postback) => [readStatus(postback.rawStatus), postback])).values();
  }

  test("the first of each status is never handled again, and the status is the same as if nothing was forgotten", async () => {
    await fc.assert(
      fc.asyncProperty(some, kinds, some, async (before, repeated, after) => {
        const flood = Array.from({ length: MANY }, (_, at) => ({
          status: repeated[at % repeated.length] ?? "",
          amount: 10 + at,
        }));
        const store = open();
        const all: HandledPostback[] = [];
        for (const postback of [...before, ...flood, ...after]) {
          const { state } = await handle(store, postback);
          if (state === "claimed") all.push({ rawStatus: postback.status, amount: postback.amount });
        }

        for (const { rawStatus, amount } of firstsOf(all)) {
          expect(await handle(store, { status: rawStatus, amount })).toEqual({ state: "done" });
        }
        const last = await handle(store, { status: "new", amount: 1 });
        expect(statusOf(last.state === "claimed" ? last.handled : [])).toBe(statusOf(all));
      }),
      {
        numRuns: 5,
        examples: [
          [
            [{ status: "pending", amount: 1 }],
            ["refused", "cancelled"],
            [
              { status: "approved", amount: 1 },
              { status: "chargedback", amount: 1 },
            ],
          ],
        ],
      },
    );
  });
});
