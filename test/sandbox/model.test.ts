import fc from "fast-check";
import { createGateway, type FaultKind, type Gateway, MOVES } from "payments-sdk/sandbox";
import { expect, test } from "vitest";
import { Entry } from "./support/books.ts";
import { aCard, aCardPayment, aPix, bodyOf, merchantOf } from "./support/wire.ts";

/** Shortly before a month ends, so that payments and what became of them fall into different ones. */
const START = Date.parse("2026-11-30T23:59:57.000Z");
const DAY_MS = 86_400_000;

/** Card numbers, with what they are at creation and what comes later. */
const CARDS: Readonly<Record<string, readonly [status: string, afterMs?: number, then?: string]>> = {
  "4111111111111111": ["approved"],
  "4000000000000002": ["refused"],
  "4000000000003220": ["processing", 5_000, "approved"],
  "4000008400001629": ["processing", 5_000, "refused"],
  "4000000000000259": ["approved", 10_000, "chargedback"],
};

/** What a fault does to a create: whether the transaction exists all the same. */
const FAULTS: Readonly<Record<FaultKind, boolean>> = {
  charged_then_reset: true,
  charged_then_stalled: true,
  charged_then_500: true,
  stalled_body: true,
  truncated_json: true,
  unknown_status: true,
  drifted_body: true,
  redirect_307: false,
  html_502: false,
  rate_limited: false,
  refused_connection: false,
};

interface Model {
  now: number;
  readonly entries: Entry[];
}

type Command = fc.AsyncCommand<Model, Gateway>;

/** Holds the whole gateway against the books. */
async function compare({ now, entries }: Model, gateway: Gateway): Promise<void> {
  await gateway.settled();
  const { transactions, deliveries } = gateway;
  const found = transactions.map(({ id, status, amount, paidAmount, refundedAmount, timeline }) => {
    const own = deliveries.filter(({ transactionId }) => transactionId === id);
    return {
      ends: [status, timeline.at(-1)?.status, Date.parse(timeline.at(-1)?.at ?? "")],
      cents: [amount, paidAmount, refundedAmount],
      posted: own.map(({ body }) => [body.status, Date.parse(body.transactionDate)]),
    };
  });
  expect(found).toEqual(
    entries.map(({ status, touchedAt, amount, paid, refunded, posted }) => ({
      ends: [status, status, touchedAt],
      cents: [amount, paid, refunded],
      posted,
    })),
  );
  for (const { status, attempts, body } of deliveries) {
    expect([status, ...attempts.map(({ at }) => at)]).toEqual(["delivered", body.transactionDate]);
  }
  for (const externalRef of ["a", "b"]) {
    const own = entries.filter((entry) => entry.externalRef === externalRef && entry.counts);
    expect(gateway.chargesFor(externalRef)).toHaveLength(own.length);
  }
  expect(await revenueOf(gateway)).toEqual({
    total: sumOf(entries),
    month: sumOf(entries.filter(({ paidAt }) => monthOf(paidAt) === monthOf(now))),
  });
}

/** In cents. */
async function revenueOf(gateway: Gateway): Promise<{ total: number; month: number }> {
  const list = await bodyOf(await merchantOf(gateway).get("/sellers/revenue"));
  const { total, month } = list.find(
    ({ seller_id }: { seller_id: string }) => seller_id === "seller_1",
  ).revenue;
  return { total: Math.round(total * 100), month: Math.round(month * 100) };
}

const sumOf = (entries: readonly Entry[]) => entries.reduce((sum, { kept }) => sum + kept, 0);
const monthOf = (ms: number) => new Date(ms).toISOString().slice(0, 7);

/** Sends a create, through a fault where there is one; a lost answer is what the model is about. */
async function create(gateway: Gateway, body: object, fault: FaultKind | undefined): Promise<boolean> {
  if (fault) gateway.faults.add({ on: "transactions.create", kind: fault });
  const exists = new Promise<undefined>((resolve) => {
    gateway.subscribe(({ type }) => type === "transaction" && resolve(undefined));
  });
  const answer = merchantOf(gateway)
    .create(body)
    .catch(() => undefined);
  const response = await (fault === "charged_then_stalled" ? exists : answer);
  if (fault === undefined) expect(response?.status).toBe(201);
  return fault === undefined || FAULTS[fault];
}

const anyFault = fc.option(fc.constantFrom(...(Object.keys(FAULTS) as FaultKind[])), {
  nil: undefined,
  freq: 2,
});
const anyAmount = fc.integer({ min: 100, max: 5_000 });
const anyReference = fc.constantFrom("a", "b");

const aPixIsCreated = fc
  .record({
    amount: anyAmount,
    externalRef: anyReference,
    days: fc.integer({ min: 1, max: 40 }),
    fault: anyFault,
  })
  .map(
    ({ amount, externalRef, days, fault }): Command => ({
      check: () => true,
      async run(model, gateway) {
        const body = aPix({ amount, externalRef, pix: { expiresInDays: days } });
        const exists = await create(gateway, body, fault);
        const end = model.now + Math.min(days, 30) * DAY_MS;
        const facts = { method: "pix", amount, externalRef, status: "pending" } as const;
        if (exists) model.entries.push(new Entry(model.now, facts, [end, "expired"]));
        await compare(model, gateway);
      },
      toString: () => `pix(${amount}, ${externalRef}, ${days} days, ${fault ?? "no fault"})`,
    }),
  );

const aCardIsPaidWith = fc
  .record({
    amount: anyAmount,
    externalRef: anyReference,
    number: fc.constantFrom(...Object.keys(CARDS)),
    fault: anyFault,
  })
  .map(
    ({ amount, externalRef, number, fault }): Command => ({
      check: () => true,
      async run(model, gateway) {
        const [status = "", afterMs, then] = CARDS[number] ?? [];
        const hash = await merchantOf(gateway).token(aCard({ number }));
        const exists = await create(gateway, aCardPayment(hash, { amount, externalRef }), fault);
        const later = afterMs && then ? ([model.now + afterMs, then] as const) : undefined;
        const facts = { method: "card", amount, externalRef, status } as const;
        if (exists) model.entries.push(new Entry(model.now, facts, later));
        await compare(model, gateway);
      },
      toString: () => `card(${amount}, ${externalRef}, ${number}, ${fault ?? "no fault"})`,
    }),
  );

const aMove = fc
  .record({ nth: fc.nat(20), name: fc.constantFrom(...MOVES), cents: fc.option(anyAmount) })
  .map(
    ({ nth, name, cents }): Command => ({
      check: ({ entries }) => entries.length > 0,
      async run(model, gateway) {
        const index = nth % model.entries.length;
        const entry = model.entries[index] as Entry;
        const amount = cents ?? entry.paid - entry.refunded;
        const id = gateway.transactions[index]?.id ?? 0;
        const makesSense = entry.move(name, amount, model.now);
        const move = () => (name === "refund" ? gateway.refund(id, cents ?? undefined) : gateway[name](id));
        if (makesSense) move();
        else expect(move).toThrow(/cannot|whole number/);
        await compare(model, gateway);
      },
      toString: () => `${name}(${nth}${cents === null ? "" : `, ${cents}`})`,
    }),
  );

const timePasses = fc.constantFrom(1, 4_999, 5_000, 10_000, DAY_MS, 29 * DAY_MS).map(
  (ms): Command => ({
    check: () => true,
    async run(model, gateway) {
      gateway.clock.advance(ms);
      for (const entry of model.entries) entry.pass(model.now, model.now + ms);
      model.now += ms;
      await compare(model, gateway);
    },
    toString: () => `advance(${ms})`,
  }),
);

test("whatever happens, amounts, states, deliveries, charges and revenue agree with the books", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.commands([aPixIsCreated, aCardIsPaidWith, aMove, aMove, timePasses], { maxCommands: 25 }),
      async (commands) => {
        const postbacks = { fetch: async () => new Response() };
        const gateway = createGateway({ seed: 1, now: START, postbacks });
        await fc.asyncModelRun(() => ({ model: { now: START, entries: [] }, real: gateway }), commands);
      },
    ),
    { numRuns: 150 },
  );
}, 30_000);
